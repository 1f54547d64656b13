import {segments} from '../../state/route';
import {mayAdminister, session} from '../../state/session';
import {Card, Empty, PageHead, Tabs} from '../../ui/basics';
import {Calendars} from './calendars';
import {Keys} from './keys';
import {Here} from './here';
import {Tenants} from './tenants';

const TABS: [string, string][] = [['here', 'This browser'], ['keys', 'Keys'], ['tenants', 'Tenants'], ['calendars', 'Calendars']];

export default function Settings() {
  const tab = segments.value[1] ?? 'here';
  return (
    <>
      <PageHead title="Settings" />
      <Tabs label="Settings" current={tab} tabs={TABS.map(([name, text]) => ({name, text, to: name === 'here' ? '/settings' : `/settings/${name}`}))} />
      {tab === 'here' && <Here />}
      {tab === 'calendars' && <Calendars />}
      {(tab === 'keys' || tab === 'tenants') && (mayAdminister.value ? tab === 'keys' ? <Keys /> : <Tenants /> : <NotAllowed />)}
    </>
  );
}

const NotAllowed = () => (
  <Card>
    <Empty title="This needs an admin's key">
      <p>You are {session.value?.actor}, with the scope {session.value?.scope}.</p>
    </Empty>
  </Card>
);
