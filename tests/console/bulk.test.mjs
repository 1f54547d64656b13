// Acting on every job that matches: the server does it, and the page says what it will do, how it went, and undoes it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {text} from './browser.mjs';
import {withNode} from './world.mjs';

const world = withNode();

async function make(prefix, count) {
  const jobs = Array.from({length: count}, (_, i) => ({job_name: `${prefix}/${String(i).padStart(2, '0')}`, every: '365d'}));
  await world.node.call('POST', '/jobs:batch', {jobs});
}

const namesOf = async (query) => (await world.node.call('GET', `/jobs?${query}&limit=1000`)).items.map((job) => job.job_name);
const works = async () => (await world.node.call('GET', '/bulk')).items;

async function askAll(prefix, action) {
  const page = await world.open(`/jobs?q=${prefix}`);
  await page.getByLabel(`Select ${prefix}/03`).check();
  await page.getByRole('button', {name: 'or all that match'}).click();
  await page.getByRole('region', {name: 'Selected jobs'}).getByRole('button', {name: action, exact: true}).click();
  return page;
}

test('all jobs that match are paused, also those of the second page, by one call; and that is undone', async () => {
  await make('herd', 60);
  const page = await askAll('herd', 'Pause…');
  const dialog = page.getByRole('dialog', {name: 'Pause 60 jobs'});
  await dialog.getByText('and 50 more').waitFor();
  await dialog.getByLabel('Why, for others to read').fill('the database moves');
  await dialog.getByRole('button', {name: 'Pause', exact: true}).click();
  await text(page, '60 jobs paused');
  assert.equal((await namesOf('q=herd&status=PAUSED')).length, 60);
  const [work] = await works();
  assert.deepEqual([work.action, work.done, work.note, work.selector], ['pause', 60, 'the database moves', {name_contains: 'herd'}]);
  await page.getByRole('button', {name: /^Undo/}).click();
  await text(page, '60 jobs resumed');
  assert.equal((await namesOf('q=herd&status=ACTIVE')).length, 60);
  await page.finish();
});

test('a pause that cannot be told from an earlier one is not undone', async () => {
  await make('mixed', 5);
  const before = await world.node.call('GET', '/jobs/name:mixed%2F01');
  await world.node.call('POST', `/jobs/${before.job_id}/pause`, {note: 'for a reason'});
  const page = await askAll('mixed', 'Pause…');
  await page.getByRole('dialog', {name: 'Pause 5 jobs'}).getByRole('button', {name: 'Pause', exact: true}).click();
  await text(page, '4 jobs paused, 1 had nothing to do');
  assert.equal(await page.getByRole('button', {name: /^Undo/}).count(), 0);
  await page.finish();
});

test('labels are set and taken away, and the list can be asked for by them', async () => {
  await make('tagged', 4);
  const page = await askAll('tagged', 'Label…');
  await page.getByLabel('Labels to set, and to take away').fill('tier=1');
  await page.getByRole('dialog').getByRole('button', {name: 'Label', exact: true}).click();
  await text(page, '4 jobs labelled');
  assert.equal((await namesOf('label=tier%3D1')).length, 4);
  await page.goto(`${world.node.url}/jobs?label=tier%3D1`);
  await text(page, 'tagged/03');
  await page.finish();
});

test('many are deleted only by whoever types how many', async () => {
  await make('doomed', 7);
  const page = await askAll('doomed', 'Delete…');
  const dialog = page.getByRole('dialog', {name: 'Delete 7 jobs'});
  const go = dialog.getByRole('button', {name: 'Delete', exact: true});
  assert.equal(await go.isDisabled(), true);
  await dialog.getByLabel('This cannot be undone. Type 7 to go on').fill('7');
  await go.click();
  await text(page, '7 jobs deleted');
  assert.deepEqual(await namesOf('q=doomed'), []);
  await page.finish();
});

test('the command that does the same is copied, with the same choice of jobs', async () => {
  await make('copied', 4);
  const page = await askAll('copied', 'Run now');
  await page.getByRole('dialog', {name: 'Run 4 jobs'}).getByRole('button', {name: 'Copy as belfry'}).click();
  await text(page, 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'belfry run --match copied');
  assert.ok(!(await works()).some((work) => work.action === 'trigger'), 'looking begins nothing');
  await page.finish();
});
