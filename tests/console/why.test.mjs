// "Why did it not run?" on the page, for the causes that can be made in seconds.
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

const ticks = async (job) => (await node.call('GET', `/jobs/${job.job_id}/ticks?limit=50`)).items;
const tickWhere = async (job, fits) => {
  let found;
  await until(async () => (found = (await ticks(job)).find(fits)));
  return found;
};

// What the page says, back in the server's words: it writes instants in a zone and code as code.
const said = (answer) =>
  answer.locator('p').first().evaluate((paragraph) =>
    [...paragraph.childNodes].map((part) => (part.nodeName === 'TIME' ? part.dateTime : part.nodeName === 'CODE' ? `\`${part.textContent}\`` : part.textContent)).join(''),
  );

async function ask(job, at, verdict) {
  const page = await open(browser, node, `/jobs/${job.job_id}/why${at ? `?at=${encodeURIComponent(at)}` : ''}`);
  const answer = page.locator(`[data-verdict=${verdict}]`);
  await answer.waitFor();
  const {sentence} = await node.call('GET', `/jobs/${job.job_id}/explain?at=${encodeURIComponent(at)}`);
  await until(async () => (await said(answer)) === sentence);
  await page.finish();
}

test('paused; resumed from the answer', async () => {
  const job = await node.job('why/paused', {every: '1s'});
  await node.call('POST', `/jobs/${job.job_id}/pause`, {note: 'lunch'});
  const skip = await tickWhere(job, (tick) => tick.reason === 'paused');
  const page = await open(browser, node, `/jobs/${job.job_id}/why?at=${encodeURIComponent(skip.from)}`);
  await page.locator('[data-verdict=paused]').getByRole('button', {name: /^Backfill/}).waitFor();
  await page.getByRole('button', {name: 'Resume the job'}).click();
  await page.getByRole('button', {name: 'Pause…'}).waitFor();
  await page.finish();
});

test('an earlier run still goes', async () => {
  const job = await node.job('why/overlap', {every: '1s', job_type: 'nobody'});
  const skip = await tickWhere(job, (tick) => tick.reason === 'overlap');
  await node.call('POST', `/jobs/${job.job_id}/pause`, {}); // else the sentence counts on while it is compared
  await ask(job, skip.from, 'overlap');
});

test('it became a run that nobody takes', async () => {
  const job = await node.job('why/no-worker', {every: '1s', job_type: 'nobody-either'});
  const run = await tickWhere(job, (tick) => tick.kind === 'RUN');
  await ask(job, run.scheduled_for, 'run');
});

test('its calendar excludes the day', async () => {
  const today = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'][new Date().getUTCDay()];
  await node.call('PUT', '/calendars/today', {rules: [today]});
  const job = await node.job('why/calendar', {every: '1s', calendar: 'today'});
  const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toISOString();
  await until(async () => (await node.call('GET', `/jobs/${job.job_id}/explain?at=${at}`)).verdict === 'calendar');
  await ask(job, at, 'calendar');
});

test('the schedule has no tick there', async () => {
  const job = await node.job('why/rare', {cron_expression: '0 0 1 1 *', every: undefined});
  await ask(job, new Date(Date.now() - (Date.now() % 60_000) + 61_000).toISOString(), 'not_matching');
});

test('its time has not come', async () => {
  const job = await node.job('why/later', {cron_expression: '0 0 1 1 *', every: undefined});
  await ask(job, `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`, 'not_yet');
});

test('it did not exist then', async () => {
  const job = await node.job('why/young', {cron_expression: '0 0 1 1 *', every: undefined});
  await ask(job, '2020-01-01T00:00:00Z', 'no_job');
});

test('it failed: from the run to the answer', async () => {
  const job = await node.job('why/failed', {every: '1s', job_type: 'why-failed', max_attempts: 1});
  const {runs} = await node.call('POST', '/runs:claim', {worker_id: 'tester', job_types: ['why-failed'], wait_seconds: 20});
  await node.call('POST', '/runs:complete', {runs: [{run_id: runs[0].run_id, fence: runs[0].fence, status: 'FAILED', error: 'disk full', retryable: false}]});
  await node.call('POST', `/jobs/${job.job_id}/pause`, {});
  const page = await open(browser, node, `/runs/${runs[0].run_id}`);
  await text(page, 'disk full');
  await page.getByRole('button', {name: 'More for this run'}).click();
  await page.getByRole('menuitem', {name: 'Why did it run then?'}).click();
  await page.locator('[data-verdict=run]').waitFor();
  await page.finish();
});

test('outside the bounds of its schedule', async () => {
  const job = await node.job('why/bounds', {every: '1s', start_at: '2099-01-01T00:00:00Z'});
  const at = new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString();
  await until(async () => (await node.call('GET', `/jobs/${job.job_id}/explain?at=${at}`)).verdict === 'out_of_bounds');
  await ask(job, at, 'out_of_bounds');
});

test('a newer run took its place', async () => {
  const job = await node.job('why/replaced', {every: '1s', job_type: 'nobody-at-all', concurrency_policy: 'REPLACE'});
  const run = await tickWhere(job, (tick) => tick.kind === 'RUN' && tick.state === 'CANCELLED');
  await node.call('POST', `/jobs/${job.job_id}/pause`, {});
  const {verdict, cause} = await node.call('GET', `/jobs/${job.job_id}/explain?at=${encodeURIComponent(run.scheduled_for)}`);
  assert.ok([verdict, cause].includes('overlap_replaced'), `${verdict}, ${cause}`);
  await ask(job, run.scheduled_for, verdict);
});

test('somebody cancelled it', async () => {
  const job = await node.job('why/cancelled', {every: '1s', job_type: 'nobody-cancels'});
  const run = await tickWhere(job, (tick) => tick.kind === 'RUN');
  await node.call('POST', `/jobs/${job.job_id}/pause`, {});
  await node.call('POST', `/runs/${run.run_id}/cancel`, {});
  await until(async () => (await node.call('GET', `/runs/${run.run_id}`)).state === 'CANCELLED');
  await ask(job, run.scheduled_for, 'run');
});

test('missed in an outage: skipped, or a later run stands for it', async () => {
  const skipped = await node.job('why/missed', {every: '1s', misfire_policy: 'SKIP', misfire_grace: '1s'});
  const once = await node.job('why/coalesced', {every: '1s', misfire_policy: 'FIRE_ONCE'});
  for (const job of [skipped, once]) await tickWhere(job, (tick) => tick.kind === 'RUN');
  await node.down();
  const back = Date.now() + 4000; // some ticks have to pass while nobody decides them
  await until(async () => Date.now() > back);
  await node.up();
  const found = {};
  for (const [job, reasons] of [[skipped, ['misfire_skipped', 'misfire_expired']], [once, ['misfire_coalesced']]]) {
    const skip = await tickWhere(job, (tick) => tick.kind === 'SKIP' && reasons.includes(tick.reason));
    await ask(job, skip.from, skip.reason);
    found[skip.reason] = true;
  }
  assert.equal(Object.keys(found).length, 2);
});
