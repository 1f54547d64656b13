// Fills a node with jobs and lets a worker of its own work on them, all through the public API, so that every page has
// something to show: seed.mjs http://127.0.0.1:7070 SECONDS
const [, , server, seconds = '20'] = process.argv;
const stopAt = Date.now() + Number(seconds) * 1000;

export async function call(base, method, path, body) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: body === undefined ? {} : {'Content-Type': 'application/json'},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

const JOBS = [
  ['billing/nightly-invoices', {cron_expression: '30 2 * * *', timezone: 'Europe/Berlin', job_type: 'billing', max_attempts: 2, retry: {base: '1s', cap: '2s'}}, 'fails'],
  ['billing/settle', {cron_expression: '0,30 8-18 * * MON-FRI', timezone: 'Europe/Berlin', job_type: 'billing'}],
  ['etl/ingest-orders', {cron_expression: '0 * * * *', timezone: 'UTC', job_type: 'etl', payload: {source: 'shop-eu', since: 'PT1H'}}],
  ['etl/warehouse-load', {cron_expression: '30 2 * * *', timezone: 'America/New_York', job_type: 'etl', timeout: '2h'}, 'slow'],
  ['etl/compact', {every: '20s', job_type: 'etl'}],
  ['legacy/ftp-pull', {cron_expression: '7 * * * *', timezone: 'UTC', job_type: 'legacy'}],
  ['ml/retrain', {cron_expression: '0 4 * * SUN', timezone: 'UTC', job_type: 'gpu-train'}],
  ['ops/rotate-logs', {cron_expression: 'H * * * *', timezone: 'UTC', job_type: 'ops'}],
  ['ops/vacuum-db', {cron_expression: '0 14 * * MON#1', timezone: 'UTC', job_type: 'ops'}],
  ['reports/daily', {cron_expression: '0 8 * * MON-FRI', timezone: 'Asia/Tokyo', job_type: 'reports', calendar: 'holidays'}],
  ['reports/hourly', {cron_expression: '15 * * * *', timezone: 'Europe/Berlin', job_type: 'reports'}],
  ['reports/quarter', {cron_expression: '0 6 1 1,4,7,10 *', timezone: 'Europe/Berlin', job_type: 'reports'}],
  ['sync/crm-contacts', {cron_expression: '*/10 * * * *', timezone: 'UTC', job_type: 'sync', max_attempts: 1}, 'fails'],
  ['sync/stock-levels', {every: '15s', job_type: 'sync'}],
  ['web/ping-all', {cron_expression: '*/10 * * * * *', timezone: 'UTC', job_type: 'web'}],
  ['web/sitemap', {cron_expression: 'H H * * *', timezone: 'UTC', job_type: 'web'}],
];

const ERRORS = {'billing/nightly-invoices': 'exit code 3: disk full on /var/lib/invoices', 'sync/crm-contacts': 'HTTP 401 from crm.example: token expired'};
const LOG = ['fetching page 1 of 35', 'fetching page 5 of 35', '\u001b[33mrate limited, waiting 2 s\u001b[0m', 'fetching page 12 of 35', 'upserting 3,412 rows', 'done'];

async function makeJobs() {
  await call(server, 'PUT', '/calendars/holidays', {rules: ['2026-12-24..2027-01-02', '1 MAY *']});
  const made = [];
  for (const [name, definition] of JOBS) {
    const body = {...definition, job_name: name, labels: {team: name.split('/')[0], env: 'prod'}};
    made.push(await call(server, 'PUT', `/jobs/name:${encodeURIComponent(name)}`, body));
  }
  return made;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let turn = 0;

async function work(run, kind) {
  const report = {run_id: run.run_id, fence: run.fence};
  const now = ++turn;
  const took = kind === 'slow' ? 3000 + (now % 7) * 400 : 20 + ((now * 37) % 11) ** 2 * 4;
  if (kind === 'slow') {
    for (let line = 1; line <= LOG.length; ++line) {
      await call(server, 'POST', '/runs:heartbeat', {runs: [{...report, log: `${LOG.slice(0, line).join('\n')}\n`, progress: {done: line, total: LOG.length}}]});
      await wait(took / LOG.length);
    }
  } else await wait(took);
  const bad = (kind === 'fails' && now % 3 !== 0) || now % 23 === 0;
  const end = bad
    ? {status: 'FAILED', error: ERRORS[run.job_name] ?? `upstream answered 503 after ${took} ms`, retryable: run.job_name in ERRORS, log: 'starting\n\u001b[31mit did not work\u001b[0m\n'}
    : {status: 'SUCCEEDED', result: {rows: 3000 + now, pages: 35}, log: `${LOG.join('\n')}\n`};
  await call(server, 'POST', '/runs:complete', {runs: [{...report, ...end}]});
}

async function keepWorking(name, types) {
  const kinds = new Map(JOBS.map(([job, , kind]) => [job, kind]));
  while (Date.now() < stopAt) {
    try {
      const {runs} = await call(server, 'POST', '/runs:claim', {worker_id: name, job_types: types, max_runs: 8, wait_seconds: 2});
      await Promise.all(runs.map((run) => work(run, kinds.get(run.job_name))));
    } catch {
      await wait(1000); // the node restarts
    }
  }
}

async function main() {
  const jobs = await makeJobs();
  const by = (name) => jobs.find((job) => job.job_name === name);
  const now = Date.now();
  const back = (name, days) => call(server, 'POST', `/jobs/${by(name).job_id}/backfill`, {from: new Date(now - days * 86_400_000).toISOString(), to: new Date(now - 60_000).toISOString()});
  const types = ['billing', 'etl', 'legacy', 'ops', 'reports', 'sync', 'web'];
  const workers = [keepWorking('worker-a-1', types), keepWorking('worker-b-7', types)];
  for (const [name, days] of [['etl/ingest-orders', 7], ['reports/hourly', 7], ['billing/settle', 5], ['legacy/ftp-pull', 3], ['sync/crm-contacts', 1], ['billing/nightly-invoices', 14], ['etl/warehouse-load', 3], ['ops/rotate-logs', 4], ['reports/daily', 14], ['web/sitemap', 9]]) {
    await back(name, days);
  }
  await call(server, 'POST', `/jobs/${by('ml/retrain').job_id}/trigger`, {});
  await call(server, 'POST', `/jobs/${by('legacy/ftp-pull').job_id}/pause`, {note: 'vendor freeze', until: new Date(now + 15 * 86_400_000).toISOString()});
  await call(server, 'POST', `/jobs/${by('sync/stock-levels').job_id}/pause`, {note: 'stocktaking'});
  setTimeout(() => void call(server, 'POST', `/jobs/${by('sync/stock-levels').job_id}/resume`, {}), 40_000).unref();
  await Promise.all(workers);
}

if (server) await main();
