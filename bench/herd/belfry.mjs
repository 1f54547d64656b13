import { everySoOften, once, range, register } from '../lib/jobs.mjs';
import { herdInLedger } from '../lib/ledger.mjs';
import { withNode } from '../lib/node.mjs';
import { query } from '../lib/servers.mjs';
import { rounded, spread } from '../lib/statistics.mjs';
import { now, sleep, sleepUntil, waitFor, wholeSecondAfter } from '../lib/time.mjs';
import { RestWorker, StreamWorker } from '../lib/workers.mjs';

// All jobs on one minute; how late the last of them starts.
export const minute = (scene, { jobs, way }) =>
  withNode(scene, async (node) => {
    const make = (index) => ({ job_name: `herd-${index}`, job_type: 'herd', schedule_type: 'CRON', cron_expression: '* * * * *' });
    if (now() % 60_000 > 40_000) await sleepUntil(Math.ceil(now() / 60_000) * 60_000 + 500);
    await register(node.rest, jobs, make);
    const due = Math.ceil(now() / 60_000) * 60_000;
    if (due - now() < 3_000) throw new Error('registering took too long for this minute');
    const lags = way === 'grpc' ? await byStream(scene, node, due, jobs) : await byPolls(node, due, jobs);
    return { ...lags, started: lags.n, last: lags.n < jobs ? null : rounded(lags.max / 1000, 3) };
  });

async function byPolls(node, minute, jobs) {
  const lags = [];
  const onRun = (due, arrived) => { if (due === minute) lags.push(arrived - due); };
  const worker = new RestWorker(node.address, { type: 'herd', polls: 8, most: 1000, onRun });
  await waitFor('the herd', () => lags.length >= jobs || now() > minute + 55_000, { limit: 180_000 });
  await worker.stop();
  return spread(lags);
}

async function byStream(scene, node, minute, jobs) {
  const order = { type: 'herd', streams: 4, credits: 1000, runs: jobs, from: minute, until: minute + 1 };
  const worker = await StreamWorker.start(scene, node.grpc, order);
  const { n, p50, p95, p99, max } = await worker.answer(180_000);
  return { n, p50, p95, p99, max };
}

const LATER = 1_000; // jobs of the herd's tenant that tick a second after it

// A huge herd of one tenant: how soon it is decided, whether it is drained in order, and what other tenants notice.
export const instant = (scene, { jobs, others }) =>
  withNode(scene, async (node) => {
    const { rest } = node;
    await rest.call('PUT', '/tenants/crowd', { max_jobs: 0, max_in_flight: 0, max_requests: 0 });
    const headers = { 'belfry-tenant': 'crowd' };
    const due = wholeSecondAfter(now() + 15_000 + jobs / 8);
    await register(rest, jobs, (index) => once(index, due, { job_type: 'herd' }), { headers });
    await register(rest, LATER, (index) => once(jobs + index, due + 1000, { job_type: 'herd' }), { headers });
    for (const tenant of range(others, (index) => `other-${index}`)) {
      await rest.call('PUT', `/tenants/${tenant}`, { max_in_flight: 0, max_requests: 0 });
      await register(rest, 10, (index) => everySoOften(index, due, 1, { job_type: 'other', concurrency_policy: 'ALLOW' }), {
        headers: { 'belfry-tenant': tenant },
      });
    }
    await query(scene.url, 'vacuum analyze');
    if (now() > due - 3_000) throw new Error('registering took longer than expected');
    const lags = [];
    const onRun = (at, arrived) => { if (at >= due) lags.push([at, arrived - at]); };
    const polls = new RestWorker(node.address, { type: 'other', polls: 8, most: 250, onRun });
    const order = { type: 'herd', streams: 4, credits: 1000, runs: jobs + LATER };
    const stream = await StreamWorker.start(scene, node.grpc, order);
    await stream.answer(900_000);
    const end = now();
    await sleep(3_000);
    await polls.stop();
    const meanwhile = lags.filter(([at]) => at < end).map(([, lag]) => lag);
    return { drained: rounded((end - due) / 1000, 2), others_p99: spread(meanwhile).p99, ...(await herdInLedger(scene, due)) };
  });
