// Signing in: a node without keys asks for none; with keys each scope sees what it may do, and a change needs the token.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, open, text} from './browser.mjs';
import {Node} from './node.mjs';

let node;
let browser;
let job;
const keys = {};
before(async () => {
  node = await Node.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await node?.stop();
});

async function signIn(scope) {
  const page = await open(browser, node, '/jobs');
  await page.getByLabel('API key').fill(keys[scope]);
  await page.getByRole('button', {name: 'Sign in'}).click();
  return page;
}

// A browser that the node does not know by its user: what a proxy passes on is nobody's.
const unknown = {extraHTTPHeaders: {Via: '1.1 test'}};
const link = async () => (await node.call('POST', '/session/links', {})).path;
const entered = (page) => page.getByRole('navigation', {name: 'Pages'}).waitFor();

test('a link signs the owner in, without a key, and changes can be made', async () => {
  const mine = await node.job('linked');
  const page = await open(browser, node, await link(), unknown);
  await entered(page);
  assert.equal(new URL(page.url()).hash, '', 'the code is not in the address any more');
  const [cookie] = await page.context().cookies(`${node.url}/api/v1/session`);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);
  await page.goto(`${node.url}/jobs/${mine.job_id}`);
  await page.getByRole('button', {name: 'Run now'}).click();
  await page.getByRole('heading', {name: /^Run of/}).waitFor();
  await page.finish();
});

test('a used link is refused, and a new one pasted into the same tab signs in', async () => {
  const used = await link();
  const first = await open(browser, node, used, unknown);
  await entered(first);
  await first.finish();
  const page = await open(browser, node, used, unknown);
  await text(page, 'the link was used');
  await page.goto(node.url + (await link())); // nothing but what follows the # differs
  await entered(page);
  await page.finish();
});

test('who needs no link does not use it up', async () => {
  const path = await link();
  const page = await open(browser, node, path);
  await entered(page);
  assert.deepEqual(await page.context().cookies(`${node.url}/api/v1/session`), []);
  await page.finish();
  await node.call('POST', '/session:redeem', {code: path.split('=')[1]});
});

test('a link and a cookie of before a restart are void, and no worse than none', async () => {
  const old = await link();
  const page = await open(browser, node, await link(), unknown);
  await entered(page);
  await node.down();
  await node.up();
  await page.goto(node.url + old);
  await page.reload();
  await page.getByLabel('API key').waitFor();
  assert.deepEqual(await page.context().cookies(`${node.url}/api/v1/session`), []);
  await page.finish();
  const stranger = await open(browser, node, old, unknown);
  await text(stranger, 'the link was used');
  await stranger.finish();
  const own = await open(browser, node, '/docs');
  await own.context().addCookies([{name: 'belfry_session', value: 'bfo_of-before', domain: '127.0.0.1', path: '/api', httpOnly: true, sameSite: 'Strict'}]);
  await own.goto(`${node.url}/jobs`);
  await text(own, 'linked');
  await own.finish();
});

test('the first key is made on the page, which stays signed in', async () => {
  job = await node.job('guarded');
  const page = await open(browser, node, '/settings/keys');
  await text(page, 'No key was ever made');
  await page.getByRole('button', {name: 'New key…'}).click();
  await page.getByLabel('Name, for the audit').fill('first');
  await page.getByRole('button', {name: 'Make it'}).click();
  keys.admin = await page.getByRole('dialog').locator('code').first().innerText();
  assert.match(keys.admin, /^bf_/);
  await page.getByRole('button', {name: 'Close'}).click();
  await page.getByRole('row', {name: /first/}).waitFor();
  await page.reload();
  await page.getByRole('row', {name: /first/}).waitFor();
  await page.finish();
});

test('a wrong key is refused in words', async () => {
  const page = await open(browser, node, '/');
  await page.getByLabel('API key').fill('bf_wrong');
  await page.getByRole('button', {name: 'Sign in'}).click();
  await page.locator('.error').waitFor();
  assert.match(await page.locator('.error').innerText(), /key/);
  await page.finish();
});

test('a viewer sees and cannot change', async () => {
  for (const scope of ['viewer', 'operator', 'worker']) {
    keys[scope] = (await node.call('POST', '/keys', {name: scope, scope}, {Authorization: `Bearer ${keys.admin}`})).secret;
  }
  const page = await signIn('viewer');
  await text(page, 'guarded');
  assert.equal(await page.getByRole('link', {name: 'New job'}).count(), 0);
  await page.goto(`${node.url}/jobs/${job.job_id}`);
  await page.getByRole('heading', {name: 'guarded'}).waitFor();
  assert.equal(await page.getByRole('button', {name: 'Run now'}).count(), 0);
  await page.goto(`${node.url}/settings/tenants`);
  await text(page, 'This needs a root key');
  await page.finish();
});

test('an operator runs jobs and makes no keys', async () => {
  const page = await signIn('operator');
  await page.getByRole('link', {name: 'New job'}).waitFor();
  await page.goto(`${node.url}/jobs/${job.job_id}`);
  await page.getByRole('button', {name: 'Run now'}).click();
  await page.getByRole('heading', {name: /^Run of/}).waitFor();
  await page.goto(`${node.url}/settings/keys`);
  await text(page, "This needs an admin's key");
  await page.finish();
});

test('a worker gets no page', async () => {
  const page = await signIn('worker');
  await page.locator('.error').waitFor();
  assert.match(await page.locator('.error').innerText(), /scope/);
  await page.finish();
});

test('scripts cannot read the cookie, a change without the token is refused, and signing out ends it', async () => {
  const page = await signIn('operator');
  await text(page, 'guarded');
  const [cookie] = await page.context().cookies(`${node.url}/api/v1/session`);
  assert.equal(cookie.httpOnly, true);
  assert.equal(cookie.sameSite, 'Strict');
  assert.equal(await page.evaluate(() => document.cookie), '');
  const status = await page.evaluate(async (id) => (await fetch(`/api/v1/jobs/${id}/pause`, {method: 'POST'})).status, job.job_id);
  assert.equal(status, 403);
  await page.getByRole('button', {name: /Signed in as/}).click();
  await page.getByRole('menuitem', {name: 'Sign out'}).click();
  await page.getByLabel('API key').waitFor();
  assert.deepEqual(await page.context().cookies(`${node.url}/api/v1/session`), []);
  await page.finish();
});
