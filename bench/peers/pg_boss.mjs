// pg-boss, with the settings that its documentation names for speed. Half a second is its shortest poll.
import { PgBoss } from 'pg-boss';
import { costs } from '../lib/fires.mjs';
import { Window } from '../lib/processes.mjs';
import { query } from '../lib/servers.mjs';
import { rounded, Slices, spread } from '../lib/statistics.mjs';
import { now, sleep, sleepUntil, waitFor, wholeSecondAfter } from '../lib/time.mjs';
import { herdOf, inParts, instants, rateOf } from './common.mjs';

const POLL = { pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
const BIG = { ...POLL, batchSize: 1000, localConcurrency: 2 };
const SOON = { ...POLL, batchSize: 100, localConcurrency: 4 };

async function boss(scene, options = { schedule: false }) {
  const made = new PgBoss({ connectionString: scene.url, max: 20, ...options });
  made.on('error', (error) => console.error(`pg-boss: ${error.message}`));
  await made.start();
  await made.createQueue('q');
  return made;
}

const stop = (made) => made.stop({ graceful: false });
const analyze = (scene) => query(scene.url, 'vacuum analyze');
const later = () => new Date(Date.now() + 86_400_000 + Math.random() * 1e9);
const peerCost = (used, fires) => costs(used, fires, used.client);

export async function drain(scene, { runs }) {
  const queue = await boss(scene);
  await inParts(runs, (i) => ({ data: { i } }), (part) => queue.insert('q', part));
  await analyze(scene);
  let done = 0;
  const window = new Window({ database: scene.database });
  await queue.work('q', BIG, async (jobs) => { done += jobs.length; });
  await waitFor('all runs', () => done >= runs, { limit: 600_000 });
  const completed = async () => {
    const count = "select count(*)::int as n from pgboss.job where name = 'q' and state = 'completed'";
    return (await query(scene.url, count)).rows[0].n >= runs;
  };
  await waitFor('all confirmations', completed);
  const used = window.end();
  await stop(queue);
  return { rate: Math.round(runs / used.seconds), ...peerCost(used, runs) };
}

// Its schedules are by the minute, so each tick is stored beforehand.
export async function jitter(scene, { fires, seconds }) {
  const queue = await boss(scene);
  const from = wholeSecondAfter(now() + 8_000 + (fires * seconds) / 60 / 10);
  const ticks = [...instants(from, seconds, fires)];
  const job = (i) => ({ data: { due: ticks[i] }, startAfter: new Date(ticks[i]) });
  await inParts(ticks.length, job, (part) => queue.insert('q', part));
  await analyze(scene);
  const lags = [];
  await queue.work('q', SOON, async (jobs) => {
    const arrived = now();
    for (const { data } of jobs) lags.push(arrived - data.due);
  });
  await sleepUntil(from - 500);
  const window = new Window({ database: scene.database });
  await waitFor('all ticks', () => lags.length >= ticks.length || now() > from + seconds * 1000 + 20_000);
  const used = window.end();
  await stop(queue);
  return { ...spread(lags), expected: ticks.length, ...peerCost(used, lags.length) };
}

// With its shortest intervals; it forwards at most 50 schedules a second.
export async function herd(scene, { jobs }) {
  const quiet = await boss(scene);
  let next = 0;
  const lane = async () => { while (next < jobs) { const i = next++; await quiet.schedule('q', '* * * * *', { i }, { key: `s${i}` }); } };
  await Promise.all(Array.from({ length: 10 }, lane));
  await stop(quiet);
  await analyze(scene);
  await sleep((118_000 - (now() % 60_000)) % 60_000); // 2 s before a minute begins: its start fires the last one, too
  const minute = Math.ceil(now() / 60_000) * 60_000;
  const queue = await boss(scene, { cronMonitorIntervalSeconds: 1, cronWorkerIntervalSeconds: 1 });
  const first = new Map();
  await queue.work('q', { ...BIG, batchSize: 500 }, async (all) => {
    const arrived = now();
    if (arrived >= minute) for (const { data } of all) if (!first.has(data.i)) first.set(data.i, arrived - minute);
  });
  await waitFor('the herd', () => first.size >= jobs || now() > minute + 55_000);
  await stop(queue);
  const lags = [...first.values()];
  return herdOf(lags, jobs);
}

export async function enqueue(scene, { seconds }) {
  const queue = await boss(scene);
  const add = (i) => queue.send('q', { i }, { startAfter: later() });
  const many = () => queue.insert('q', Array.from({ length: 1000 }, (_, i) => ({ data: { i }, startAfter: later() })));
  const figures = {
    one: await rateOf(seconds, 1, add),
    concurrent: await rateOf(seconds, 10, add),
    batch: await rateOf(seconds, 4, many, 1000),
  };
  await stop(queue);
  return figures;
}

export async function schedule(scene, { seconds }) {
  const queue = await boss(scene);
  const add = (lane) => (i) => queue.schedule('q', '0 3 * * *', { i }, { key: `${lane}${i}`, tz: 'America/New_York' });
  const figures = { one: await rateOf(seconds, 1, add('a')), concurrent: await rateOf(seconds, 10, add('b')) };
  await stop(queue);
  return figures;
}

export async function idle(scene, { stored, seconds }) {
  const queue = await boss(scene);
  await inParts(stored, () => ({ data: {}, startAfter: later() }), (part) => queue.insert('q', part), 2500);
  await analyze(scene);
  await queue.work('q', SOON, async () => {});
  await sleep(3_000);
  const window = new Window({ database: scene.database });
  await sleep(seconds * 1000);
  const used = window.end();
  await stop(queue);
  return { cpu_minute: rounded(((used.client + used.database) * 60) / seconds, 3), database: used.database, own: used.client };
}

// `rate` jobs a second, stored a second before they are due.
export async function steady(scene, { rate, seconds, slice }) {
  const queue = await boss(scene);
  const begin = wholeSecondAfter(now() + 2_000);
  const slices = new Slices(begin, slice * 1000);
  await queue.work('q', { ...BIG, batchSize: 500 }, async (jobs) => {
    const arrived = now();
    for (const { data } of jobs) slices.add(arrived, arrived - data.due);
  });
  for (let due = begin; due < begin + seconds * 1000; due += 1000) {
    await sleepUntil(due - 1000);
    await inParts(rate, () => ({ data: { due }, startAfter: new Date(due) }), (part) => queue.insert('q', part));
  }
  await sleepUntil(begin + seconds * 1000 + 2_000);
  const curve = slices.rows(begin + seconds * 1000);
  await stop(queue);
  return curve;
}
