import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { costs } from '../lib/fires.mjs';
import { once, register, unlimited } from '../lib/jobs.mjs';
import { withNode } from '../lib/node.mjs';
import { Window } from '../lib/processes.mjs';
import { query } from '../lib/servers.mjs';
import { now, sleep, waitFor, wholeSecondAfter } from '../lib/time.mjs';
import { RestWorker, StreamWorker } from '../lib/workers.mjs';

// Jobs that all tick at one moment, and nobody who takes their runs. They have ticked for the last time, and are COMPLETED
// by then: with a real backlog that is long over.
export async function backlog(scene, node, runs) {
  await unlimited(node.rest);
  const due = wholeSecondAfter(now() + 5_000 + runs / 5);
  await register(node.rest, runs, (index) => once(index, due, { job_type: 'backlog' }));
  await node.decided(runs);
  const active = async () => (await query(scene.url, 'select exists (select from jobs where status = 0) as yes')).rows[0].yes;
  await waitFor('completed jobs', async () => !(await active()), { pause: 250, limit: 600_000 });
  await query(scene.url, 'vacuum analyze'); // as autovacuum would have, by the time of a real backlog
  await sleep(1_000);
}

const figures = (used, done, runs) => {
  if (done < runs) throw new Error(`${done} of ${runs} runs were confirmed`);
  return { rate: Math.round(runs / used.seconds), ...costs(used, runs), client: used.client };
};

export const grpc = (scene, { runs, streams, credits }) =>
  withNode(scene, async (node) => {
    await backlog(scene, node, runs);
    const window = new Window({ nodes: [node.pid], database: scene.database });
    const worker = await StreamWorker.start(scene, node.grpc, { type: 'backlog', streams, credits, runs });
    const { done, seconds, cpu } = await worker.answer();
    return figures({ ...window.end(), seconds, client: cpu }, done, runs);
  });

export const rest = (scene, { runs, polls, most }) =>
  withNode(scene, async (node) => {
    await backlog(scene, node, runs);
    const window = new Window({ nodes: [node.pid], database: scene.database });
    const worker = new RestWorker(node.address, { type: 'backlog', polls, most });
    await waitFor('all runs', () => worker.confirmed >= runs, { limit: 600_000, pause: 2 });
    const used = window.end();
    await worker.stop();
    return figures(used, worker.confirmed, runs);
  });

export async function inProcess(scene, { runs, workers, slots }) {
  const file = path.join(fs.mkdtempSync(path.join(scene.scratch, 'sqlite-')), 'belfry.db');
  const words = [runs, workers, slots, file].map(String);
  const { stdout } = await promisify(execFile)(scene.programs.inProcess, words);
  fs.rmSync(path.dirname(file), { recursive: true });
  const { done, rate, cpu } = JSON.parse(stdout);
  if (done < runs) throw new Error(`${done} of ${runs} runs were confirmed`);
  return { rate: Math.round(rate), cpu: (cpu * 1000) / runs };
}
