import { belfry, peer } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { rate: 100, before: 6, held: 10, after: 4, slice: 2 },
  full: { rate: 1_000, before: 60, held: 600, after: 60, slice: 10 },
});
const { rate, before, held, after, slice } = options.settings; // seconds, but for the rate
const open = { rate, before, held, after, slice };
const calm = { rate, seconds: 3 * before, slice };
const NAMES = { belfry: 'Belfry, REST pull', graphile: 'graphile-worker', boss: 'pg-boss' };
const all = (call, args) =>
  Object.entries(NAMES).map(([who, name]) => (who === 'belfry' ? belfry : peer)(name, 'horizon/hold.mjs', call, { ...args, who }));
const goals = ['later', 'slower'].map((measure) => ({ who: NAMES.belfry, measure, limit: 1.33 }));

await ask({
  bench: 'horizon',
  question: 'What does a transaction that somebody left open do to the others?',
  options,
  rounds: 1, // a curve over minutes says more than three of them
  measures: {
    later: { title: 'p99 is later x', better: 'low', digits: 2 },
    slower: { title: 'runs are fewer x', better: 'low', digits: 2 },
    p99_before: { title: 'p99 ms, calm', better: 'low', digits: 1 },
    p99_held: { title: 'p99 ms, then', better: 'low', digits: 1 },
    rate_before: { title: 'runs/s, calm', better: 'high', digits: 0 },
    rate_held: { title: 'runs/s, then', better: 'high', digits: 0 },
  },
  parts: [
    {
      name: `a transaction left open for ${held} s at ${rate.toLocaleString('en')} runs a second`,
      goals,
      contestants: all('hold', open),
    },
    {
      name: 'tables that were never analyzed, beside analyzed ones',
      postgres: { autovacuum_analyze_threshold: 2_000_000_000 },
      goals,
      contestants: all('neverAnalyzed', calm),
    },
  ],
});
