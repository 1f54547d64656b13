// A node of Belfry as its users run it: a process of its own.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { end, own } from './processes.mjs';
import { Rest } from './rest.mjs';
import { now, waitFor } from './time.mjs';

let count = 0;

export class BelfryNode {
  // `store` is the address of its store; further `flags` are those of `belfry serve`.
  static async start(scene, store, { flags = [], name } = {}) {
    const node = new BelfryNode();
    const folder = path.join(scene.scratch, `node-${process.pid}-${++count}`);
    fs.mkdirSync(folder);
    node.log = path.join(folder, 'log');
    const output = fs.openSync(node.log, 'a');
    const begin = now();
    const command = ['serve', '--store', store, '--listen', '127.0.0.1:0', '--data-dir', folder];
    command.push('--with-worker', 'off', '--allow-private-webhooks', '127.0.0.0/8');
    command.push('--node-name', name ?? `bench-${count}`, ...flags);
    node.process = own(spawn(scene.programs.belfry, command, { stdio: ['ignore', output, output] }), 'SIGKILL');
    node.pid = node.process.pid;
    node.address = await node.said(/listening\S* address=(\S+)/);
    node.grpc = await node.said(/grpc_ready grpc=(\S+)/);
    node.rest = new Rest(node.address);
    await waitFor('readiness', () => node.rest.text('GET', '/readyz').catch(() => null), { limit: 600_000 });
    node.readyMs = now() - begin;
    node.begin = begin;
    return node;
  }
  said(pattern) {
    return waitFor(`a line of the log like ${pattern}`, () => {
      const text = fs.readFileSync(this.log, 'utf8');
      const found = pattern.exec(text);
      if (!found && this.process.exitCode !== null) throw new Error(`belfry ended: ${text.slice(-500)}`);
      return found?.[1];
    }, { limit: 60_000 });
  }
  // Until it has written that many runs; the backlog is complete then.
  decided(runs, limit = 600_000) {
    const enough = async () => (await this.rest.metric('belfry_ticks_total{fate="run"}')) >= runs;
    return waitFor(`${runs} decided ticks`, enough, { limit, pause: 100 });
  }
  owns(partitions) {
    const all = async () => (await this.rest.metric('belfry_partitions_owned')) >= partitions;
    return waitFor(`${partitions} partitions`, all, { pause: 50 });
  }
  kill() {
    this.process.kill('SIGKILL');
    this.rest.close();
  }
  async stop() {
    this.rest.close();
    await end(this.process);
  }
}

// Runs `work` beside a node on an empty database, which ends with it.
export async function withNode(scene, work, options) {
  const node = await BelfryNode.start(scene, scene.url, options);
  try {
    await node.owns(256);
    return await work(node);
  } finally {
    await node.stop();
  }
}
