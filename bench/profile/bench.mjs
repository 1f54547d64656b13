// Where the time of a run goes: perf beside a load, what PostgreSQL counted, and what is in its log.
//
// usage: bench.mjs drain|fire [--size small|full] [--set NAME=VALUE]
import fs from 'node:fs';
import { belfry, measured } from '../lib/contestant.mjs';
import { machine, versions } from '../lib/machine.mjs';
import { parse } from '../lib/options.mjs';
import { Stage } from '../lib/question.mjs';

const [load, ...words] = process.argv.slice(2);
if (!['drain', 'fire'].includes(load)) {
  console.error('what is to be profiled? drain or fire');
  process.exit(2);
}
const options = parse(words, {
  small: { runs: 5_000, fires: 6_000, seconds: 10, way: 'grpc' },
  full: { runs: 200_000, fires: 100_000, seconds: 60, way: 'grpc' },
});

const stage = new Stage({
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  wal_keep_size: '6GB', // the log is read afterwards
});
try {
  const scene = await stage.scene('postgres');
  const folder = `build/bench/profile-${load}`;
  fs.mkdirSync(folder, { recursive: true });
  const args = { ...options.settings, folder };
  const figures = await measured(belfry('Belfry', 'profile/belfry.mjs', load, args), scene);
  const answer = { load, size: options.size, settings: options.settings, date: new Date().toISOString() };
  Object.assign(answer, { machine: machine(), versions: versions(), ...figures });
  fs.writeFileSync(`${folder}/figures.json`, `${JSON.stringify(answer, null, 1)}\n`);
} finally {
  await stage.close();
}
