// What a newcomer does in the first minutes, and what is done every day.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, open, text} from './browser.mjs';
import {Node, until} from './node.mjs';

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

test('an empty node teaches the next command; the first job is made and runs green', async () => {
  const page = await open(browser, node);
  await text(page, 'Nothing to ring for yet.');
  await text(page, "belfry add hello --every 10s --exec 'echo hello from belfry'");
  await page.getByRole('link', {name: 'New job'}).first().click();
  await page.getByLabel('Name', {exact: true}).fill('demo/hello');
  await page.getByRole('button', {name: 'Every', exact: true}).click();
  await page.getByLabel('Interval').fill('1s');
  await text(page, 'Every second');
  await page.getByRole('button', {name: 'Create job'}).click();
  await page.getByRole('heading', {name: 'demo/hello'}).waitFor();
  await page.locator('.pill', {hasText: 'OK'}).waitFor(); // a run has succeeded, and nobody reloaded
  await page.finish();
});

test('a schedule is written in the editor: its error becomes a click, its meaning a sentence', async () => {
  const page = await open(browser, node, '/jobs/new');
  await page.getByLabel('Name', {exact: true}).fill('demo/standup');
  await page.getByLabel('Cron expression').fill('30 2 * * MOM');
  await page.getByRole('button', {name: 'Use 30 2 * * MON'}).click();
  await page.getByLabel('Time zone', {exact: true}).fill('Europe/Berlin');
  await text(page, 'At 02:30 on Mondays');
  await page.getByLabel('Cron expression').fill('30 2 * * *');
  await text(page, 'does not exist in Europe/Berlin');
  await page.getByRole('button', {name: 'build it from a sentence'}).click();
  await page.getByLabel('How often').selectOption('weekday');
  await text(page, 'At 09:00, Monday to Friday');
  await page.getByRole('button', {name: 'Create job'}).click();
  await page.getByRole('heading', {name: 'demo/standup'}).waitFor();
  const job = await node.call('GET', '/jobs/name:demo%2Fstandup');
  assert.equal(job.cron_expression, '0 9 * * MON,TUE,WED,THU,FRI');
  assert.equal(job.timezone, 'Europe/Berlin');
  await page.finish();
});

test('a job is paused with a note and an end, and that is undone', async () => {
  const job = await node.job('daily/pausable');
  const page = await open(browser, node, `/jobs/${job.job_id}`);
  await page.getByRole('button', {name: 'Pause…'}).click();
  await page.getByLabel('Why, for others to read').fill('vendor freeze');
  await page.getByRole('button', {name: '4 hours'}).click();
  await page.getByRole('button', {name: 'Pause', exact: true}).click();
  await text(page, '“vendor freeze”. It resumes by itself');
  const paused = await node.call('GET', `/jobs/${job.job_id}`);
  assert.equal(paused.paused.note, 'vendor freeze');
  const hours = (Date.parse(paused.paused.until) - Date.now()) / 3_600_000;
  assert.ok(hours > 3.9 && hours <= 4, `until in ${hours} h`);
  await page.getByRole('button', {name: /Undo/}).click();
  await page.locator('.pill', {hasText: 'Active'}).waitFor();
  assert.equal((await node.call('GET', `/jobs/${job.job_id}`)).status, 'ACTIVE');
  await page.finish();
});

test('a job is run now and its log followed live', async () => {
  const command = ['/bin/sh', '-c', 'for i in 1 2 3 4 5 6; do echo line $i; sleep 0.5; done'];
  const job = await node.job('daily/talkative', {target: {kind: 'EXEC', command}});
  const page = await open(browser, node, `/jobs/${job.job_id}`);
  await page.getByRole('button', {name: 'Run now'}).click();
  await page.locator('.pill', {hasText: 'Running'}).waitFor();
  await page.locator('.pill', {hasText: 'Succeeded'}).waitFor();
  await page.getByRole('log').getByText('line 6').waitFor();
  await page.getByLabel('Search in the log').fill('line 3');
  await text(page, '1 line of 6');
  await page.finish();
});

