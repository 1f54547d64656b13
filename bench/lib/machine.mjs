// What a figure was measured on: without it, it means nothing.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';

const first = (command, ...words) => {
  try {
    return execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim().split('\n')[0];
  } catch {
    return null;
  }
};

export const machine = () => ({
  cores: os.cpus().length,
  model: os.cpus()[0].model,
  memory_gib: Math.round(os.totalmem() / 2 ** 30),
  kernel: os.release(),
});

const npmPackages = ['graphile-worker', 'pg-boss', 'bullmq'];

function npmVersion(name) {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name)) {
    try {
      return require(`${folder}/${name}/package.json`).version;
    } catch {} // not in this folder
  }
  return null;
}

function commit() {
  const changed = first('git', 'status', '--porcelain', '-uno') ? ' and changes' : '';
  const other = process.env.BELFRY ? ' (but belfry itself is another binary)' : '';
  return first('git', 'rev-parse', '--short', 'HEAD') + changed + other;
}

export const versions = () => ({
  commit: commit(),
  PostgreSQL: first('pg_config', '--version')?.replace(/^PostgreSQL (\S+).*/, '$1') ?? null,
  Redis: /v=(\S+)/.exec(first('redis-server', '--version') ?? '')?.[1] ?? null,
  Node: process.versions.node,
  ...Object.fromEntries(npmPackages.map((name) => [name, npmVersion(name)])),
});

export const load = () => +os.loadavg()[0].toFixed(2);
