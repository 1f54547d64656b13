import { belfry } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { seconds: 6, base: 1_000, fires: [600, 1_200], jobs: [100, 1_000], tenants: [1, 10], nodes: [1, 2], workers: [1, 20], age: [0, 5] },
  full: {
    seconds: 60,
    base: 10_000, // fires a minute wherever they are not what grows
    fires: [1_000, 10_000, 100_000, 300_000, 1_000_000],
    jobs: [10_000, 100_000, 1_000_000, 10_000_000],
    tenants: [1, 10, 100, 1_000, 10_000],
    nodes: [1, 2, 3, 4],
    workers: [1, 10, 100, 1_000, 9_000], // a node takes 10,000 connections
    age: [0, 60, 120, 300, 600],
  },
});
const { seconds, base, ...axes } = options.settings;
const TITLES = {
  fires: 'fires a minute',
  jobs: 'jobs stored',
  tenants: 'tenants',
  nodes: 'nodes',
  workers: 'waiting workers',
  age: 'age of the oldest open transaction, s',
};

await ask({
  bench: 'growth',
  question: 'How does the start lag grow with what a cluster has to bear?',
  options,
  rounds: 1,
  measures: {
    p99: { title: 'p99 ms', better: 'low', digits: 1 },
    p50: { title: 'p50 ms', better: 'low', digits: 1 },
    cpu: { title: 'CPU s for 1,000', better: 'low', digits: 3 },
    n: { title: 'arrived', better: 'high', digits: 0 },
    expected: { title: 'of', better: 'high', digits: 0 },
  },
  parts: Object.entries(axes).map(([axis, points]) => ({
    name: TITLES[axis],
    contestants: [points].flat().map((x) => belfry(`${x.toLocaleString('en')} ${TITLES[axis]}`, 'growth/axes.mjs', axis, { x, base, seconds })),
  })),
});
