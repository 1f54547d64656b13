// Debian's chromium for the tests. Whatever a test does, no page may break its content security policy, call another
// origin, run injected script, or throw: `finish` fails the test if one did.
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';

const require = createRequire(new URL('../../console/package.json', import.meta.url));
const {chromium} = require('playwright-core');
export const axeSource = require('axe-core').source;

export const launch = () => chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});

// A page on the node, with everything watched.
export async function open(browser, node, path = '/', options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 860}, reducedMotion: 'reduce', ...options});
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {origin: node.url});
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // a limit for broken tests
  const wrong = [];
  await page.exposeFunction('reportWrong', (what) => wrong.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => window.reportWrong(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    window.injected = () => window.reportWrong('injected script ran');
  });
  page.on('dialog', (dialog) => (wrong.push(`dialog: ${dialog.message()}`), void dialog.dismiss()));
  page.on('pageerror', (error) => wrong.push(`error: ${error.stack}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== node.url && url.protocol !== 'blob:') wrong.push(`request to ${request.url()}`);
  });
  await page.goto(node.url + path);
  page.finish = async () => {
    await context.close();
    assert.deepEqual(wrong, []);
  };
  return page;
}

export const text = (page, words) => page.getByText(words).first().waitFor();
