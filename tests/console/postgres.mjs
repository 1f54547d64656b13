// A PostgreSQL of its own, for what takes several nodes.
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {chownSync, mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {until} from './node.mjs';

const freePort = () =>
  new Promise((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => done(port));
    });
  });

// It refuses to run as root.
function serverUser() {
  if (process.getuid() !== 0) return {};
  const number = (flag) => Number(execFileSync('id', [flag, 'postgres'], {encoding: 'utf8'}));
  return {uid: number('-u'), gid: number('-g')};
}

export class Postgres {
  static async start() {
    const server = new Postgres();
    const bin = execFileSync('pg_config', ['--bindir'], {encoding: 'utf8'}).trim();
    server.data = mkdtempSync(join(tmpdir(), 'belfry-console-postgres-'));
    const how = {...serverUser(), cwd: server.data};
    if (how.uid !== undefined) chownSync(server.data, how.uid, how.gid);
    execFileSync(`${bin}/initdb`, ['-D', server.data, '-A', 'trust', '-U', 'postgres', '--no-sync'], {...how, stdio: 'ignore'});
    const port = await freePort();
    const flags = ['-D', server.data, '-k', server.data, '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
    server.process = spawn(`${bin}/postgres`, flags, {...how, stdio: 'ignore'});
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    await until(async () => spawnSync(`${bin}/pg_isready`, ['-h', '127.0.0.1', '-p', String(port)], {stdio: 'ignore'}).status === 0);
    server.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    return server;
  }

  async stop() {
    this.process.kill('SIGINT');
    await this.ended;
    rmSync(this.data, {recursive: true, force: true});
  }
}
