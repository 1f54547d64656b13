// A private PostgreSQL and a private Redis, on the loopback, with their data in a folder of their own.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { end, own } from './processes.mjs';
import { waitFor } from './time.mjs';

// As durable as in production. The same for everybody who is measured.
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '200',
};

const freePort = () =>
  new Promise((done, failed) => {
    const server = net.createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

// PostgreSQL refuses to run as root.
function serverUser() {
  if (process.getuid() !== 0) return {};
  const number = (flag) => +execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return { uid: number('-u'), gid: number('-g') };
}

export async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

export class Postgres {
  static async start(scratch, extra = {}) {
    const server = new Postgres();
    server.bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
    server.data = fs.mkdtempSync(path.join(scratch, 'postgres-'));
    const user = serverUser();
    if (user.uid !== undefined) fs.chownSync(server.data, user.uid, user.gid);
    const how = { ...user, cwd: server.data };
    execFileSync(`${server.bin}/initdb`, ['-D', server.data, '-A', 'trust', '-U', 'postgres', '--no-sync'], {
      ...how,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    server.port = await freePort();
    const settings = { ...SETTINGS, ...extra, port: server.port, listen_addresses: '127.0.0.1' };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = fs.openSync(path.join(server.data, 'server.log'), 'a');
    const command = ['-D', server.data, '-k', server.data, ...flags];
    server.process = spawn(`${server.bin}/postgres`, command, { ...how, stdio: ['ignore', log, log] });
    own(server.process, 'SIGQUIT');
    server.pid = server.process.pid;
    await waitFor('PostgreSQL', () => query(server.url(), 'select 1').catch(() => null), { pause: 100 });
    return server;
  }
  url(database = 'postgres') {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }
  // An empty database; `drop` it when its measurement is over, so that it costs the next one nothing.
  async fresh(name) {
    await query(this.url(), `drop database if exists ${name} with (force)`);
    await query(this.url(), `create database ${name}`);
    await query(this.url(), 'checkpoint');
    return this.url(name);
  }
  async drop(name) {
    await query(this.url(), `drop database if exists ${name} with (force)`);
    await query(this.url(), 'checkpoint');
  }
  async stop() {
    await end(this.process, { signal: 'SIGINT' });
    fs.rmSync(this.data, { recursive: true, force: true });
  }
}

// `appendfsync everysec` is what BullMQ advises; `always` is as durable as PostgreSQL.
export class Redis {
  static async start(scratch, appendfsync = 'everysec') {
    const server = new Redis();
    server.data = fs.mkdtempSync(path.join(scratch, 'redis-'));
    server.port = await freePort();
    const flags = ['--bind', '127.0.0.1', '--port', server.port, '--dir', server.data, '--save', ''];
    flags.push('--appendonly', 'yes', '--appendfsync', appendfsync, '--maxmemory-policy', 'noeviction');
    server.process = own(spawn('redis-server', flags.map(String), { stdio: 'ignore' }));
    server.pid = server.process.pid;
    const listens = () =>
      new Promise((done) => {
        const socket = net.connect(server.port, '127.0.0.1');
        socket.once('connect', () => done(socket.destroy()));
        socket.once('error', () => done(null));
      });
    await waitFor('Redis', listens, { pause: 100 });
    return server;
  }
  async stop() {
    await end(this.process);
    fs.rmSync(this.data, { recursive: true, force: true });
  }
}