test('a change is shown before it is kept', async () => {
  const job = await node.job('daily/changed', {description: 'before'});
  const page = await open(browser, node, `/jobs/${job.job_id}/edit`);
  await page.getByLabel('About, for people').fill('after');
  await page.getByLabel('Attempts', {exact: true}).fill('7');
  await page.getByRole('button', {name: 'Review the change'}).click();
  const diff = page.getByRole('dialog');
  await diff.getByRole('row', {name: 'description before after'}).waitFor();
  await diff.getByRole('row', {name: /max_attempts \d+ 7/}).waitFor();
  assert.equal(await diff.locator('tbody tr').count(), 2);
  await diff.getByRole('button', {name: 'Keep it'}).click();
  await page.getByRole('heading', {name: 'daily/changed'}).waitFor();
  const now = await node.call('GET', `/jobs/${job.job_id}`);
  assert.equal(now.description, 'after');
  assert.equal(now.max_attempts, 7);
  await page.finish();
});

test('an earlier version is compared and restored', async () => {
  const job = await node.job('daily/restored', {timeout: '5m', payload: {table: 'old'}});
  await node.call('PATCH', `/jobs/${job.job_id}`, {timeout: '9m', payload: {table: 'new'}});
  const page = await open(browser, node, `/jobs/${job.job_id}/revisions`);
  await page.getByRole('row', {name: /timeout/}).first().waitFor();
  await page.getByRole('button', {name: 'Version 1', exact: true}).click();
  await page.getByRole('button', {name: 'Restore…'}).click();
  const diff = page.getByRole('dialog');
  await diff.getByRole('row', {name: 'timeout 9m 5m'}).waitFor();
  await diff.getByRole('row', {name: 'payload {"table":"new"} {"table":"old"}'}).waitFor();
  assert.equal(await diff.locator('tbody tr').count(), 2);
  await diff.getByRole('button', {name: 'Restore', exact: true}).click();
  await text(page, 'is what it was in version 1');
  await page.getByRole('button', {name: 'Version 3', exact: true}).waitFor(); // the restored one, without a reload
  const now = await node.call('GET', `/jobs/${job.job_id}`);
  assert.equal(now.timeout, '5m');
  assert.deepEqual(now.payload, {table: 'old'});
  await page.finish();
});

test('a secret is kept by name, and its value is nowhere on the page', async () => {
  const value = 'whsec_TXkgc2VjcmV0IHRvIHNpZ24gd2ViaG9va3M';
  const page = await open(browser, node, '/settings/secrets');
  await text(page, 'No secret yet');
  await page.getByRole('button', {name: 'New secret…'}).click();
  await page.getByLabel('Name', {exact: true}).fill('billing-key');
  await page.getByLabel('Value', {exact: true}).fill(value);
  await page.getByRole('button', {name: 'Keep it'}).click();
  await page.getByRole('row', {name: /billing-key/}).waitFor();
  assert.ok(!(await page.content()).includes(value));
  assert.deepEqual((await node.call('GET', '/secrets')).items.map((secret) => secret.name), ['billing-key']);
  await page.finish();
});

test('a type is limited, and the page shows that it is full', async () => {
  const job = await node.job('daily/limited', {job_type: 'narrow', concurrency_policy: 'ALLOW'});
  const page = await open(browser, node, '/settings/types');
  await text(page, 'No type has limits or defaults');
  await page.getByRole('button', {name: 'Limit a type…'}).click();
  await page.getByLabel('Type', {exact: true}).fill('narrow');
  await page.getByLabel('Runs at a time').fill('1');
  await page.getByLabel('How long an attempt may take').fill('7m');
  await page.getByRole('button', {name: 'Keep it'}).click();
  await page.getByRole('row', {name: /narrow 1 at a time/}).waitFor();
  for (let i = 0; i < 2; ++i) await node.call('POST', `/jobs/${job.job_id}/trigger`, {});
  await node.call('POST', '/runs:claim', {worker_id: 'tester', job_types: ['narrow'], max_runs: 2, wait_seconds: 20});
  await page.getByRole('row', {name: /narrow 1 at a time 1 running, 1 waiting Full timeout 7m/}).waitFor();
  await page.getByRole('button', {name: 'Change narrow'}).click();
  assert.equal(await page.getByLabel('Runs at a time').inputValue(), '1');
  await page.getByLabel('Runs at a time').fill('2');
  await page.getByRole('button', {name: 'Keep it'}).click();
  await page.getByRole('row', {name: /narrow 2 at a time/}).waitFor();
  assert.deepEqual((await node.call('GET', '/types/narrow')).defaults, {timeout: '7m'});
  await page.finish();
});

