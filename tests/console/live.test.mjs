// The page follows what happens, survives a restart of its node, and can be used without a mouse.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, open, text} from './browser.mjs';
import {Node} from './node.mjs';

let node;
let browser;
before(async () => {
  node = await Node.start();
  browser = await launch();
  for (const name of ['a/first', 'a/second', 'a/third']) await node.job(name);
});
after(async () => {
  await browser?.close();
  await node?.stop();
});

test('a list does not move: what is new waits behind a pill', async () => {
  const page = await open(browser, node, '/jobs');
  await text(page, 'a/third');
  await node.job('a/aaa');
  await page.getByRole('button', {name: '1 new'}).click();
  await text(page, 'a/aaa');
  await page.finish();
});

test('a change by somebody else shows without a reload', async () => {
  const job = await node.job('a/watched');
  const page = await open(browser, node, `/jobs/${job.job_id}`);
  await page.locator('.pill', {hasText: 'Active'}).waitFor();
  await node.call('POST', `/jobs/${job.job_id}/pause`, {note: 'by another'});
  await text(page, '“by another”');
  await page.finish();
});

test('the page says that the node is away, and goes on when it is back', async () => {
  const page = await open(browser, node, '/jobs');
  await text(page, 'a/first');
  await page.locator('.dot.live').waitFor();
  await node.down();
  await text(page, 'Not connected to the node.');
  await node.up();
  await page.locator('.dot.live').waitFor();
  await node.job('a/after-restart');
  await page.getByRole('button', {name: /new$/}).click();
  await text(page, 'a/after-restart');
  await page.finish();
});

test('two tabs share one stream of events', async () => {
  const page = await open(browser, node, '/jobs');
  await page.locator('.dot.live').waitFor();
  const second = await page.context().newPage();
  const streams = [];
  second.on('request', (request) => request.url().endsWith('/events') && streams.push(request.url()));
  await second.goto(`${node.url}/jobs`);
  await second.locator('.dot.live').waitFor();
  await second.getByText('a/first').first().waitFor(); // else the new job might be in the list already
  const job = await node.job('a/for-both');
  await second.getByRole('button', {name: /new$/}).waitFor();
  assert.deepEqual(streams, []);
  assert.ok(job.job_id);
  await page.finish();
});

test('keyboard only: find, open, pause, resume, run', async () => {
  const page = await open(browser, node, '/');
  await page.locator('.dot.live').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.getByRole('heading', {name: 'Jobs'}).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('second');
  await page.waitForURL(/q=second/);
  await page.keyboard.press('Escape');
  await text(page, 'a/second');
  await page.getByText('a/first').waitFor({state: 'detached'});
  await page.keyboard.press('j');
  await page.keyboard.press('p');
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Enter');
  await page.locator('tr', {hasText: 'a/second'}).getByText('Paused').waitFor();
  await page.getByRole('dialog').waitFor({state: 'detached'}); // the event may come before the answer that closes it
  await page.keyboard.press('p');
  await page.locator('tr', {hasText: 'a/second'}).getByText('Active').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'a/second'}).waitFor();
  await page.keyboard.press('r');
  await page.getByRole('heading', {name: /^Run of/}).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('first');
  await page.getByRole('option', {name: 'a/first job'}).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'a/first'}).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', {name: 'Keys'}).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await page.finish();
});

test('keys without Ctrl can be switched off', async () => {
  const page = await open(browser, node, '/settings');
  await page.getByLabel('Keys without Ctrl act').uncheck();
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor(); // still on Settings, and the palette still opens
  assert.equal(new URL(page.url()).pathname, '/settings');
  await page.finish();
});
