// The least that a durable tick can take: a timer, and one statement that writes the runs of a second as claimed ones.
import pg from 'pg';
import { costs } from '../lib/fires.mjs';
import { range } from '../lib/jobs.mjs';
import { Window } from '../lib/processes.mjs';
import { spread } from '../lib/statistics.mjs';
import { now, sleepUntil, wholeSecondAfter } from '../lib/time.mjs';

const TABLE = `create table runs(
  id bigserial primary key, job_id bigint not null, scheduled_for timestamptz not null, state smallint not null,
  claimed_by int, claimed_at timestamptz, unique (job_id, scheduled_for))`;
const WRITE = `insert into runs(job_id, scheduled_for, state, claimed_by, claimed_at)
  select job, to_timestamp($2), 1, 1, now() from unnest($1::bigint[]) job returning id`;

export async function jitter(scene, { fires, seconds }) {
  const client = new pg.Client({ connectionString: scene.url });
  await client.connect();
  await client.query(TABLE);
  const jobs = range(Math.round(fires / 60), (index) => index); // of one second
  const lags = [];
  const from = wholeSecondAfter(now() + 2_000);
  const window = new Window({ database: scene.database });
  for (let due = from; due < from + seconds * 1000; due += 1000) {
    await sleepUntil(due);
    await client.query({ name: 'write', text: WRITE, values: [jobs, due / 1000] });
    const lag = now() - due;
    for (const _ of jobs) lags.push(lag);
  }
  const used = window.end();
  await client.end();
  return { ...spread(lags), expected: Math.round((fires * seconds) / 60), ...costs(used, lags.length, used.client) };
}
