import { everySoOften, register } from '../lib/jobs.mjs';
import { withNode } from '../lib/node.mjs';
import { Slices } from '../lib/statistics.mjs';
import { now, sleepUntil, wholeSecondAfter } from '../lib/time.mjs';
import { RestWorker } from '../lib/workers.mjs';

// `rate` jobs that tick every second.
export const steady = (scene, { rate, seconds, slice }) =>
  withNode(scene, async (node) => {
    const begin = wholeSecondAfter(now() + 2_000);
    const slices = new Slices(begin, slice * 1000);
    const onRun = (due, arrived) => slices.add(arrived, arrived - due);
    const worker = new RestWorker(node.address, { type: 'tick', polls: 8, most: 500, onRun });
    const job = { job_type: 'tick', concurrency_policy: 'ALLOW' };
    await register(node.rest, rate, (index) => everySoOften(index, begin, 1, job));
    await sleepUntil(begin + seconds * 1000 + 2_000);
    const curve = slices.rows(begin + seconds * 1000);
    await worker.stop();
    return curve;
  });
