import { belfry, peer, raw, redisPeer } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { stored: 20_000, peers: 5_000, seconds: 5, fires: 1_000 },
  full: { stored: 10_000_000, peers: 1_000_000, seconds: 60, fires: 10_000 },
});
const { stored, peers, seconds, fires } = options.settings;
const waiting = { stored: peers, seconds };
const few = `${peers.toLocaleString('en')} jobs`;

await ask({
  bench: 'load',
  question: 'What do ten million stored jobs cost: at a start, in memory, in an idle minute?',
  options,
  rounds: options.size === 'full' ? 1 : options.runs, // each stores millions; what it measures moves little
  measures: {
    cpu_minute: { title: 'CPU s, idle minute', better: 'low', digits: 2 },
    loaded: { title: 'loaded s', better: 'low', digits: 1 },
    memory: { title: 'memory MiB', better: 'low', digits: 0 },
    rate: { title: 'stored/s', better: 'high', digits: 0 },
    p99: { title: 'p99 ms', better: 'low', digits: 1 },
  },
  parts: [{
    name: `${stored.toLocaleString('en')} jobs stored for later`,
    goals: [
      { who: 'Belfry', measure: 'loaded', limit: 15 },
      { who: 'Belfry', measure: 'memory', limit: 600 },
      { who: 'Belfry', measure: 'cpu_minute', limit: 0.15 },
    ],
    contestants: [
      belfry('Belfry', 'load/belfry.mjs', 'load', { stored, seconds, fires }, `p99 of ${fires.toLocaleString('en')} fires a minute beside them`),
      peer('graphile-worker', 'peers/graphile_worker.mjs', 'idle', waiting, `${few}; pollInterval 100`),
      peer('pg-boss', 'peers/pg_boss.mjs', 'idle', waiting, `${few}; poll 0.5 s`),
      redisPeer('BullMQ', 'peers/bullmq.mjs', 'idle', waiting, few),
      raw('bare PostgreSQL', 'load/belfry.mjs', 'rawRead', { stored }, 'the table of jobs is copied to a client that drops it'),
    ],
  }],
});
