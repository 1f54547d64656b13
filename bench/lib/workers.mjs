// What takes runs: long polls over REST, streams over gRPC, and a place where webhooks arrive. Their work takes no time.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { end, own, ended } from './processes.mjs';
import { Rest } from './rest.mjs';
import { now, sleep } from './time.mjs';

// `polls` claims wait at once, each for up to `most` runs. `onRun(scheduled, arrived)` hears of every run.
export class RestWorker {
  constructor(address, { type, polls = 8, most = 250, onRun = () => {} }) {
    this.rest = new Rest(address, polls + 8);
    this.order = { type, most, onRun };
    this.confirmed = 0;
    this.refused = 0;
    this.stopped = false;
    this.lanes = Promise.all(Array.from({ length: polls }, (_, index) => this.lane(`poll-${index}`)));
  }
  async lane(worker) {
    const { type, most } = this.order;
    const order = { worker_id: worker, job_types: [type], max_runs: most, lease_seconds: 30, wait_seconds: 2 };
    while (!this.stopped) {
      try {
        const { runs } = await this.rest.call('POST', '/runs:claim', order);
        if (runs.length > 0) await this.report(runs);
      } catch (error) {
        if (this.stopped) return;
        console.error(`worker: ${error.message}`);
        await sleep(50);
      }
    }
  }
  async report(runs) {
    const arrived = now();
    for (const run of runs) this.order.onRun(Date.parse(run.scheduled_for), arrived);
    const ends = runs.map(({ run_id, fence }) => ({ run_id, fence, status: 'SUCCEEDED' }));
    const answer = await this.rest.call('POST', '/runs:complete', { runs: ends });
    const good = answer.results.filter((result) => result.answer === 'OK').length;
    this.confirmed += good;
    this.refused += runs.length - good;
  }
  async stop() {
    this.stopped = true;
    await this.lanes;
    this.rest.close();
  }
}

// The C++ program bench/workers/stream_worker.cc: a client in Node would take the cores that the node needs.
export class StreamWorker {
  // Ends by itself after `runs` confirmed reports, or is stopped. Lags are those of [from, until).
  // The server allows a stream 1,000 credits.
  static async start(scene, address, { type, streams = 2, credits = 500, runs = 0, from = 0, until = 1e15 }) {
    const worker = new StreamWorker();
    const order = [address, type, streams, credits, runs, from, until].map(String);
    worker.process = own(spawn(scene.programs.streamWorker, order, { stdio: ['ignore', 'pipe', 'inherit'] }));
    worker.output = '';
    worker.process.stdout.setEncoding('utf8');
    await new Promise((ready, failed) => {
      worker.process.stdout.on('data', (text) => {
        worker.output += text;
        if (worker.output.startsWith('ready\n')) ready();
      });
      worker.process.once('exit', () => failed(new Error('the stream worker ended')));
    });
    return worker;
  }
  async answer(limit = 900_000) {
    const timer = setTimeout(() => this.process.kill('SIGKILL'), limit);
    await ended(this.process);
    clearTimeout(timer);
    if (this.process.exitCode !== 0) throw new Error('the stream worker failed, or did not end in time');
    return JSON.parse(this.output.trim().split('\n').at(-1));
  }
  async stop() {
    await end(this.process);
    return this.answer();
  }
}

export class WebhookSink {
  static async start(onRun) {
    const sink = new WebhookSink();
    sink.server = http.createServer((request, answer) => {
      onRun(Date.parse(request.headers['belfry-scheduled-for']), now());
      request.resume();
      request.on('end', () => answer.end('{}'));
    });
    await new Promise((listening) => sink.server.listen(0, '127.0.0.1', listening));
    sink.url = `http://127.0.0.1:${sink.server.address().port}/`;
    return sink;
  }
  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
