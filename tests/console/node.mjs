// A real node for the browser tests: `belfry serve` on a fresh SQLite file, on a port the system picks.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 60_000); // a limit for broken tests, never a measurement
export const belfry = process.env.BELFRY ?? new URL('../../build/belfry', import.meta.url).pathname;

export class Node {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'belfry-console-'));
    this.listen = '127.0.0.1:0';
  }

  static async start(...more) {
    const node = new Node();
    await node.up(...more);
    return node;
  }

  async up(...more) {
    const process_ = spawn(belfry, ['serve', '--data-dir', join(this.folder, 'data'), '--listen', this.listen, ...more], {cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe']});
    this.process = process_;
    this.ended = new Promise((resolve) => process_.once('exit', resolve));
    let log = '';
    const address = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the node does not listen:\n${log}`)), PATIENCE_MS);
      process_.stderr.on('data', (data) => {
        log += data;
        const found = /\blistening\b.*\baddress"?[=:]\s*"?([0-9.]+:[0-9]+)/.exec(log);
        if (found) (clearTimeout(timer), resolve(found[1]));
      });
      process_.once('exit', (code) => reject(new Error(`the node ended with ${code}:\n${log}`)));
    });
    this.listen = address; // a restart comes back where it was
    this.url = `http://${address}`;
    await until(async () => (await fetch(`${this.url}/readyz`)).ok);
  }

  async down() {
    this.process.kill('SIGTERM');
    await this.ended;
  }

  async stop() {
    await this.down();
    rmSync(this.folder, {recursive: true, force: true});
  }

  async call(method, path, body, headers = {}) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {...headers, ...(body === undefined ? {} : {'Content-Type': 'application/json'})},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  job(name, fields = {}) {
    return this.call('POST', '/jobs', {job_name: name, every: '365d', ...fields});
  }

  // A run of the job that is over, ended by a worker as `end` says.
  async finished(job, end) {
    const run = await this.call('POST', `/jobs/${job.job_id}/trigger`, {});
    const {runs} = await this.call('POST', '/runs:claim', {worker_id: 'tester', job_types: [job.job_type], max_runs: 1, wait_seconds: 20});
    await this.call('POST', '/runs:complete', {runs: [{run_id: runs[0].run_id, fence: runs[0].fence, ...end}]});
    await until(async () => !['READY', 'RUNNING'].includes((await this.call('GET', `/runs/${run.run_id}`)).state));
    return run.run_id;
  }
}

export async function until(condition) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await condition().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`it never came true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
