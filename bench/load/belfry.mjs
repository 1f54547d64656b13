import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fire } from '../lib/fires.mjs';
import { cold, register, unlimited } from '../lib/jobs.mjs';
import { BelfryNode, withNode } from '../lib/node.mjs';
import { residentMiB, Window } from '../lib/processes.mjs';
import { query } from '../lib/servers.mjs';
import { rounded } from '../lib/statistics.mjs';
import { now, sleep, waitFor } from '../lib/time.mjs';

async function store(scene, stored) {
  return withNode(scene, async (node) => {
    await unlimited(node.rest);
    const begin = now();
    await register(node.rest, stored, cold);
    return Math.round((stored * 1000) / (now() - begin));
  });
}

export async function load(scene, { stored, seconds, fires }) {
  const rate = await store(scene, stored);
  await query(scene.url, 'vacuum analyze');
  await query(scene.url, 'checkpoint');
  const node = await BelfryNode.start(scene, scene.url);
  try {
    const all = async () => (await node.rest.metric('belfry_timetable_jobs')) >= stored;
    await waitFor('all jobs in the timetable', all, { limit: 900_000, pause: 50 });
    const loaded = rounded((now() - node.begin) / 1000, 3);
    const memory = Math.round(residentMiB(node.pid));
    await sleep(5_000);
    const window = new Window({ nodes: [node.pid], database: scene.database });
    await sleep(seconds * 1000);
    const used = window.end();
    const minute = rounded(((used.nodes + used.database) * 60) / seconds, 3);
    const { p99 } = await fire(scene, node, { way: 'rest', fires, seconds });
    return { rate, ready: rounded(node.readyMs / 1000, 3), loaded, memory, cpu_minute: minute, own: used.nodes, database: used.database, p99 };
  } finally {
    await node.stop();
  }
}

// Nobody can load the jobs before having read them.
export async function rawRead(scene, { stored }) {
  await store(scene, stored);
  await query(scene.url, 'vacuum analyze');
  const begin = now();
  await promisify(execFile)('psql', ['-X', '-c', 'copy jobs to stdout', '-o', '/dev/null', scene.url]);
  return { loaded: rounded((now() - begin) / 1000, 3) };
}
