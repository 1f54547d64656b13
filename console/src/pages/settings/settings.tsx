import {segments} from '../../state/route';
import {isRoot, mayAdminister, mayOperate, session} from '../../state/session';
import {Card, Empty, PageHead, Tabs} from '../../ui/basics';
import {Calendars} from './calendars';
import {Keys} from './keys';
import {Here} from './here';
import {Secrets} from './secrets';
import {Tenants} from './tenants';
import {Types} from './types';

const TABS: [string, string][] = [['here', 'This browser'], ['keys', 'Keys'], ['tenants', 'Tenants'], ['types', 'Job types'], ['calendars', 'Calendars'], ['secrets', 'Secrets']];

export default function Settings() {
  const tab = segments.value[1] ?? 'here';
  return (
    <>
      <PageHead title="Settings" />
      <Tabs label="Settings" current={tab} tabs={TABS.map(([name, text]) => ({name, text, to: name === 'here' ? '/settings' : `/settings/${name}`}))} />
      {tab === 'here' && <Here />}
      {tab === 'calendars' && <Calendars />}
      {tab === 'types' && <Types />}
      {tab === 'keys' && (mayAdminister.value ? <Keys /> : <NotAllowed scope="an admin's" />)}
      {tab === 'tenants' && (isRoot.value ? <Tenants /> : <NotAllowed scope="a root" />)}
      {tab === 'secrets' && (mayOperate.value ? <Secrets /> : <NotAllowed scope="an operator's" />)}
    </>
  );
}

const NotAllowed = ({scope}: {scope: string}) => (
  <Card>
    <Empty title={`This needs ${scope} key`}>
      <p>You are {session.value?.actor}, with the scope {session.value?.scope}.</p>
    </Empty>
  </Card>
);
