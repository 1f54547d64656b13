import { once, range, unlimited } from '../lib/jobs.mjs';
import { withNode } from '../lib/node.mjs';
import { now } from '../lib/time.mjs';
import { rateOf } from '../peers/common.mjs';

const BATCH = 10_000;

const rates = (scene, seconds, make) =>
  withNode(scene, async ({ rest }) => {
    await unlimited(rest);
    let next = 0;
    const one = () => rest.call('POST', '/jobs', make(next++));
    const many = () => rest.call('POST', '/jobs:batch', { jobs: range(BATCH, () => make(next++)) });
    return {
      one: await rateOf(seconds, 1, one),
      concurrent: await rateOf(seconds, 32, one),
      batch: await rateOf(seconds, 2, many, BATCH),
    };
  });

const recurring = (index) => ({
  job_name: `daily-${index}`,
  schedule_type: 'CRON',
  cron_expression: `${index % 60} ${index % 24} * * *`,
});

export const register = (scene, { seconds }) => rates(scene, seconds, recurring);

export const registerOnce = (scene, { seconds }) => rates(scene, seconds, (index) => once(index, now() + 86_400_000 + index));
