// Work that is done elsewhere: a token is made, a report arrives on the page, silence shows, a rotated token is void.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {text} from './browser.mjs';
import {until} from './node.mjs';
import {withNode} from './world.mjs';

const world = withNode();
const report = (path) => fetch(world.node.url + path, {method: 'POST'});
const checkin = async (name, fields = {}) => {
  const job = await world.node.job(name, {target: {kind: 'CHECKIN'}, ...fields});
  return {...job, token: await world.node.call('POST', `/jobs/${job.job_id}/checkin`, {})};
};

test('a check-in is made on the page, gets its token, and its first report shows without a reload', async () => {
  const page = await world.open('/checkins');
  await text(page, 'Nothing checks in yet');
  await page.getByRole('link', {name: 'New check-in'}).first().click();
  await page.getByLabel('Name', {exact: true}).fill('elsewhere/backup');
  await page.getByRole('button', {name: 'Create job'}).click();
  await page.getByRole('button', {name: 'Make a token'}).click();
  await text(page, /belfry wrap --checkin \S+ -- /);
  await text(page, 'the token is not shown again');
  await page.getByRole('button', {name: /^Copy: curl/}).click();
  await text(page, 'Copied');
  const path = new URL((await page.evaluate(() => navigator.clipboard.readText())).split(' ').at(-1)).pathname;
  await page.getByRole('link', {name: /^Check-ins/}).click();
  await page.getByRole('row', {name: /Waiting elsewhere\/backup/}).waitFor();
  assert.equal((await report(path)).status, 200);
  await page.getByRole('row', {name: /Reported elsewhere\/backup/}).waitFor();
  await page.finish();
});

test('a report that has not come yet is nobody\'s missing worker', async () => {
  const job = await checkin('elsewhere/awaited', {every: '2s', start_within: '1h'});
  await until(async () => (await world.node.call('GET', `/jobs/${job.job_id}/runs`)).items.length > 0);
  const page = await world.open('/workers');
  await page.getByRole('row', {name: /Not reported check-ins/}).waitFor();
  await page.clock.setFixedTime(Date.now() + 60_000); // what waits has waited for a minute
  await page.goto(`${world.node.url}/`);
  await text(page, 'From tick to worker, last hour');
  assert.equal(await page.getByText('No worker').count(), 0);
  assert.equal(await page.getByText('asks for this type').count(), 0);
  await page.finish();
  await world.node.call('DELETE', `/jobs/${job.job_id}?ready_runs=cancel`);
});

test('silence is seen, and so is a failure', async () => {
  await checkin('elsewhere/silent', {every: '2s', start_within: '1s'});
  const failed = await checkin('elsewhere/failed');
  const page = await world.open('/checkins');
  await page.getByRole('row', {name: /Silent elsewhere\/silent/}).waitFor();
  await report(`${failed.token.path}/fail`);
  await page.getByRole('row', {name: /Failed elsewhere\/failed/}).waitFor();
  await page.finish();
});

test('a rotated token is void at once, and a job with another target has none', async () => {
  const job = await checkin('elsewhere/rotated');
  const page = await world.open(`/jobs/${job.job_id}/checkin`);
  await page.getByRole('button', {name: 'Rotate…'}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Make it'}).click();
  await text(page, 'elsewhere/rotated has a new token');
  assert.equal((await report(job.token.path)).status, 404);
  const lines = page.getByRole('dialog', {name: 'How elsewhere/rotated reports'});
  const command = await lines.getByText(/^curl/).innerText();
  assert.equal((await report(new URL(command.split(' ').at(-1)).pathname)).status, 200);
  await lines.getByRole('button', {name: 'Close'}).click();
  await page.reload();
  await text(page, /belfry wrap --checkin TOKEN -- /); // only once
  const other = await world.node.job('runs/here');
  await page.goto(`${world.node.url}/jobs/${other.job_id}`);
  await page.getByRole('link', {name: 'Timeline'}).waitFor();
  assert.equal(await page.getByRole('link', {name: 'Check-in', exact: true}).count(), 0);
  const {items} = await world.node.call('GET', '/jobs?checkin=true');
  assert.ok(items.every((each) => each.job_name.startsWith('elsewhere/')));
  await page.finish();
});
