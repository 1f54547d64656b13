// Who executes: what each worker takes and holds, and what waits for whom. What they did in the last day comes from runs.
import {cluster, runs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {HeldRun, QueueName, QueueState, Run, Workers as Picture} from '../../api/types';
import {Bones, Card, Command, Empty, PageHead, Pill, Trouble} from '../../ui/basics';
import {isBad} from '../../ui/outcomes';
import {Countdown, Time, ZoneName} from '../../ui/time';

const DAY = 86_400_000;
const IN_VAIN_MS = 20_000; // as the server's own list of problems has it
const MOST_RUNS = 1000;

interface Worker {
  name: string;
  takes: string[];
  asks: boolean; // for runs, of this node, lately
  room: number | undefined;
  running: number;
  holds: HeldRun[];
  ended: number;
  failed: number;
  seen: number;
}

interface News {
  at: number;
  workers: Worker[];
  queues: QueueState[];
  all: boolean;
}

export const queueWords = ({kind, name}: QueueName): string =>
  kind === 'EXEC' ? `${name} (commands)` : kind === 'TOPIC' ? `broker ${name}` : kind === 'HTTP' ? 'webhooks' : kind === 'CHECKIN' ? 'check-ins' : name;

const keyOf = ({kind, name}: QueueName): string => `${kind} ${name}`;

// With those that are asked for while nothing waits in them.
function queuesOf({queues, workers}: Picture): QueueState[] {
  const known = new Set(queues.map(keyOf));
  const idle = new Map(workers.flatMap((worker) => worker.takes).filter((queue) => !known.has(keyOf(queue))).map((queue) => [keyOf(queue), queue]));
  return [
    ...queues,
    ...[...idle.values()].map((queue): QueueState => ({...queue, region: null, waiting: 0, waiting_since: null, running: 0, running_since: null, asked_for: true})),
  ].sort((a, b) => b.waiting - a.waiting || queueWords(a).localeCompare(queueWords(b)));
}

function workersOf(picture: Picture, recent: Run[]): Worker[] {
  const workers = new Map<string, Worker>();
  for (const {worker, takes, asked_at, room, running, runs: holds} of picture.workers) {
    const seen = Math.max(asked_at ? Date.parse(asked_at) : 0, ...holds.map((run) => Date.parse(run.started_at ?? picture.now)));
    workers.set(worker, {name: worker, takes: takes.map(queueWords), asks: asked_at !== null, room: room ?? undefined, running, holds, ended: 0, failed: 0, seen});
  }
  for (const run of recent) {
    if (!run.worker || !run.finished_at) continue;
    const worker = workers.get(run.worker) ?? {name: run.worker, takes: [], asks: false, room: undefined, running: 0, holds: [], ended: 0, failed: 0, seen: 0};
    workers.set(run.worker, worker);
    if (!worker.asks && !worker.takes.includes(run.job_type)) worker.takes.push(run.job_type);
    ++worker.ended;
    if (isBad(run.state)) ++worker.failed;
    worker.seen = Math.max(worker.seen, Date.parse(run.finished_at));
  }
  return [...workers.values()].sort((a, b) => b.running - a.running || Number(b.asks) - Number(a.asks) || b.seen - a.seen);
}

async function read(): Promise<News> {
  const from = new Date(Date.now() - DAY).toISOString();
  const [picture, recent] = await Promise.all([cluster.workers(), runs.list({from, limit: MOST_RUNS})]);
  return {at: Date.parse(picture.now), workers: workersOf(picture, recent.items), queues: queuesOf(picture), all: recent.next_cursor === null};
}

export default function Workers() {
  const {data, problem, reload} = useLoad('workers', read, {every: 5000, on: (news) => news.kind === 'runs', calm: 3000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={10} />;
  const busy = data.workers.filter((worker) => worker.running).length;
  const held = data.workers.reduce((sum, worker) => sum + worker.running, 0);
  return (
    <>
      <PageHead title="Workers" sub={`${busy === 0 ? 'None is busy' : `${busy} busy with ${held} ${held === 1 ? 'run' : 'runs'}`}. Ended and failed are those of ${data.all ? 'the last day' : 'the newest 1,000 runs'}.`} />
      <div class="stack">
        <Card title="Queues" flush>
          {data.queues.length === 0 ? <Empty title="Nothing waits, and nobody asks" /> : <Queues queues={data.queues} now={data.at} />}
        </Card>
        <Card title="Workers" flush>
          {data.workers.length === 0 ? (
            <Empty title="No worker has asked for runs">
              <p>A node on the embedded store runs commands itself. Elsewhere, start one:</p>
              <Command text="belfry worker" />
            </Empty>
          ) : (
            <WorkerTable workers={data.workers} />
          )}
        </Card>
      </div>
    </>
  );
}

function QueuePill({queue, now}: {queue: QueueState; now: number}) {
  const inVain = queue.waiting_since !== null && now - Date.parse(queue.waiting_since) > IN_VAIN_MS;
  if (queue.waiting > 0 && queue.kind === 'CHECKIN') return <Pill kind="wait">Not reported</Pill>;
  if (inVain && queue.running === 0 && !queue.asked_for) return <Pill kind="bad">No worker</Pill>;
  return inVain ? <Pill kind="late">Behind</Pill> : <Pill kind="ok">Served</Pill>;
}

const Queues = ({queues, now}: {queues: QueueState[]; now: number}) => (
  <div class="table"><table>
    <thead><tr><th>State</th><th>Queue</th><th class="num">Waiting</th><th>Oldest</th><th class="num c1">Running</th></tr></thead>
    <tbody>
      {queues.map((queue) => (
        <tr key={`${keyOf(queue)} ${queue.region}`}>
          <td><QueuePill queue={queue} now={now} /></td>
          <td class="max">
            {queue.kind === 'WORKER' || queue.kind === 'EXEC' ? <a class="name" href={`/jobs?type=${encodeURIComponent(queue.name)}`}>{queueWords(queue)}</a> : <span class="name">{queueWords(queue)}</span>}
            {queue.region && <span class="dim"> in {queue.region}</span>}
          </td>
          <td class="num">{queue.waiting.toLocaleString('en')}</td>
          <td>{queue.waiting_since ? <Countdown at={queue.waiting_since} /> : <span class="muted">none</span>}</td>
          <td class="num c1">{queue.running.toLocaleString('en')}</td>
        </tr>
      ))}
    </tbody>
  </table></div>
);

const WorkerTable = ({workers}: {workers: Worker[]}) => (
  <div class="table"><table>
    <thead><tr><th>State</th><th>Worker</th><th class="c2">Takes</th><th class="num c1">Free</th><th>Holds</th><th class="num c1">Ended</th><th class="num c1">Failed</th><th>Last seen<ZoneName /></th></tr></thead>
    <tbody>
      {workers.map((worker) => (
        <tr key={worker.name}>
          <td><Pill kind={worker.running ? 'run' : worker.asks ? 'ok' : 'off'}>{worker.running ? 'Busy' : worker.asks ? 'Idle' : 'Quiet'}</Pill></td>
          <td class="max name">{worker.name}</td>
          <td class="c2 tags">{worker.takes.slice(0, 4).map((queue) => <span key={queue} class="tag">{queue}</span>)}{worker.takes.length > 4 && <span class="muted"> +{worker.takes.length - 4}</span>}</td>
          <td class="num c1">{worker.room ?? ''}</td>
          <td class="max">{worker.running === 0 ? <span class="muted">nothing</span> : worker.holds.slice(0, 2).map((run) => <a key={run.run_id} class="tag" href={`/runs/${run.run_id}`}>{run.job_name}</a>)}{worker.running > 2 && <span class="muted"> +{worker.running - 2}</span>}</td>
          <td class="num c1">{worker.ended}</td>
          <td class={`num c1 ${worker.failed ? 'bad' : ''}`}>{worker.failed}</td>
          <td><Time at={worker.seen} seconds /></td>
        </tr>
      ))}
    </tbody>
  </table></div>
);
