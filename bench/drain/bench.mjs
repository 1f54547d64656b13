import { belfry, belfryAlone, peer, raw, rawAlone, redisPeer } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { runs: 5_000, slow: 3_000 },
  full: { runs: 200_000, slow: 50_000 },
});
const { runs, slow } = options.settings; // what drains slowly has fewer to drain

const own = 'drain/belfry.mjs';

await ask({
  bench: 'drain',
  question: 'How fast is a backlog worked off, to the last confirmation?',
  options,
  measures: {
    rate: { title: 'runs/s', better: 'high', digits: 0 },
    cpu: { title: 'CPU s for 1,000', better: 'low', digits: 3 },
  },
  parts: [{
    name: `a backlog of ${runs.toLocaleString('en')}`,
    goals: [
      { who: 'Belfry, gRPC stream', measure: 'rate', limit: 60_000 },
      { who: 'Belfry, REST', measure: 'rate', limit: 45_000 },
    ],
    contestants: [
      belfry('Belfry, gRPC stream', own, 'grpc', { runs, streams: 4, credits: 1000 }, 'a C++ worker, 4 streams, 1,000 credits each'),
      belfry('Belfry, REST', own, 'rest', { runs, polls: 8, most: 1000 }, 'a worker in Node, 8 polls for 1,000 each'),
      peer('graphile-worker', 'peers/graphile_worker.mjs', 'drain', { runs }, 'concurrentJobs 24, localQueue 500, completions batched'),
      peer('pg-boss', 'peers/pg_boss.mjs', 'drain', { runs }, 'batchSize 1000, localConcurrency 2, burstWhenBatchFull'),
      redisPeer('BullMQ', 'peers/bullmq.mjs', 'drain', { runs: slow }, `${slow.toLocaleString('en')} runs; concurrency 100, AOF everysec`),
      raw('bare PostgreSQL', 'raw/programs.mjs', 'drain', { runs }, 'claim and move to history, batches of 1,000, 2 connections'),
    ],
  }, {
    name: `a backlog of ${runs.toLocaleString('en')} on SQLite, inside the process`,
    goals: [{ who: 'Belfry, in process', measure: 'rate', limit: 120_000 }],
    contestants: [
      belfryAlone('Belfry, in process', own, 'inProcess', { runs, workers: 4, slots: 1000 }, '4 workers, 1,000 runs each'),
      rawAlone('bare SQLite', 'raw/programs.mjs', 'sqliteDrain', { runs }, 'claim and move to history, batches of 1,000'),
    ],
  }],
});
