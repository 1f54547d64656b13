import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { backlog } from '../drain/belfry.mjs';
import { fire as fireLoad } from '../lib/fires.mjs';
import { withNode } from '../lib/node.mjs';
import { end, own, Window } from '../lib/processes.mjs';
import { query } from '../lib/servers.mjs';
import { sleep, waitFor } from '../lib/time.mjs';
import { RestWorker, StreamWorker } from '../lib/workers.mjs';

const HZ = 499;

export const drain = (scene, { runs, way, folder }) =>
  withNode(scene, async (node) => {
    await query(scene.url, 'create extension pg_stat_statements');
    await backlog(scene, node, runs);
    const probe = await Probe.start(scene, node, folder, async () => 0);
    if (way === 'grpc') {
      const worker = await StreamWorker.start(scene, node.grpc, { type: 'backlog', streams: 4, credits: 1000, runs });
      await worker.answer();
    } else {
      const worker = new RestWorker(node.address, { type: 'backlog', polls: 8, most: 1000 });
      await waitFor('all runs', () => worker.confirmed >= runs, { limit: 600_000, pause: 2 });
      await worker.stop();
    }
    return probe.end(async () => runs);
  });

export const fire = (scene, { fires, seconds, way, folder }) =>
  withNode(scene, async (node) => {
    await query(scene.url, 'create extension pg_stat_statements');
    const lead = 2_000 + fires / 10;
    const load = fireLoad(scene, node, { way, fires, seconds, lead });
    await sleep(lead + 4_000); // registered, and the first ticks have come
    const ticks = () => node.rest.metric('belfry_ticks_total{fate="run"}');
    const probe = await Probe.start(scene, node, folder, ticks);
    await sleep((seconds - 3) * 1000);
    const figures = await probe.end(ticks);
    const { p50, p99 } = await load;
    return { ...figures, p50, p99 };
  });

// Everything that looks on, from start to end. `runs()` counts them, at both.
class Probe {
  static async start(scene, node, folder, runs) {
    const probe = new Probe();
    Object.assign(probe, { scene, node, folder });
    probe.perfs = [
      // Whose call of the kernel or of malloc it was shows only in whole stacks.
      perf(folder, 'node', ['--call-graph', 'dwarf,8192', '-p', node.pid]),
      perf(folder, 'database', ['-a']), // also of backends that begin later; sorted out by their numbers
    ];
    await sleep(1_000);
    await query(scene.url, 'select pg_stat_statements_reset()');
    probe.log = await position(scene);
    probe.runs = await runs();
    probe.window = new Window({ nodes: [node.pid], database: scene.database });
    return probe;
  }

  async end(runs) {
    const used = this.window.end();
    const count = (await runs()) - this.runs;
    const until = await position(this.scene);
    const statements = await counted(this.scene);
    const backends = children(this.scene.database);
    for (const one of this.perfs) await end(one, { signal: 'SIGINT' });
    for (const name of ['node', 'database']) stacks(this.folder, name);
    const records = walRecords(this.scene, this.log, until);
    return { runs: count, used, backends, statements, records };
  }
}

function perf(folder, name, words) {
  const file = path.join(folder, `${name}.data`);
  const command = ['record', '-q', '-e', 'cpu-clock', '-F', HZ, '-o', file, ...words].map(String);
  return own(spawn('perf', command, { stdio: ['ignore', 'ignore', 'inherit'] }), 'SIGINT');
}

// The samples as text, for bench/report/stages.py.
function stacks(folder, name) {
  const output = fs.openSync(path.join(folder, `${name}.stacks`), 'w');
  const command = ['script', '--no-inline', '-F', 'comm,pid,ip,sym,dso', '-i', path.join(folder, `${name}.data`)];
  execFileSync('perf', command, { stdio: ['ignore', output, 'ignore'] });
  fs.closeSync(output);
  fs.rmSync(path.join(folder, `${name}.data`));
}

function children(server) {
  const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parent = (pid) => {
    try {
      return +/PPid:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
    } catch {
      return 0; // it ended meanwhile
    }
  };
  return [server, ...all.filter((pid) => parent(pid) === server).map(Number)];
}

const position = async (scene) => (await query(scene.url, 'select pg_current_wal_insert_lsn() as at')).rows[0].at;

async function counted(scene) {
  const { rows } = await query(
    scene.url,
    `select calls::int, rows::int, total_exec_time as ms, shared_blks_hit::int as hits, shared_blks_read::int as reads,
            wal_records::int, wal_bytes::float8, regexp_replace(query, '\\s+', ' ', 'g') as statement
     from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database() and query !~ 'pg_stat_statements' order by total_exec_time desc`,
  );
  return rows;
}

// What the log has of each kind: records, and bytes without page images.
function walRecords(scene, from, until) {
  const command = ['-p', path.join(scene.data, 'pg_wal'), '--stats=record', '-s', from, '-e', until];
  const text = execFileSync(`${scene.bin}/pg_waldump`, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const line = /^(\w+\/\w+)\s+(\d+) \([^)]*\)\s+(\d+) \([^)]*\)\s+(\d+) \(/;
  const found = text.split('\n').map((each) => line.exec(each)).filter(Boolean);
  return found.map(([, kind, count, bytes, images]) => ({ kind, count: +count, bytes: +bytes, images: +images }));
}
