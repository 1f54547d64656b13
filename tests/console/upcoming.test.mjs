// The herds to come, and how to spread them: what the page proposes is the server's, and can be applied.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {text} from './browser.mjs';
import {withNode} from './world.mjs';

const world = withNode();

test('the fullest minutes are spread by changes that are shown before they are made', async () => {
  const jobs = Array.from({length: 12}, (_, i) => ({job_name: `herd-${i}`, cron_expression: '0 * * * *'}));
  await world.node.call('POST', '/jobs:batch', {jobs});
  const proposed = await world.node.call('GET', '/forecast/advice?hours=24');
  assert.ok(proposed.changes.length >= 6);
  const page = await world.open('/upcoming');
  await page.getByRole('button', {name: 'Propose changes'}).click();
  await text(page, 'with the changes');
  await text(page, 'H * * * *');
  await page.getByRole('button', {name: `Apply all ${proposed.changes.length}`}).click();
  await text(page, `${proposed.changes.length} jobs changed`);
  const [first] = proposed.changes;
  const changed = await world.node.call('GET', `/jobs/${first.job_id}`);
  assert.deepEqual([changed.cron_expression, changed.version], ['H * * * *', first.version + 1]);
  await page.finish();
});
