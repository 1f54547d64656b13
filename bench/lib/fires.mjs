// A steady load: jobs that tick on whole seconds, and how late their runs reach a worker.
import { everySoOften, register } from './jobs.mjs';
import { Window } from './processes.mjs';
import { rounded, spread } from './statistics.mjs';
import { now, sleepUntil, wholeSecondAfter } from './time.mjs';
import { RestWorker, StreamWorker, WebhookSink } from './workers.mjs';

const WARM_UP = 8_000; // ms from the registration to the first tick that counts
const TAIL = 1_500; // ms for the last runs to arrive

// Many runs a second come in bigger handfuls; few must not all wait for one hand.
const handful = (fires) => Math.min(1000, Math.max(200, Math.ceil(fires / 60)));

// Each way starts what takes the runs of [from, until) and answers how to stop it and learn the lags.
const WAYS = {
  rest: async (scene, node, { from, until, fires, polls = 8 }) => {
    const lags = [];
    const onRun = (due, arrived) => { if (due >= from && due < until) lags.push(arrived - due); };
    const worker = new RestWorker(node.address, { type: 'tick', polls, most: handful(fires), onRun });
    return { job: { job_type: 'tick' }, stop: async () => { await worker.stop(); return spread(lags); } };
  },
  grpc: async (scene, node, { from, until, fires }) => {
    const order = { type: 'tick', streams: 2, credits: 1000, from, until };
    const worker = await StreamWorker.start(scene, node.grpc, order);
    const stop = async () => { const { n, p50, p95, p99, max } = await worker.stop(); return { n, p50, p95, p99, max }; };
    return { job: { job_type: 'tick' }, stop };
  },
  webhook: async (scene, node, { from, until }) => {
    const lags = [];
    const sink = await WebhookSink.start((due, arrived) => { if (due >= from && due < until) lags.push(arrived - due); });
    return { job: { target: { kind: 'HTTP', url: sink.url } }, stop: async () => { sink.stop(); return spread(lags); } };
  },
};

const registerAll = (rest, jobs, make) => register(rest, jobs, make);

// `fires` a minute for `seconds`, of jobs that tick every `period` seconds. `enroll(rest, jobs, make)` registers them,
// for which it has `lead` ms. `nodes` are those whose CPU counts.
export async function fire(scene, node, order) {
  const { way = 'rest', fires, seconds, period = 6, polls, nodes = [node], enroll = registerAll } = order;
  const jobs = Math.round((fires * period) / 60);
  const from = wholeSecondAfter(now() + WARM_UP + (order.lead ?? jobs / 5));
  const until = from + seconds * 1000;
  const worker = await WAYS[way](scene, node, { from, until, fires, polls });
  await enroll(node.rest, jobs, (index) => everySoOften(index, from, period, worker.job));
  if (now() > from - 1000) throw new Error('registering took longer than expected: the first ticks are late');
  await sleepUntil(from - 500);
  const window = new Window({ nodes: nodes.map(({ pid }) => pid), database: scene.database });
  await sleepUntil(until + TAIL);
  const used = window.end();
  const lags = await worker.stop();
  if (lags.n === 0) throw new Error('no run arrived');
  return { ...lags, expected: Math.round((fires * seconds) / 60), ...costs(used, lags.n) };
}

// CPU for 1,000 fires: of what schedules, and of its database.
export const costs = (used, fires, own = used.nodes) => ({
  cpu: rounded(((own + used.database) * 1000) / fires, 4),
  cpu_own: rounded((own * 1000) / fires, 4),
  cpu_database: rounded((used.database * 1000) / fires, 4),
});
