// Who executes, as far as their runs show it: what each holds, what waits for whom.
import {runs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Run} from '../../api/types';
import {Bones, Card, Command, Empty, PageHead, Pill, Trouble} from '../../ui/basics';
import {isBad} from '../../ui/outcomes';
import {Countdown, Time, ZoneName} from '../../ui/time';

const DAY = 86_400_000;
const SILENT_MS = 15 * 60_000;

interface Worker {
  name: string;
  types: Set<string>;
  holds: Run[];
  ended: number;
  failed: number;
  seen: number;
}

interface Queue {
  type: string;
  waiting: number;
  oldest: string | undefined;
  running: number;
  ended: number;
}

interface Picture {
  at: number;
  workers: Worker[];
  queues: Queue[];
  all: boolean;
}

async function read(): Promise<Picture> {
  const at = Date.now();
  const [recent, ready] = await Promise.all([runs.list({from: new Date(at - DAY).toISOString(), limit: 1000}), runs.list({state: 'READY', limit: 1000})]);
  const workers = new Map<string, Worker>();
  const queues = new Map<string, Queue>();
  const queue = (type: string): Queue => {
    const found = queues.get(type) ?? {type, waiting: 0, oldest: undefined, running: 0, ended: 0};
    queues.set(type, found);
    return found;
  };
  for (const run of recent.items) {
    if (run.state === 'RUNNING') ++queue(run.job_type).running;
    else if (run.finished_at) ++queue(run.job_type).ended;
    if (!run.worker) continue;
    const worker = workers.get(run.worker) ?? {name: run.worker, types: new Set(), holds: [], ended: 0, failed: 0, seen: 0};
    workers.set(run.worker, worker);
    worker.types.add(run.job_type);
    if (run.state === 'RUNNING') worker.holds.push(run);
    else ++worker.ended;
    if (isBad(run.state)) ++worker.failed;
    const beat = run.state === 'RUNNING' ? at : Date.parse(run.finished_at ?? run.started_at ?? run.scheduled_for);
    worker.seen = Math.max(worker.seen, beat);
  }
  for (const run of ready.items) {
    const due = run.due_at ?? run.scheduled_for;
    if (Date.parse(due) > at) continue; // not due yet: it waits for its time, not for a worker
    const line = queue(run.job_type);
    ++line.waiting;
    if (!line.oldest || due < line.oldest) line.oldest = due;
  }
  return {
    at,
    workers: [...workers.values()].sort((a, b) => b.holds.length - a.holds.length || b.seen - a.seen),
    queues: [...queues.values()].sort((a, b) => b.waiting - a.waiting || a.type.localeCompare(b.type)),
    all: recent.next_cursor === null,
  };
}

export default function Workers() {
  const {data, problem, reload} = useLoad('workers', read, {every: 5000, on: (news) => news.kind === 'runs', calm: 3000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={10} />;
  const busy = data.workers.filter((worker) => worker.holds.length).length;
  const held = data.workers.reduce((sum, worker) => sum + worker.holds.length, 0);
  return (
    <>
      <PageHead title="Workers" sub={`${busy === 0 ? 'None is busy' : `${busy} busy with ${held} ${held === 1 ? 'run' : 'runs'}`}. Seen through the runs they took ${data.all ? 'in the last day' : 'most recently (the newest 1,000)'}.`} />
      <div class="stack">
        <Card title="Queues, by type" flush>
          {data.queues.length === 0 ? <Empty title="Nothing waits and nothing ran" /> : <Queues queues={data.queues} now={data.at} />}
        </Card>
        <Card title="Workers" flush>
          {data.workers.length === 0 ? (
            <Empty title="No worker has taken a run yet">
              <p>A node on the embedded store runs commands itself. Elsewhere, start one:</p>
              <Command text="belfry worker" />
            </Empty>
          ) : (
            <WorkerTable workers={data.workers} now={data.at} />
          )}
        </Card>
      </div>
    </>
  );
}

const Queues = ({queues, now}: {queues: Queue[]; now: number}) => (
  <div class="table"><table>
    <thead><tr><th>State</th><th>Type</th><th class="num">Waiting</th><th>Oldest</th><th class="num">Running</th><th class="num c1">Ended</th></tr></thead>
    <tbody>
      {queues.map((queue) => {
        const starved = queue.oldest !== undefined && now - Date.parse(queue.oldest) > 30_000;
        return (
          <tr key={queue.type}>
            <td><Pill kind={starved && queue.running === 0 ? 'bad' : starved ? 'late' : 'ok'}>{starved && queue.running === 0 ? 'No worker' : starved ? 'Behind' : 'Served'}</Pill></td>
            <td><a class="name" href={`/jobs?type=${encodeURIComponent(queue.type)}`}>{queue.type}</a></td>
            <td class="num">{queue.waiting}</td>
            <td>{queue.oldest ? <Countdown at={queue.oldest} /> : <span class="muted">none</span>}</td>
            <td class="num">{queue.running}</td>
            <td class="num c1">{queue.ended}</td>
          </tr>
        );
      })}
    </tbody>
  </table></div>
);

const WorkerTable = ({workers, now}: {workers: Worker[]; now: number}) => (
  <div class="table"><table>
    <thead><tr><th>State</th><th>Worker</th><th class="c2">Types</th><th>Holds</th><th class="num c1">Ended</th><th class="num c1">Failed</th><th>Last seen<ZoneName /></th></tr></thead>
    <tbody>
      {workers.map((worker) => (
        <tr key={worker.name}>
          <td><Pill kind={worker.holds.length ? 'run' : now - worker.seen > SILENT_MS ? 'off' : 'ok'}>{worker.holds.length ? 'Busy' : now - worker.seen > SILENT_MS ? 'Quiet' : 'Idle'}</Pill></td>
          <td class="max name">{worker.name}</td>
          <td class="c2 tags">{[...worker.types].slice(0, 4).map((type) => <span key={type} class="tag">{type}</span>)}</td>
          <td class="max">{worker.holds.length === 0 ? <span class="muted">nothing</span> : worker.holds.slice(0, 2).map((run) => <a key={run.run_id} class="tag" href={`/runs/${run.run_id}`}>{run.job_name}</a>)}{worker.holds.length > 2 && <span class="muted"> +{worker.holds.length - 2}</span>}</td>
          <td class="num c1">{worker.ended}</td>
          <td class={`num c1 ${worker.failed ? 'bad' : ''}`}>{worker.failed}</td>
          <td><Time at={worker.seen} seconds /></td>
        </tr>
      ))}
    </tbody>
  </table></div>
);
