// BullMQ on Redis, one worker with a concurrency of 100.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { costs } from '../lib/fires.mjs';
import { Window } from '../lib/processes.mjs';
import { rounded, spread } from '../lib/statistics.mjs';
import { now, sleep, sleepUntil, waitFor } from '../lib/time.mjs';
import { herdOf, inParts, rateOf } from './common.mjs';

const connection = (scene) => ({ host: '127.0.0.1', port: scene.redis, maxRetriesPerRequest: null });
const keep = { removeOnComplete: true, removeOnFail: true };
const later = () => ({ delay: Math.round(86_400_000 + Math.random() * 1e9), ...keep });
const dueOf = (job) => +job.id.split(':').pop(); // repeat:<scheduler>:<milliseconds>
const peerCost = (used, fires) => costs(used, fires, used.client);

async function fresh(scene) {
  const admin = new Redis({ host: '127.0.0.1', port: scene.redis });
  await admin.flushall();
  admin.disconnect();
  const queue = new Queue('q', { connection: connection(scene) });
  await queue.waitUntilReady();
  return queue;
}

const hire = (scene, work) => new Worker('q', work, { connection: connection(scene), concurrency: 100 });

const recurring = (queue, name, pattern) =>
  queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name: 'tick', data: {}, opts: keep });

export async function drain(scene, { runs }) {
  const queue = await fresh(scene);
  await inParts(runs, (i) => ({ name: 'noop', data: { i }, opts: keep }), (part) => queue.addBulk(part));
  let done = 0;
  const window = new Window({ database: scene.database });
  const worker = hire(scene, async () => {});
  worker.on('completed', () => { done++; });
  await waitFor('all runs', () => done >= runs, { limit: 600_000 });
  const used = window.end();
  await worker.close();
  await queue.close();
  return { rate: Math.round(runs / used.seconds), ...peerCost(used, runs) };
}

export async function jitter(scene, { fires, seconds }) {
  const queue = await fresh(scene);
  let from = Infinity;
  const lags = [];
  const worker = hire(scene, async (job) => {
    const due = dueOf(job);
    if (due >= from && due < from + seconds * 1000) lags.push(now() - due);
  });
  const jobs = Math.round(fires / 10);
  await inParts(jobs, (i) => i, (part) => Promise.all(part.map((i) => recurring(queue, `j${i}`, `${i % 6}/6 * * * * *`))));
  await sleep(8_000);
  from = Math.ceil((now() + 1000) / 6000) * 6000;
  await sleepUntil(from - 500);
  const window = new Window({ database: scene.database });
  await sleepUntil(from + seconds * 1000 + 1_500);
  const used = window.end();
  await worker.close();
  await queue.close();
  return { ...spread(lags), expected: Math.round((fires * seconds) / 60), ...peerCost(used, lags.length) };
}

export async function herd(scene, { jobs }) {
  const queue = await fresh(scene);
  await inParts(jobs, (i) => i, (part) => Promise.all(part.map((i) => recurring(queue, `b${i}`, '* * * * *'))), 500);
  await sleep((100_000 - (now() % 60_000)) % 60_000); // 20 s before a minute begins
  const minute = Math.ceil(now() / 60_000) * 60_000;
  const lags = [];
  const worker = hire(scene, async (job) => { if (dueOf(job) === minute) lags.push(now() - minute); });
  await waitFor('the herd', () => lags.length >= jobs || now() > minute + 55_000);
  await worker.close();
  await queue.close();
  return herdOf(lags, jobs);
}

export async function enqueue(scene, { seconds }) {
  const queue = await fresh(scene);
  const add = (i) => queue.add('noop', { i }, later());
  const many = () => queue.addBulk(Array.from({ length: 1000 }, (_, i) => ({ name: 'noop', data: { i }, opts: later() })));
  const figures = {
    one: await rateOf(seconds, 1, add),
    concurrent: await rateOf(seconds, 50, add),
    batch: await rateOf(seconds, 4, many, 1000),
  };
  await queue.close();
  return figures;
}

export async function schedule(scene, { seconds }) {
  const queue = await fresh(scene);
  const how = { pattern: '0 3 * * *', tz: 'America/New_York' };
  const add = (lane) => (i) => queue.upsertJobScheduler(`${lane}${i}`, how, { name: 'noop', data: { i }, opts: keep });
  const figures = { one: await rateOf(seconds, 1, add('a')), concurrent: await rateOf(seconds, 50, add('b')) };
  await queue.close();
  return figures;
}

export async function idle(scene, { stored, seconds }) {
  const queue = await fresh(scene);
  await inParts(stored, () => ({ name: 'noop', data: {}, opts: later() }), (part) => queue.addBulk(part), 2000);
  const worker = hire(scene, async () => {});
  await sleep(3_000);
  const window = new Window({ database: scene.database });
  await sleep(seconds * 1000);
  const used = window.end();
  await worker.close();
  await queue.close();
  return { cpu_minute: rounded(((used.client + used.database) * 60) / seconds, 3), database: used.database, own: used.client };
}
