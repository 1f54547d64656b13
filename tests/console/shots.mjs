// Every page in both themes at two widths, as PNG: shots.mjs SERVER FOLDER [page…]. Look at each.
import {mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';

const require = createRequire(new URL('../../console/package.json', import.meta.url));
const {chromium} = require('playwright-core');
const [, , server, folder, ...only] = process.argv;
mkdirSync(folder, {recursive: true});

const get = async (path) => (await fetch(`${server}/api/v1${path}`)).json();
const find = async (name) => (await get(`/jobs/name:${encodeURIComponent(name)}`)).job_id;

async function pages() {
  const job = await find('etl/ingest-orders');
  const failing = await find('billing/nightly-invoices');
  const run = (await get(`/jobs/${await find('etl/warehouse-load')}/runs?limit=1`)).items[0].run_id;
  const dead = (await get('/runs?state=DEAD&limit=1')).items[0]?.run_id ?? run;
  return {
    overview: '/', jobs: '/jobs', job: `/jobs/${job}`, 'job-runs': `/jobs/${failing}/runs`, 'job-schedule': `/jobs/${failing}/schedule`,
    'job-definition': `/jobs/${job}/definition`, 'job-revisions': `/jobs/${failing}/revisions`, 'job-why': `/jobs/${await find('legacy/ftp-pull')}/why`, new: '/jobs/new', edit: `/jobs/${job}/edit`,
    import: '/jobs/import', runs: '/runs', run: `/runs/${run}`, 'run-dead': `/runs/${dead}`, upcoming: '/upcoming', 'upcoming-week': '/upcoming?span=7d',
    calendar: `/calendar?job=${job}`, dead: '/dead-letters', workers: '/workers', cluster: '/cluster', audit: '/audit', settings: '/settings',
    keys: '/settings/keys', tenants: '/settings/tenants', calendars: '/settings/calendars', secrets: '/settings/secrets', types: '/settings/types', alerts: '/alerts', 'alert-rules': '/alerts/rules', 'alert-history': '/alerts/history', checkins: '/checkins', 'job-alerts': `/jobs/${failing}/alerts`, docs: '/docs', 'docs-page': '/docs/concepts/schedules', 'docs-api': '/docs/api', 'docs-call': '/docs/api/createJob',
  };
}

const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
const all = Object.entries(await pages()).filter(([name]) => only.length === 0 || only.includes(name));
for (const theme of ['light', 'dark']) {
  for (const width of [1440, 390]) {
    if (process.env.ONLY && process.env.ONLY !== `${theme}-${width}`) continue;
    const context = await browser.newContext({viewport: {width, height: width === 1440 ? 900 : 844}, colorScheme: theme, reducedMotion: 'reduce'});
    for (const [name, path] of all) {
      const page = await context.newPage();
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && console.log(`${name}: ${message.text()}`));
      page.on('pageerror', (error) => console.log(`${name}: ${error.stack}`));
      await page.goto(server + path);
      await page.waitForLoadState('load');
      await page.waitForTimeout(900);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) console.log(`${name} ${width}: ${wide} px too wide`);
      await page.screenshot({path: `${folder}/${name}-${theme}-${width}.png`, fullPage: width === 390});
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
