// CPU and memory of processes, and the end of those that we started.
import fs from 'node:fs';
import { rounded } from './statistics.mjs';
import { now } from './time.mjs';

const HZ = 100; // the kernel's unit for /proc, on every Linux that Debian builds

function stat(pid) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
  return { parent: fields[1], own: fields[11] + fields[12], children: fields[13] + fields[14] };
}

export const cpuOf = (pid) => stat(pid).own / HZ;

// Of a server and its children, dead or alive.
export function cpuOfTree(pid) {
  const server = stat(pid);
  let ticks = server.own + server.children;
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const process = stat(name);
      if (process.parent === pid) ticks += process.own + process.children;
    } catch {} // it ended meanwhile
  }
  return ticks / HZ;
}

export function ownCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export function residentMiB(pid) {
  return +/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1] / 1024;
}

// Time and CPU from its making to end(): of this process, of node processes, of the database.
export class Window {
  constructor({ nodes = [], database = null } = {}) {
    this.sources = {
      client: ownCpu,
      nodes: () => nodes.reduce((sum, pid) => sum + cpuOf(pid), 0),
      database: () => (database ? cpuOfTree(database) : 0),
    };
    this.begin = now();
    this.before = this.read();
  }
  read() {
    return Object.fromEntries(Object.entries(this.sources).map(([name, read]) => [name, read()]));
  }
  seconds() {
    return (now() - this.begin) / 1000;
  }
  end() {
    const after = this.read();
    const used = (name) => rounded(after[name] - this.before[name], 3);
    return { seconds: this.seconds(), client: used('client'), nodes: used('nodes'), database: used('database') };
  }
}

// ---- What must not outlive us

const owned = new Map(); // pid: signal

export function own(child, signal = 'SIGTERM') {
  owned.set(child.pid, signal);
  child.once('exit', () => owned.delete(child.pid));
  return child;
}

export function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => child.once('exit', done));
}

// Asks a process to end, and insists after `limit` ms.
export async function end(child, { signal = 'SIGTERM', limit = 30_000 } = {}) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), limit);
  await ended(child);
  clearTimeout(timer);
}

const lives = (pid) => {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

// Nothing asynchronous happens any more when a process exits, so this waits without events.
process.on('exit', () => {
  for (const [pid, signal] of owned) {
    try {
      process.kill(pid, signal);
    } catch {} // it ended meanwhile
  }
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 100 && [...owned.keys()].some(lives); i++) Atomics.wait(nothing, 0, 0, 50);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
