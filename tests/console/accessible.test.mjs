// Every page in both themes: nothing that axe-core objects to, and nothing wider than the narrowest screen.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {axeSource, launch, open} from './browser.mjs';
import {furnish, settled} from './every_page.mjs';
import {Node} from './node.mjs';

let node;
let browser;
let pages;
before(async () => {
  node = await Node.start();
  browser = await launch();
  pages = await furnish(node);
});
after(async () => {
  await browser?.close();
  await node?.stop();
});

async function violations(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => (await window.axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})).violations);
  return found.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((one) => `${one.target} ${one.failureSummary?.split('\n')[1] ?? ''}`).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  test(`no page has a violation, ${colorScheme}`, async () => {
    const page = await open(browser, node, '/', {colorScheme});
    const found = {};
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(node.url + path);
      await settled(page);
      const list = await violations(page);
      if (list.length) found[name] = list;
    }
    assert.deepEqual(found, {});
    await page.finish();
  });
}

test('dialogs, the palette and menus have none either', async () => {
  const page = await open(browser, node, pages.timeline);
  const found = {};
  const look = async (name) => {
    const list = await violations(page);
    if (list.length) found[name] = list;
  };
  await page.getByRole('button', {name: 'Pause…'}).click();
  await page.getByRole('dialog').waitFor();
  await look('pause');
  await page.keyboard.press('Escape');
  await page.getByRole('button', {name: /^More for/}).click();
  await look('menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', {name: /fine/}).first().waitFor();
  await look('palette');
  assert.deepEqual(found, {});
  await page.finish();
});

test('no page is wider than 360 pixels where the screen is not', async () => {
  const page = await open(browser, node, '/', {viewport: {width: 360, height: 740}});
  const wide = [];
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(node.url + path);
    await settled(page);
    const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (extra > 0) wide.push(`${name}: ${extra}`);
  }
  assert.deepEqual(wide, []);
  await page.finish();
});
