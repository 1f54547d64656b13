// One question, asked of everybody in turn, round after round: a busy minute then favours nobody. All figures of all
// rounds are kept in build/bench/NAME.json; bench/report makes medians, ratios and tables of them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { measured } from './contestant.mjs';
import { load, machine, versions } from './machine.mjs';
import { Postgres, Redis } from './servers.mjs';

const say = (text) => console.error(`[${new Date().toISOString().slice(11, 19)}] ${text}`);

export const programs = {
  belfry: path.resolve(process.env.BELFRY ?? 'build/belfry'),
  streamWorker: path.resolve('build/release/bench/workers/stream_worker'),
  rawPostgres: path.resolve('build/release/bench/raw/raw_postgres'),
  rawSqlite: path.resolve('build/release/bench/raw/raw_sqlite'),
  inProcess: path.resolve('build/release/bench/drain/drain_in_process'),
};

// The servers of a bench, and a folder for what they write.
export class Stage {
  constructor(settings = {}) {
    this.settings = settings; // of PostgreSQL
    this.scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'belfry-bench-'));
    fs.chmodSync(this.scratch, 0o755); // PostgreSQL's user passes through
    process.on('exit', () => fs.rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5 }));
  }
  async postgres() {
    return (this.postgresServer ??= await Postgres.start(this.scratch, this.settings));
  }
  async redis() {
    return (this.redisServer ??= await Redis.start(this.scratch));
  }
  // What a measurement finds: programs, a folder, and an empty database or Redis.
  async scene(needs) {
    const scene = { scratch: this.scratch, programs };
    if (needs === 'postgres') {
      const server = await this.postgres();
      const url = await server.fresh('bench');
      Object.assign(scene, { url, database: server.pid, port: server.port, bin: server.bin, data: server.data });
    }
    if (needs === 'redis') {
      const server = await this.redis();
      Object.assign(scene, { redis: server.port, database: server.pid });
    }
    return scene;
  }
  async clear(needs) {
    if (needs === 'postgres') await this.postgresServer.drop('bench');
  }
  async close() {
    await this.postgresServer?.stop();
    await this.redisServer?.stop();
    fs.rmSync(this.scratch, { recursive: true, force: true });
  }
}

// parts: [{name, contestants, goals, postgres, rounds, compare}]: `postgres` are settings of the part's server, `compare`
// the measures of which the quick bench keeps ratios. measures: {name: {title, better: 'low' | 'high', digits}}, of which
// the first is the main one. goals: [{who, measure, limit}] in the sense of the measure's `better`.
export async function ask({ bench, question, measures, parts, options, rounds = options.runs }) {
  const answer = { bench, partial: options.only !== '', question, measures, size: options.size, settings: options.settings, rounds };
  Object.assign(answer, { date: new Date().toISOString(), machine: machine(), versions: versions(), load_before: load() });
  answer.parts = parts.map(({ name, goals = [], compare }) => ({ name, goals, compare, rows: [] }));
  for (const [index, part] of parts.entries()) {
    const kept = answer.parts[index];
    await askPart({ bench, part, kept, only: options.only, rounds: part.rounds ?? rounds, keep: () => save(answer) });
  }
  answer.load_after = load();
  save(answer);
  return answer;
}

async function askPart({ bench, part, kept, only, rounds, keep }) {
  const chosen = part.contestants.filter(({ who }) => `${part.name}: ${who}`.includes(only));
  kept.rows = chosen.map(({ kind, who, settings }) => ({ kind, who, settings, figures: [], errors: [] }));
  const stage = new Stage(part.postgres);
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const [place, contestant] of chosen.entries()) {
        say(`${bench}: ${part.name}, round ${round} of ${rounds}: ${contestant.who}`);
        await one(stage, contestant, kept.rows[place]);
        keep();
      }
    }
  } finally {
    await stage.close();
  }
}

// A measurement that fails leaves its reason, and the others go on.
async function one(stage, contestant, row) {
  try {
    const scene = await stage.scene(contestant.needs);
    const figures = await measured(contestant, scene);
    row.figures.push(figures);
    say(`  ${JSON.stringify(figures, (name, value) => (name === 'curve' ? undefined : value))}`);
  } catch (error) {
    row.errors.push(error.message.split('\n')[0].slice(0, 200));
    say(`  failed: ${error.message}`);
  } finally {
    await stage.clear(contestant.needs);
  }
}

function save(answer) {
  fs.mkdirSync('build/bench', { recursive: true });
  const file = `build/bench/${answer.bench}${answer.partial ? '-only' : ''}.json`; // one row is no table
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(answer, null, 1)}\n`);
  fs.renameSync(`${file}.new`, file);
}