test('dead letters are grouped by cause and retried', async () => {
  const job = await node.job('daily/dying', {job_type: 'dying', max_attempts: 1});
  for (const code of [3, 17]) await node.finished(job, {status: 'FAILED', error: `exit code ${code}: disk full`, retryable: false});
  const page = await open(browser, node, '/dead-letters');
  await text(page, '2 runs gave up, from 1 cause.');
  await page.getByRole('button', {name: 'Retry all 2…'}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Retry', exact: true}).click();
  await text(page, '2 runs are live again');
  await text(page, 'Nothing gave up');
  await page.finish();
});

test('a run is taken from a worker that does not let go', async () => {
  const job = await node.job('daily/stuck', {job_type: 'stuck'});
  const run = await node.call('POST', `/jobs/${job.job_id}/trigger`, {});
  await node.call('POST', '/runs:claim', {worker_id: 'silent', job_types: ['stuck'], max_runs: 1, wait_seconds: 20});
  const page = await open(browser, node, `/runs/${run.run_id}`);
  await page.locator('.pill', {hasText: 'Running'}).waitFor();
  await page.getByRole('button', {name: 'More for this run'}).click();
  await page.getByRole('menuitem', {name: 'Unstick…'}).click();
  await page.getByLabel('Why, for others to read').fill('the host is gone');
  await page.getByRole('button', {name: 'Unstick', exact: true}).click();
  await page.locator('.pill', {hasText: 'Dead'}).waitFor();
  const ended = await node.call('GET', `/runs/${run.run_id}`);
  assert.equal(ended.state, 'DEAD');
  assert.match(ended.error, /the host is gone/);
  await page.finish();
});

test('a crontab is read line by line and brought over paused', async () => {
  const page = await open(browser, node, '/jobs/import');
  await page.getByLabel('Paste the output of crontab -l').fill('CRON_TZ=Europe/Berlin\n15 3 * * * /usr/local/bin/backup.sh\n@reboot /bin/true\n0 25 * * * /bin/false\n');
  await text(page, 'At 03:15 every day');
  await text(page, 'has no equivalent');
  await page.getByRole('button', {name: 'Import 2 jobs'}).click();
  await page.locator('.pill', {hasText: 'Created'}).waitFor();
  await page.locator('.pill', {hasText: 'Refused'}).waitFor();
  const job = await node.call('GET', '/jobs/name:crontab%2Fbackup.sh');
  assert.equal(job.status, 'PAUSED');
  assert.equal(job.timezone, 'Europe/Berlin');
  await page.finish();
});

test('deleting waits ten seconds for second thoughts', async () => {
  const job = await node.job('daily/deleted');
  const page = await open(browser, node, `/jobs/${job.job_id}`);
  const remove = async () => {
    await page.getByRole('button', {name: 'More for daily/deleted'}).click();
    await page.getByRole('menuitem', {name: 'Delete'}).click();
  };
  await remove();
  await page.getByRole('button', {name: /Undo/}).click();
  await remove();
  assert.equal((await node.call('GET', `/jobs/${job.job_id}`)).status, 'ACTIVE');
  await until(() => node.call('GET', `/jobs/${job.job_id}`).then(() => false, () => true));
  await page.finish();
});
