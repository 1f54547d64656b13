import { belfry, peer, raw } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { fires: 1_000, seconds: 4, runs: 2_000, register: 1 },
  full: { fires: 6_000, seconds: 12, runs: 30_000, register: 2 },
});
const { fires, seconds, runs, register } = options.settings;
const steady = { fires, seconds };

await ask({
  bench: 'quick',
  question: 'Has a main ratio moved?',
  options,
  rounds: 2,
  measures: {
    p50: { title: 'p50 ms', better: 'low', digits: 1 },
    cpu: { title: 'CPU s for 1,000', better: 'low', digits: 3 },
    rate: { title: 'runs/s', better: 'high', digits: 0 },
    one: { title: 'one client/s', better: 'high', digits: 0 },
    concurrent: { title: 'in flight/s', better: 'high', digits: 0 },
    batch: { title: 'batches/s', better: 'high', digits: 0 },
  },
  parts: [
    {
      name: 'jitter',
      compare: ['p50', 'cpu'],
      rounds: 1, // it takes longest
      contestants: [
        belfry('REST pull', 'jitter/belfry.mjs', 'jitter', { way: 'rest', ...steady }),
        belfry('gRPC stream', 'jitter/belfry.mjs', 'jitter', { way: 'grpc', ...steady }),
        raw('bare PostgreSQL', 'raw/tick.mjs', 'jitter', steady),
      ],
    },
    {
      name: 'drain',
      compare: ['rate'],
      contestants: [
        belfry('gRPC stream', 'drain/belfry.mjs', 'grpc', { runs, streams: 4, credits: 1000 }),
        belfry('REST pull', 'drain/belfry.mjs', 'rest', { runs, polls: 8, most: 1000 }),
        peer('graphile-worker', 'peers/graphile_worker.mjs', 'drain', { runs }),
        raw('bare PostgreSQL', 'raw/programs.mjs', 'drain', { runs }),
      ],
    },
    {
      name: 'register',
      compare: ['one', 'concurrent', 'batch'],
      contestants: [
        belfry('REST', 'register/belfry.mjs', 'register', { seconds: register }),
        raw('bare PostgreSQL', 'raw/programs.mjs', 'insert', { seconds: register }),
      ],
    },
  ],
});
