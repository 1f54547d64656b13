// graphile-worker, with the settings that its documentation names for speed.
import { Logger, makeWorkerUtils, parseCronItems, run } from 'graphile-worker';
import { costs } from '../lib/fires.mjs';
import { Window } from '../lib/processes.mjs';
import { query } from '../lib/servers.mjs';
import { rounded, Slices, spread } from '../lib/statistics.mjs';
import { now, sleep, sleepUntil, waitFor, wholeSecondAfter } from '../lib/time.mjs';
import { herdOf, inParts, instants, rateOf } from './common.mjs';

const MANY = { concurrentJobs: 24, maxPoolSize: 26 };
const BATCHED = { ...MANY, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const SOON = { ...MANY, pollInterval: 100 };

const base = (scene) => ({ connectionString: scene.url, logger: new Logger(() => () => {}), noHandleSignals: true });

async function utils(scene) {
  const made = await makeWorkerUtils(base(scene));
  await made.migrate();
  return made;
}

const start = (scene, taskList, worker, parsedCronItems = []) =>
  run({ taskList, parsedCronItems, preset: { worker: { ...base(scene), ...worker } } });

const analyze = (scene) => query(scene.url, 'vacuum analyze graphile_worker._private_jobs');
const later = () => new Date(Date.now() + 86_400_000 + Math.random() * 1e9);
const peerCost = (used, fires) => costs(used, fires, used.client);

export async function drain(scene, { runs }) {
  const queue = await utils(scene);
  const due = new Date(Date.now() - 60_000);
  await inParts(runs, (i) => ({ identifier: 'noop', payload: { i }, runAt: due }), (part) => queue.addJobs(part));
  await analyze(scene);
  let done = 0;
  let finish;
  const all = new Promise((finished) => { finish = finished; });
  const window = new Window({ database: scene.database });
  const runner = await start(scene, { noop: async () => { if (++done === runs) finish(); } }, BATCHED);
  await all;
  await runner.stop(); // which waits until all is confirmed
  const used = window.end();
  const { rows } = await query(scene.url, 'select count(*)::int as left from graphile_worker._private_jobs');
  if (rows[0].left > 0) throw new Error(`${rows[0].left} jobs are left`);
  await queue.release();
  return { rate: Math.round(runs / used.seconds), ...peerCost(used, runs) };
}

// Recurring jobs would be a static crontab by the minute, so each tick is stored beforehand.
export async function jitter(scene, { fires, seconds }) {
  const queue = await utils(scene);
  const from = wholeSecondAfter(now() + 8_000 + (fires * seconds) / 60 / 10);
  const ticks = [...instants(from, seconds, fires)];
  const job = (i) => ({ identifier: 'tick', payload: { due: ticks[i] }, runAt: new Date(ticks[i]) });
  await inParts(ticks.length, job, (part) => queue.addJobs(part));
  await analyze(scene);
  const lags = [];
  const runner = await start(scene, { tick: async ({ due }) => { lags.push(now() - due); } }, SOON);
  await sleepUntil(from - 500);
  const window = new Window({ database: scene.database });
  await waitFor('all ticks', () => lags.length >= ticks.length || now() > from + seconds * 1000 + 20_000);
  const used = window.end();
  await runner.stop();
  await queue.release();
  return { ...spread(lags), expected: ticks.length, ...peerCost(used, lags.length) };
}

export async function herd(scene, { jobs }) {
  const queue = await utils(scene);
  const items = Array.from({ length: jobs }, (_, i) => ({ task: 'tick', match: '* * * * *', identifier: `s${i}` }));
  await sleep((100_000 - (now() % 60_000)) % 60_000); // 20 s before a minute begins
  const minute = Math.ceil(now() / 60_000) * 60_000;
  const lags = [];
  const tick = async ({ _cron }) => { if (Date.parse(_cron.ts) === minute) lags.push(now() - minute); };
  const runner = await start(scene, { tick }, BATCHED, parseCronItems(items));
  await waitFor('the herd', () => lags.length >= jobs || now() > minute + 55_000);
  await runner.stop();
  await queue.release();
  return herdOf(lags, jobs);
}

export async function enqueue(scene, { seconds }) {
  const queue = await utils(scene);
  const add = (i) => queue.addJob('noop', { i }, { runAt: later() });
  const many = () => queue.addJobs(Array.from({ length: 1000 }, (_, i) => ({ identifier: 'noop', payload: { i }, runAt: later() })));
  const figures = {
    one: await rateOf(seconds, 1, add),
    concurrent: await rateOf(seconds, 10, add),
    batch: await rateOf(seconds, 4, many, 1000),
  };
  await queue.release();
  return figures;
}

export async function idle(scene, { stored, seconds }) {
  const queue = await utils(scene);
  const job = () => ({ identifier: 'tick', payload: {}, runAt: later() });
  await inParts(stored, job, (part) => queue.addJobs(part), 2500);
  await analyze(scene);
  const runner = await start(scene, { tick: async () => {} }, SOON);
  await sleep(3_000);
  const window = new Window({ database: scene.database });
  await sleep(seconds * 1000);
  const used = window.end();
  await runner.stop();
  await queue.release();
  return { cpu_minute: rounded(((used.client + used.database) * 60) / seconds, 3), database: used.database, own: used.client };
}

// `rate` jobs a second, stored a second before they are due.
export async function steady(scene, { rate, seconds, slice }) {
  const queue = await utils(scene);
  const begin = wholeSecondAfter(now() + 2_000);
  const slices = new Slices(begin, slice * 1000);
  const runner = await start(scene, { tick: async ({ due }) => { slices.add(now(), now() - due); } }, { ...BATCHED, pollInterval: 100 });
  for (let due = begin; due < begin + seconds * 1000; due += 1000) {
    await sleepUntil(due - 1000);
    await inParts(rate, () => ({ identifier: 'tick', payload: { due }, runAt: new Date(due) }), (part) => queue.addJobs(part));
  }
  await sleepUntil(begin + seconds * 1000 + 2_000);
  const curve = slices.rows(begin + seconds * 1000);
  await runner.stop();
  await queue.release();
  return curve;
}
