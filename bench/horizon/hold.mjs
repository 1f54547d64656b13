// A steady load beside what databases suffer from: a transaction that holds its snapshot, so that nothing which died
// since can be cleaned up; and tables that were never analyzed, so that the planner guesses.
import pg from 'pg';
import { query } from '../lib/servers.mjs';
import { rounded } from '../lib/statistics.mjs';
import { sleep } from '../lib/time.mjs';
import { steady as graphile } from '../peers/graphile_worker.mjs';
import { steady as boss } from '../peers/pg_boss.mjs';
import { steady as belfry } from './belfry.mjs';

const LOADS = { belfry, graphile, boss };

export async function openTransaction(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select pg_current_xact_id(), count(*) from pg_class');
  return { close: () => client.query('rollback').then(() => client.end()) };
}

// The calm before it, beside the last tenth of it.
export async function hold(scene, { who, rate, before, held, after, slice }) {
  const load = LOADS[who](scene, { rate, seconds: before + held + after, slice });
  const disturb = async () => {
    await sleep((before + 2) * 1000); // the load begins about 2 s from now
    const transaction = await openTransaction(scene.url);
    await sleep(held * 1000);
    await transaction.close();
  };
  const [curve] = await Promise.all([load, disturb()]);
  const calm = within(curve, before / 2, before);
  const end = within(curve, before + held * 0.9 - 1, before + held);
  return { ...beside(calm, end), curve };
}

// The same load twice: on tables that are analyzed again and again, and on tables that never are.
export async function neverAnalyzed(scene, { who, rate, seconds, slice }) {
  const order = { rate, seconds, slice };
  await query(scene.url, 'create database analyzed');
  const other = { ...scene, url: scene.url.replace(/[^/]*$/, 'analyzed') };
  let over = false;
  const care = async () => {
    while (!over) {
      await query(other.url, 'vacuum analyze');
      await sleep(5_000);
    }
  };
  const [good] = await Promise.all([LOADS[who](other, order).finally(() => { over = true; }), care()]);
  await query(scene.url, 'drop database analyzed with (force)');
  const bad = await LOADS[who](scene, order);
  return { ...beside(within(good, seconds / 2, seconds), within(bad, seconds / 2, seconds)), curve: bad };
}

const within = (curve, from, until) => curve.filter(({ second }) => second >= from && second < until);

const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

// Two stretches of a curve: the medians of their slices, and how much worse the second is.
export function beside(calm, bad) {
  const of = (rows, name) => middle(rows.map((row) => row[name]).filter((value) => value !== null));
  const figures = { rate_before: of(calm, 'rate'), rate_held: of(bad, 'rate'), p99_before: of(calm, 'p99'), p99_held: of(bad, 'p99') };
  return {
    ...figures,
    later: figures.p99_held === null ? null : rounded(figures.p99_held / figures.p99_before, 3),
    slower: rounded(figures.rate_before / Math.max(figures.rate_held, 0.1), 3),
  };
}
