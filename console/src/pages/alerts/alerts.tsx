// What is wrong by the rules that somebody wrote, who is told, and who is not for a while.
import {alerts} from '../../api/calls';
import {useLoad} from '../../api/load';
import {usePages} from '../../api/pages';
import type {Alert} from '../../api/types';
import {segments} from '../../state/route';
import {mayOperate} from '../../state/session';
import {Bones, Card, Empty, PageHead, Pill, Tabs, Trouble} from '../../ui/basics';
import {More} from '../../ui/list';
import {Said} from '../../ui/said';
import {Time, ZoneName} from '../../ui/time';
import {Messages} from './messages';
import {NoRules, readRules, Rules} from './rules';
import {askSilence, Silences} from './silences';

const TABS: [string, string][] = [['open', 'Open'], ['history', 'History'], ['rules', 'Rules'], ['silences', 'Silences'], ['messages', 'Messages']];

export default function Alerts() {
  const tab = segments.value[1] ?? 'open';
  return (
    <>
      <PageHead title="Alerts">{mayOperate.value && <button type="button" class="btn" onClick={() => askSilence()}>Silence…</button>}</PageHead>
      <Tabs label="Alerts" current={tab} tabs={TABS.map(([name, text]) => ({name, text, to: name === 'open' ? '/alerts' : `/alerts/${name}`}))} />
      {tab === 'open' && <Open />}
      {tab === 'history' && <History />}
      {tab === 'rules' && <Rules />}
      {tab === 'silences' && <Silences />}
      {tab === 'messages' && <Messages />}
    </>
  );
}

function Open() {
  const {data, problem, reload} = useLoad('alerts:open', () => alerts.list({open: true, limit: 100}), {every: 3000});
  const rules = readRules();
  if (!data || !rules.data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  if (data.items.length > 0) return <Card flush><Table items={data.items} open /></Card>;
  const count = rules.data.items.length;
  // Where nobody looks, nobody can say that nothing is wrong.
  if (count === 0) return <Card><NoRules done={rules.reload} /></Card>;
  return (
    <Card>
      <Empty title="Nothing is wrong">
        <p class="muted">{count === 1 ? 'One rule watches.' : `${count} rules watch.`} What they find stands here until it is over.</p>
      </Empty>
    </Card>
  );
}

function History() {
  const pages = usePages<Alert>('alerts:all', (cursor) => alerts.list({cursor, limit: 100}), {id: (alert) => String(alert.id)});
  if (!pages.items) return pages.problem ? <Trouble problem={pages.problem} retry={pages.reload} /> : <Bones />;
  return (
    <Card flush>
      {pages.items.length === 0 ? <Empty title="No rule has found anything yet" /> : <Table items={pages.items} />}
      <More pages={pages} />
    </Card>
  );
}

const Table = ({items, open}: {items: Alert[]; open?: boolean}) => (
  <div class="table"><table>
    <thead><tr><th>State</th><th>What</th><th>Since<ZoneName /></th>{!open && <th class="c1">Until</th>}<th class="c2">Rule</th><th><span class="sr">Actions</span></th></tr></thead>
    <tbody>{items.map((alert) => (
      <tr key={alert.id}>
        <td><Pill kind={alert.state === 'OPEN' ? 'bad' : 'ok'}>{alert.state === 'OPEN' ? 'Open' : 'Over'}</Pill>{alert.quiet && alert.state === 'OPEN' && <> <span class="muted" title="Nobody is told yet: its job is paused, or its rule is quiet">quiet</span></>}</td>
        <td class="says">{alert.job_id ? <a class="name" href={`/jobs/${alert.job_id}`}>{alert.subject}</a> : <span class="name">{alert.subject}</span>} <span class="dim"><Said text={alert.sentence} /></span></td>
        <td><Time at={alert.opened_at} /></td>
        {!open && <td class="c1">{alert.resolved_at && <Time at={alert.resolved_at} />}</td>}
        <td class="c2 muted">{alert.rule}</td>
        <td class="right">{mayOperate.value && alert.state === 'OPEN' && <button type="button" class="btn small" aria-label={`Silence… ${alert.subject}`} onClick={() => askSilence({rule: alert.rule, ...(alert.job_id ? {job: alert.subject} : {})})}>Silence…</button>}</td>
      </tr>
    ))}</tbody>
  </table></div>
);
