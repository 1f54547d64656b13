// Three nodes on one store: one is killed, and the map shows who has its partitions.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, open, text} from './browser.mjs';
import {Node, until} from './node.mjs';
import {Postgres} from './postgres.mjs';

let postgres;
let browser;
const nodes = [];
before(async () => {
  postgres = await Postgres.start();
  browser = await launch();
  for (const name of ['north', 'south', 'west']) nodes.push(await Node.start('--store', postgres.url, '--node-name', name, '--lease-ttl', '3s', '--lease-renew', '1s'));
});
after(async () => {
  await browser?.close();
  for (const node of nodes) await node.stop();
  await postgres?.stop();
});

const owners = (page) => page.locator('.partitions rect title').evaluateAll((titles) => {
  const counts = {};
  for (const title of titles) {
    const owner = /: (\w+), epoch/.exec(title.textContent)?.[1] ?? '?';
    counts[owner] = (counts[owner] ?? 0) + 1;
  }
  return counts;
});

test('a node that is killed is seen on the map, and so are those who take over', async () => {
  const [north, south] = nodes;
  await until(async () => (await north.call('GET', '/cluster')).nodes.filter((node) => node.alive && node.partitions > 60).length === 3);
  const page = await open(browser, north, '/cluster');
  await until(async () => Object.keys(await owners(page)).length === 3);
  south.process.kill('SIGKILL');
  await page.getByRole('row', {name: /Gone south/}).waitFor();
  await text(page, 'south left');
  await text(page, /partitions from south to (north|west)/);
  await text(page, 'All 256 partitions have a node.');
  await until(async () => (await owners(page)).south === undefined);
  const left = await owners(page);
  assert.equal(left.north + left.west, 256);
  await page.finish();
});
