// What gave up, grouped by what it died of; one is tried first, then the rest at a rate.
import {useState} from 'preact/hooks';
import {runs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Run} from '../../api/types';
import {go} from '../../state/route';
import {mayOperate} from '../../state/session';
import {attempt, note} from '../../state/toasts';
import {Bones, Card, Command, Empty, Field, PageHead, Pill, Trouble} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {Time, ZoneName} from '../../ui/time';
import {groupsOf, type Group} from './groups';

const MOST_PAGES = 5;

async function readDead(): Promise<{runs: Run[]; all: boolean}> {
  const found: Run[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && cursor !== null; ++page) {
    const answer = await runs.list({state: 'DEAD', limit: 1000, cursor});
    found.push(...answer.items);
    cursor = answer.next_cursor;
  }
  return {runs: found, all: cursor === null};
}

export default function Dead() {
  const {data, problem, reload} = useLoad('dead', readDead, {on: (news) => news.kind === 'runs', calm: 3000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={10} />;
  const groups = groupsOf(data.runs);
  return (
    <>
      <PageHead title="Dead letters" sub={data.runs.length === 0 ? 'Runs that used up their attempts, or failed for good.' : `${data.runs.length.toLocaleString('en')}${data.all ? '' : '+'} runs gave up, from ${groups.length} ${groups.length === 1 ? 'cause' : 'causes'}.`} />
      {groups.length === 0 ? (
        <Card><Empty title="Nothing gave up"><p>When a run uses up its attempts it stays here until it is retried or its history ends.</p><Command text="belfry dlq ls" /></Empty></Card>
      ) : (
        <div class="stack">{groups.map((group) => <GroupCard key={group.key} group={group} reload={reload} />)}</div>
      )}
    </>
  );
}

function GroupCard({group, reload}: {group: Group; reload: () => void}) {
  const [open, setOpen] = useState(false);
  const tryOne = (): void =>
    void attempt(async () => {
      const run = await runs.retry(group.runs[0]!.run_id);
      go(`/runs/${run.run_id}`);
    });
  return (
    <Card flush>
      <div class="row wrap between" style={{padding: '12px 16px'}}>
        <div class="grow" style={{flexBasis: '300px'}}>
          <p class="row tight wrap"><Pill kind="bad">{group.runs.length.toLocaleString('en')}</Pill> <b class="clip">{group.error}</b></p>
          <p class="muted small">
            type {group.type} · {group.jobs.length === 1 ? group.jobs[0] : `${group.jobs.length} jobs`} · {group.first !== group.last && <>first <Time at={group.first} />, </>}last <Time at={group.last} /><ZoneName />
          </p>
        </div>
        <div class="row tight wrap">
          <button type="button" class="btn quiet" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? 'Hide' : 'Show'} runs</button>
          {mayOperate.value && <button type="button" class="btn" onClick={tryOne}>{group.runs.length === 1 ? 'Retry it' : 'Retry one first'}</button>}
          {mayOperate.value && group.runs.length > 1 && <button type="button" class="btn" onClick={() => showDialog(() => <RetryAll group={group} done={reload} />)}>Retry all {group.runs.length}…</button>}
        </div>
      </div>
      {open && (
        <div class="table"><table>
          <thead><tr><th>Job</th><th>Scheduled for</th><th>Gave up</th><th class="num c2">Attempts</th><th class="c2">Error</th></tr></thead>
          <tbody>{group.runs.slice(0, 100).map((run) => (
            <tr key={run.run_id}>
              <td class="max"><a class="name" href={`/runs/${run.run_id}`}>{run.job_name}</a></td>
              <td><Time at={run.scheduled_for} seconds /></td>
              <td><Time at={run.finished_at} seconds /></td>
              <td class="num c2">{run.attempts}</td>
              <td class="fill dim c2">{run.error}</td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
    </Card>
  );
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function RetryAll({group, done}: {group: Group; done: () => void}) {
  const [rate, setRate] = useState('5');
  const [at, setAt] = useState<number>();
  const [stop] = useState({asked: false});
  const pace = Math.max(0.1, Number(rate) || 1);
  const work = async (): Promise<boolean> => {
    let refused = 0;
    let ended = 0;
    for (const run of group.runs) {
      if (stop.asked) break;
      await runs.retry(run.run_id).catch(() => ++refused);
      setAt(++ended);
      await wait(1000 / pace);
    }
    note(`${ended - refused} runs are live again${refused ? `, ${refused} refused` : ''}`, {bad: refused > 0});
    done();
    return true;
  };
  return (
    <Dialog title={`Retry ${group.runs.length} runs`} action="Retry" disabled={at !== undefined} onSubmit={work} extra={at !== undefined && <button type="button" class="btn quiet" onClick={() => (stop.asked = true)}>Stop</button>}>
      <p class="dim">Each gets new attempts under its own id. This page paces them; it must stay open.</p>
      <Field label="How many a second" type="number" min="0.1" max="50" step="any" value={rate} onText={setRate} hint={`About ${Math.ceil(group.runs.length / pace)} s in all`} />
      {at !== undefined && <progress max={group.runs.length} value={at} aria-label="Progress" />}
    </Dialog>
  );
}
