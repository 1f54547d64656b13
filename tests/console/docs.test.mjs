// The docs in the node: pages, search, problems by their type, and calls that are tried.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, open, text} from './browser.mjs';
import {Node} from './node.mjs';

const root = new URL('../../', import.meta.url).pathname;
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

const files = (folder) => readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));

test('every page of docs/ is there, with its title and no link that leads nowhere', async () => {
  const names = files(join(root, 'docs')).filter((file) => file.endsWith('.md')).map((file) => file.slice(join(root, 'docs/').length, -3));
  const page = await open(browser, node, '/docs');
  const broken = [];
  for (const name of names) {
    await page.goto(`${node.url}/docs/${name}`);
    const title = /^# (.*)$/m.exec(readFileSync(join(root, 'docs', `${name}.md`), 'utf8'))[1].replace(/[`*]/g, '');
    await page.locator('.prose h1', {hasText: title}).waitFor();
    const links = await page.locator('.prose a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    for (const link of links) {
      if (link.startsWith('#') && !(await page.evaluate((id) => Boolean(document.getElementById(id)), link.slice(1)))) broken.push(`${name}: ${link}`);
      else if (link.startsWith('/docs/') && !names.includes(link.slice(6).split('#')[0])) broken.push(`${name}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
  await page.finish();
});

test('search finds a section and opens it', async () => {
  const page = await open(browser, node, '/docs');
  await page.getByLabel('Search the docs').fill('rotate the key');
  await page.getByRole('link', {name: 'Secrets › Rotate the key'}).click();
  await page.waitForURL(/docs\/guides\/secrets#rotate-the-key/);
  await page.getByRole('heading', {name: 'Rotate the key'}).waitFor();
  await page.finish();
});

test('the type of a problem is a page of the node, and the console leads there', async () => {
  const refusal = await fetch(`${node.url}/api/v1/jobs/0000000000000000`);
  assert.equal(refusal.status, 404);
  const {type} = await refusal.json();
  assert.equal(type, '/problems/not_found');
  const page = await open(browser, node, '/jobs/0000000000000000');
  await page.getByRole('link', {name: 'What this means'}).click();
  await page.getByRole('heading', {name: 'not_found'}).waitFor();
  assert.equal(new URL(page.url()).pathname, type);
  await page.finish();
});

test('every code that the node can answer with has its section', () => {
  const known = readFileSync(join(root, 'docs/reference/problems.md'), 'utf8');
  const sources = files(join(root, 'src')).filter((file) => /\/(api|service|net)\/.*\.(cc|h)$/.test(file) && !file.endsWith('_test.cc'));
  const codes = new Set(sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\.?\bcode = "([a-z_]+)"/g)].map((found) => found[1])));
  assert.ok(codes.size > 15, `only ${codes.size} codes were found`);
  assert.deepEqual([...codes].filter((code) => !known.includes(`## ${code}\n`)), []);
});

test('a call is tried from its page, as who is signed in', async () => {
  const page = await open(browser, node, '/docs/api');
  await page.getByRole('link', {name: '/jobs', exact: true}).last().click();
  await page.getByRole('heading', {name: 'Create a job'}).waitFor();
  await page.getByLabel('Body').fill('{"job_name": "tried", "every": "365d"}');
  await page.getByRole('button', {name: 'Send'}).click();
  await page.locator('.pill', {hasText: '201'}).waitFor();
  assert.equal((await node.call('GET', '/jobs/name:tried')).job_name, 'tried');
  await page.getByLabel('Body').fill('{"job_name": "tried"}');
  await page.getByRole('button', {name: 'Send'}).click();
  await page.locator('.pill', {hasText: '422'}).waitFor();
  await text(page, '/problems/invalid');
  await page.finish();
});

test('a field leads to what the docs say of it', async () => {
  const page = await open(browser, node, '/jobs/new');
  const link = page.getByRole('link', {name: 'Docs: misfire_policy'});
  await page.goto(node.url + (await link.getAttribute('href')));
  await page.locator('tr#misfire_policy').waitFor();
  await page.finish();
});
