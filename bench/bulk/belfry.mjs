import { cold, everySoOften, register, unlimited } from '../lib/jobs.mjs';
import { latest } from '../lib/ledger.mjs';
import { withNode } from '../lib/node.mjs';
import { query } from '../lib/servers.mjs';
import { rounded } from '../lib/statistics.mjs';
import { now, sleep, waitFor } from '../lib/time.mjs';
import { RestWorker } from '../lib/workers.mjs';

const TAIL = 2_000; // ms that a run may take until it is in the ledger
const QUIET = 5_000; // ms of ticks without bulk work, to compare with

// One call on all jobs of type `cold`; jobs a second from the call to the end of the work.
async function act(rest, jobs, body) {
  const begun = await rest.call('POST', '/jobs:bulk', { selector: { job_type: 'cold' }, ...body });
  const over = async () => {
    const work = await rest.call('GET', `/bulk/${begun.bulk_id}`);
    return work.state === 'DONE' ? work : null;
  };
  const work = await waitFor(`the end of ${body.action}`, over, { limit: 600_000, pause: 20 });
  if (work.done !== jobs) throw new Error(`${body.action}: ${work.done} of ${jobs} jobs were changed`);
  return (jobs * 1000) / (Date.parse(work.finished_at) - Date.parse(work.created_at));
}

// `stored` jobs that are acted on, beside `others` that tick every second.
export const bulk = (scene, { stored, others }) =>
  withNode(scene, async (node) => {
    await unlimited(node.rest);
    await register(node.rest, stored, cold);
    const every = { job_type: 'every', concurrency_policy: 'ALLOW' };
    await register(node.rest, others, (index) => everySoOften(index, now(), 1, every));
    await query(scene.url, 'vacuum analyze');
    const worker = new RestWorker(node.address, { type: 'every', polls: 4, most: 500 });
    await sleep(QUIET);
    const quiet = await latest(scene, 'every', now() - QUIET + 1_000, now() - 1_000);
    const from = now();
    const figures = {};
    for (const body of [{ action: 'pause' }, { action: 'resume' }, { action: 'label', set: { team: 'x' } }, { action: 'delete' }]) {
      figures[body.action] = rounded(await act(node.rest, stored, body), 0);
    }
    const until = now();
    await sleep(TAIL);
    const beside = await latest(scene, 'every', from, until);
    await worker.stop();
    const { rows } = await query(scene.url, "select count(*) as rows from audit where object like 'job:%' and action <> 'job.create'");
    if (+rows[0].rows !== 4 * stored) throw new Error(`the audit has ${rows[0].rows} rows, not ${4 * stored}`);
    return { ...figures, quiet: rounded(quiet.latest * 1000, 1), beside: rounded(beside.latest * 1000, 1) };
  });
