import { belfry, peer, redisPeer } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { jobs: 300, million: 5_000, others: 5 },
  full: { jobs: 10_000, million: 1_000_000, others: 20 },
});
const { jobs, million, others } = options.settings;
const herd = { jobs };
const crowd = { jobs: million, others };

await ask({
  bench: 'herd',
  question: 'How soon has a herd of jobs on one moment started?',
  options,
  measures: {
    last: { title: 'last start s', better: 'low', digits: 2 },
    p50: { title: 'p50 ms', better: 'low', digits: 0 },
    started: { title: 'started', better: 'high', digits: 0 },
    decided: { title: 'decided s', better: 'low', digits: 2 },
    drained: { title: 'drained s', better: 'low', digits: 1 },
    others_p99: { title: 'others p99 ms', better: 'low', digits: 1 },
    in_order: { title: 'in order %', better: 'high', digits: 1 },
  },
  parts: [
    {
      name: `${jobs.toLocaleString('en')} jobs on one minute`,
      goals: ['Belfry, REST pull', 'Belfry, gRPC stream'].map((who) => ({ who, measure: 'last', limit: 0.25 })),
      contestants: [
        belfry('Belfry, REST pull', 'herd/belfry.mjs', 'minute', { ...herd, way: 'rest' }),
        belfry('Belfry, gRPC stream', 'herd/belfry.mjs', 'minute', { ...herd, way: 'grpc' }),
        peer('graphile-worker', 'peers/graphile_worker.mjs', 'herd', herd, 'a crontab; localQueue 500'),
        peer('pg-boss', 'peers/pg_boss.mjs', 'herd', herd, 'schedules; its shortest intervals: it forwards 50 a second'),
        redisPeer('BullMQ', 'peers/bullmq.mjs', 'herd', herd, 'job schedulers; concurrency 100'),
      ],
    },
    {
      name: `${million.toLocaleString('en')} jobs of one tenant at one instant, beside ${others} tenants with 10 runs a second each`,
      goals: [
        { who: 'Belfry, gRPC stream', measure: 'decided', limit: 15 },
        { who: 'Belfry, gRPC stream', measure: 'others_p99', limit: 50 },
        { who: 'Belfry, gRPC stream', measure: 'in_order', limit: 99 },
      ],
      contestants: [belfry('Belfry, gRPC stream', 'herd/belfry.mjs', 'instant', crowd, '4 streams for the herd, REST pull for the others')],
    },
  ],
});
