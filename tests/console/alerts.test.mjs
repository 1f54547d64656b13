// An alert opens and recovers on the page, without a reload; a silence is made and ended.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {text} from './browser.mjs';
import {until} from './node.mjs';
import {withNode} from './world.mjs';

const world = withNode();

test('without a rule nobody says that nothing is wrong; a rule is made, changed, tested and deleted', async () => {
  const {node} = world;
  const page = await world.open('/alerts');
  await text(page, 'No rule watches yet');
  assert.equal(await page.getByText('Nothing is wrong').count(), 0);
  await page.getByRole('button', {name: 'New rule…'}).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', {exact: true}).fill('ops-slow');
  await dialog.getByLabel('Look for').selectOption('running');
  await dialog.getByLabel('For how long').fill('2h');
  await dialog.getByLabel('Only these labels').fill('team=ops');
  await dialog.getByLabel('Tell, one receiver a line').fill('not a receiver');
  await text(page, 'is neither a mail address nor a URL');
  assert.equal(await dialog.getByRole('button', {name: 'Keep it'}).isDisabled(), true);
  await dialog.getByLabel('Tell, one receiver a line').fill('http://127.0.0.1:9/alerts\nslack https://chat.example.com/hook');
  await dialog.getByRole('button', {name: 'Keep it'}).click();
  await text(page, 'One rule watches.');
  const made = await node.call('GET', '/alerts/rules/ops-slow');
  assert.deepEqual([made.when, made.after, made.labels, made.to.map((to) => to.form ?? to.kind)], ['running', '2h', ['team=ops'], ['HTTP', 'slack']]);
  await page.getByRole('link', {name: 'Rules'}).click();
  await page.getByRole('button', {name: 'Change ops-slow'}).click();
  await page.getByRole('dialog').getByLabel('Or: so many times the usual').fill('3');
  await page.getByRole('dialog').getByRole('button', {name: 'Keep it'}).click();
  await page.getByRole('row', {name: /ops-slow running 3 times the usual/}).waitFor();
  assert.equal((await node.call('GET', '/alerts/rules/ops-slow')).to.length, 2, 'receivers are kept');
  await page.getByRole('button', {name: 'Test ops-slow'}).click();
  await page.getByRole('link', {name: 'Did it arrive?'}).click();
  await page.getByRole('row', {name: /ops-slow/}).first().waitFor();
  await page.getByRole('link', {name: 'Rules'}).click();
  await page.getByRole('button', {name: 'Delete ops-slow'}).click();
  await until(async () => (await node.call('GET', '/alerts/rules')).items.length === 0); // after the time for second thoughts
  await text(page, 'No rule watches yet');
  await page.finish();
});

test('an alert opens and recovers', async () => {
  const {node} = world;
  const job = await node.job('billing/alarmed', {job_type: 'alarmed', max_attempts: 1});
  await node.call('PUT', '/alerts/rules/failing', {when: 'failed_in_a_row', count: 1, to: [{kind: 'HTTP', url: 'https://example.com/alerts'}]});
  const page = await world.open('/alerts');
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
  const {node} = world;
  const page = await world.open('/alerts/silences');
  await page.getByRole('button', {name: 'Silence…'}).click();
  await page.getByLabel('Why, for others to read').fill('the mail server moves');
  await page.getByRole('button', {name: 'Silence', exact: true}).click();
  await page.getByRole('row', {name: /everything .*the mail server moves/}).waitFor();
  await page.getByRole('button', {name: 'End the silence about everything'}).click();
  await text(page, 'Nothing is silenced');
  assert.deepEqual((await node.call('GET', '/alerts/silences')).items, []);
  await page.finish();
});
