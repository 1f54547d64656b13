// The calls that each page of the console makes, as often as `visits` says, beside as much data as a large user has.
// A page is usable when its slowest call has been answered; what is printed is the p95 of that, and of each call.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BelfryNode } from '../lib/node.mjs';
import { parse } from '../lib/options.mjs';
import { Postgres, query } from '../lib/servers.mjs';
import { spread } from '../lib/statistics.mjs';
import { now } from '../lib/time.mjs';
import { pagesOf } from './pages.mjs';

const GOAL_MS = 300;
const { settings, size, only } = parse(process.argv.slice(2), {
  small: { jobs: 5_000, history: 50_000, visits: 10 },
  full: { jobs: 1_000_000, history: 10_000_000, visits: 100 },
});
const scene = {
  scratch: fs.mkdtempSync(path.join(os.tmpdir(), 'belfry-bench-console-')),
  programs: { belfry: process.env.BELFRY ?? 'build/belfry' },
};
fs.chmodSync(scene.scratch, 0o755); // PostgreSQL runs as another user

// A schema as the node makes it, then rows as fast as the server can write them.
async function fill(url) {
  const first = await BelfryNode.start(scene, url);
  await first.stop();
  const load = fs.readFileSync('bench/plans/load.sql', 'utf8');
  await query(url, `set statement_timeout = 0; set load.jobs = ${settings.jobs}; set load.history = ${settings.history}; ${load}`);
  await query(url, 'vacuum analyze');
}

async function visit(rest, calls, took) {
  const begin = now();
  await Promise.all(calls.map(async ([method, address, body], i) => {
    await rest.call(method, address, body).catch((error) => {
      throw new Error(`${method} ${address}: ${error.message}`);
    });
    (took[i] ??= []).push(now() - begin);
  }));
  return now() - begin;
}

async function measure(node) {
  const rows = [];
  const { items } = await node.rest.call('GET', '/jobs?limit=50&q=report-');
  const pages = await pagesOf(node.rest, items);
  for (const [name, calls] of Object.entries(pages)) {
    if (!name.includes(only)) continue;
    const whole = [];
    const each = [];
    for (let i = 0; i < settings.visits; ++i) whole.push(await visit(node.rest, calls(i), each));
    const slowest = calls(0).map(([method, address], i) => ({ call: `${method} ${address.split('?')[0]}`, p95: spread(each[i]).p95 })).sort((a, b) => b.p95 - a.p95)[0];
    rows.push({ page: name, calls: calls(0).length, ...spread(whole), slowest: `${slowest.call} ${slowest.p95}` });
  }
  return rows;
}

const postgres = await Postgres.start(scene.scratch);
let failed = 0;
try {
  await fill(postgres.url());
  const node = await BelfryNode.start(scene, postgres.url());
  await node.owns(256);
  const rows = await measure(node).catch((error) => {
    throw new Error(`${error.message}; the node said:\n${fs.readFileSync(node.log, 'utf8').slice(-2000)}`);
  });
  await node.stop();
  console.log(`${settings.jobs} jobs, ${settings.history} rows of history, ${settings.visits} visits of each page; milliseconds`);
  console.table(rows);
  fs.mkdirSync('build/bench', { recursive: true });
  fs.writeFileSync('build/bench/console.json', JSON.stringify({ settings, rows }, null, 2));
  const slow = rows.filter((row) => row.p95 > GOAL_MS).map((row) => row.page);
  console.log(slow.length ? `above ${GOAL_MS} ms: ${slow.join(', ')}` : `every page is usable within ${GOAL_MS} ms`);
  failed = size === 'full' && slow.length > 0 ? 1 : 0; // figures of a small one mean nothing
} finally {
  await postgres.stop();
  fs.rmSync(scene.scratch, { recursive: true, force: true });
}
process.exitCode = failed;
