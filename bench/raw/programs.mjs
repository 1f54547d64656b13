// The raw limits that are measured by bench/raw/raw_postgres.cc and bench/raw/raw_sqlite.cc.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const start = promisify(execFile);

async function rawPostgres(scene, kind, batch, connections, amount) {
  const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: scene.port, PGUSER: 'postgres', PGDATABASE: 'bench' };
  const words = [kind, batch, connections, amount].map(String);
  return JSON.parse((await start(scene.programs.rawPostgres, words, { env })).stdout);
}

export async function drain(scene, { runs }) {
  const { done, rate } = await rawPostgres(scene, 'drain', 1000, 2, runs);
  if (done !== runs) throw new Error(`${done} of ${runs} rows`);
  return { rate: Math.round(rate) };
}

export async function insert(scene, { seconds }) {
  const rate = async (batch, connections) =>
    Math.round((await rawPostgres(scene, 'insert', batch, connections, seconds)).rate);
  return { one: await rate(1, 1), concurrent: await rate(1, 8), batch: await rate(1000, 4) };
}

export async function sqliteDrain(scene, { runs }) {
  const folder = fs.mkdtempSync(path.join(scene.scratch, 'sqlite-'));
  const words = [runs, 1000, path.join(folder, 'raw.db')].map(String);
  const { done, rate } = JSON.parse((await start(scene.programs.rawSqlite, words)).stdout);
  fs.rmSync(folder, { recursive: true });
  if (done !== runs) throw new Error(`${done} of ${runs} rows`);
  return { rate: Math.round(rate) };
}
