// An alert opens and recovers on the page, without a reload; a silence is made and ended.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, open, text} from './browser.mjs';
import {Node} from './node.mjs';

let node;
let browser;
before(async () => {
  node = await Node.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await node?.stop();
});

test('an alert opens and recovers', async () => {
  const job = await node.job('billing/alarmed', {job_type: 'alarmed', max_attempts: 1});
  await node.call('PUT', '/alerts/rules/failing', {when: 'failed_in_a_row', count: 1, to: [{kind: 'HTTP', url: 'https://example.com/alerts'}]});
  const page = await open(browser, node, '/alerts');
  await text(page, 'Nothing is wrong');
  await node.finished(job, {status: 'FAILED', error: 'disk full', retryable: false});
  await page.getByRole('row', {name: /Open billing\/alarmed/}).waitFor();
  await node.finished(job, {status: 'SUCCEEDED'});
  await text(page, 'Nothing is wrong');
  await page.getByRole('link', {name: 'History'}).click();
  await page.getByRole('row', {name: /Over billing\/alarmed/}).waitFor();
  await page.getByRole('link', {name: 'Rules'}).click();
  await page.getByRole('row', {name: /failing failed in a row 1/}).waitFor();
  await page.finish();
});

test('a silence is made and ended', async () => {
  const page = await open(browser, node, '/alerts/silences');
  await page.getByRole('button', {name: 'Silence…'}).click();
  await page.getByLabel('Why, for others to read').fill('the mail server moves');
  await page.getByRole('button', {name: 'Silence', exact: true}).click();
  await page.getByRole('row', {name: /everything .*the mail server moves/}).waitFor();
  await page.getByRole('button', {name: 'End the silence about everything'}).click();
  await text(page, 'Nothing is silenced');
  assert.deepEqual((await node.call('GET', '/alerts/silences')).items, []);
  await page.finish();
});
