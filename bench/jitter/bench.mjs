import { belfry, peer, raw, redisPeer } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { fires: 1_000, many: 6_000, seconds: 6 },
  full: { fires: 10_000, many: 100_000, seconds: 60 },
});
const { fires, many, seconds } = options.settings;
const one = { fires, seconds };

const own = (who, way, load) => belfry(who, 'jitter/belfry.mjs', 'jitter', { way, ...load });
const WAYS = { rest: 'Belfry, REST pull', grpc: 'Belfry, gRPC stream', webhook: 'Belfry, webhooks' };
const ways = (load) => Object.entries(WAYS).map(([way, who]) => own(who, way, load));
const goals = (p99) => Object.values(WAYS).map((who) => ({ who, measure: 'p99', limit: p99 }));
const costs = Object.values(WAYS).map((who) => ({ who, measure: 'cpu', limit: 0.06 }));

await ask({
  bench: 'jitter',
  question: 'How late does a run reach its worker, and what does it cost?',
  options,
  measures: {
    p99: { title: 'p99 ms', better: 'low', digits: 1 },
    p50: { title: 'p50 ms', better: 'low', digits: 1 },
    max: { title: 'max ms', better: 'low', digits: 1 },
    cpu: { title: 'CPU s for 1,000', better: 'low', digits: 3 },
    n: { title: 'arrived', better: 'high', digits: 0 },
  },
  parts: [
    {
      name: `${fires.toLocaleString('en')} fires a minute`,
      goals: [...goals(8), ...costs],
      contestants: [
        ...ways(one),
        peer('graphile-worker', 'peers/graphile_worker.mjs', 'jitter', one, 'ticks stored beforehand; pollInterval 100, concurrentJobs 24'),
        peer('pg-boss', 'peers/pg_boss.mjs', 'jitter', one, 'ticks stored beforehand; poll 0.5 s (its minimum), batchSize 100, localConcurrency 4'),
        redisPeer('BullMQ', 'peers/bullmq.mjs', 'jitter', one, 'job schedulers; concurrency 100, AOF everysec'),
        raw('bare PostgreSQL', 'raw/tick.mjs', 'jitter', one, 'a timer and one insert a second'),
      ],
    },
    {
      name: `${many.toLocaleString('en')} fires a minute`,
      goals: goals(25),
      contestants: [
        ...ways({ fires: many, seconds }),
        raw('bare PostgreSQL', 'raw/tick.mjs', 'jitter', { fires: many, seconds }, 'a timer and one insert a second'),
      ],
    },
  ],
});
