import { belfry, peer, raw, redisPeer } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), { small: { seconds: 1 }, full: { seconds: 5 } });
const { seconds } = options.settings;
const args = { seconds };
const goal = (measure, limit) => ({ who: 'Belfry, REST', measure, limit });

await ask({
  bench: 'register',
  question: 'How fast are jobs registered?',
  options,
  measures: {
    one: { title: 'one client/s', better: 'high', digits: 0 },
    concurrent: { title: 'in flight/s', better: 'high', digits: 0 },
    batch: { title: 'batches/s', better: 'high', digits: 0 },
  },
  parts: [
    {
      name: 'recurring jobs',
      goals: [goal('one', 3_000), goal('concurrent', 8_000), goal('batch', 70_000)],
      contestants: [
        belfry('Belfry, REST', 'register/belfry.mjs', 'register', args, '32 in flight; 2 batches of 10,000'),
        peer('pg-boss', 'peers/pg_boss.mjs', 'schedule', args, 'schedule, 10 in flight; no batches'),
        redisPeer('BullMQ', 'peers/bullmq.mjs', 'schedule', args, 'upsertJobScheduler, 50 in flight; no batches'),
        raw('bare PostgreSQL', 'raw/programs.mjs', 'insert', args, 'narrow rows; 8 connections; 4 with batches of 1,000'),
      ],
    },
    {
      name: 'jobs that run once, later',
      contestants: [
        belfry('Belfry, REST', 'register/belfry.mjs', 'registerOnce', args, '32 in flight; 2 batches of 10,000'),
        peer('graphile-worker', 'peers/graphile_worker.mjs', 'enqueue', args, '10 in flight; 4 batches of 1,000'),
        peer('pg-boss', 'peers/pg_boss.mjs', 'enqueue', args, '10 in flight; 4 batches of 1,000'),
        redisPeer('BullMQ', 'peers/bullmq.mjs', 'enqueue', args, '50 in flight; 4 batches of 1,000'),
      ],
    },
  ],
});
