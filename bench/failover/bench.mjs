import { belfry } from '../lib/contestant.mjs';
import { parse } from '../lib/options.mjs';
import { ask } from '../lib/question.mjs';

const options = parse(process.argv.slice(2), {
  small: { stored: 2_000, jobs: 50, settle: 12 },
  full: { stored: 3_000_000, jobs: 300, settle: 40 },
});
const { stored, jobs, settle } = options.settings; // settle: seconds that each change is watched for

await ask({
  bench: 'failover',
  question: 'How late is the latest tick when nodes come and go?',
  options,
  measures: {
    kill: { title: 'kill -9 s', better: 'low', digits: 2 },
    join: { title: 'two join s', better: 'low', digits: 2 },
    rejoin: { title: 'joins again s', better: 'low', digits: 2 },
    leave: { title: 'SIGTERM s', better: 'low', digits: 2 },
    late: { title: 'over 1 s late %', better: 'low', digits: 2 },
  },
  parts: [{
    name: `three nodes, ${stored.toLocaleString('en')} jobs stored, ${jobs} every second`,
    goals: [['join', 0.3], ['kill', 7], ['rejoin', 0.3], ['leave', 0.3]].map(([measure, limit]) => ({ who: 'Belfry', measure, limit })),
    contestants: [belfry('Belfry', 'failover/belfry.mjs', 'failover', { stored, jobs, settle })],
  }],
});
