import { cold, everySoOften, register, unlimited } from '../lib/jobs.mjs';
import { latest } from '../lib/ledger.mjs';
import { BelfryNode, withNode } from '../lib/node.mjs';
import { query } from '../lib/servers.mjs';
import { rounded } from '../lib/statistics.mjs';
import { now, sleep } from '../lib/time.mjs';
import { RestWorker } from '../lib/workers.mjs';

const TAIL = 3_000; // ms that a run may take until it is in the ledger

export const failover = (scene, { stored, jobs, settle }) =>
  withNode(scene, async (first) => {
    await unlimited(first.rest);
    await register(first.rest, stored, cold);
    const every = { job_type: 'every', concurrency_policy: 'ALLOW' };
    await register(first.rest, jobs, (index) => everySoOften(index, now(), 1, every));
    await query(scene.url, 'vacuum analyze');
    const worker = new RestWorker(first.address, { type: 'every', polls: 4, most: 500 });
    await sleep(5_000);
    const seen = [];
    const watch = async (change) => {
      const from = now();
      const outcome = await change();
      await sleep(settle * 1000 + TAIL);
      const found = await latest(scene, 'every', from, now() - TAIL);
      if (found.runs === 0) throw new Error('no tick was decided');
      seen.push(found);
      return [found.latest, outcome];
    };
    const start = (name) => BelfryNode.start(scene, scene.url, { name });
    const [join, [second, third]] = await watch(() => Promise.all([start('second'), start('third')]));
    const [kill] = await watch(async () => second.kill());
    const [rejoin, again] = await watch(() => start('second'));
    const [leave] = await watch(() => third.stop());
    await worker.stop();
    await again.stop();
    const sum = (name) => seen.reduce((total, found) => total + found[name], 0);
    return { join, kill, rejoin, leave, late: rounded((100 * sum('late')) / sum('runs'), 3), runs: sum('runs') };
  }, { name: 'first' });
