import { belfry } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { stored: 2_000, others: 50 },
  full: { stored: 100_000, others: 200 },
});
const { stored, others } = options.settings;
const actions = ['pause', 'resume', 'label', 'delete'];

await ask({
  bench: 'bulk',
  question: 'How fast are many jobs changed by one call, and who notices?',
  options,
  measures: {
    ...Object.fromEntries(actions.map((action) => [action, { title: `${action} jobs/s`, better: 'high', digits: 0 }])),
    beside: { title: 'latest other tick ms', better: 'low', digits: 1 },
    quiet: { title: 'without bulk work ms', better: 'low', digits: 1 },
  },
  parts: [{
    name: `${stored.toLocaleString('en')} jobs, beside ${others} that tick every second`,
    goals: [
      ...actions.map((measure) => ({ who: 'Belfry', measure, limit: 10_000 })),
      { who: 'Belfry', measure: 'beside', limit: 50 },
    ],
    contestants: [belfry('Belfry', 'bulk/belfry.mjs', 'bulk', { stored, others })],
  }],
});
