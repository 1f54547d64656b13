// croner and cron-parser: nanoseconds per next fire time, and a checksum of the first 200.
// usage: node cron.mjs <expressions file>
import fs from 'node:fs';
import { Cron } from 'croner';
import { CronExpressionParser } from 'cron-parser';

const START = Date.UTC(2026, 0, 1);
const HORIZON = START + 3e12;
const MEASURE_MS = 100;
const WARM_UP_MS = 250; // the JIT compiler's time
const PASSES = 3; // over the whole list; the best counts, so that a busy machine is no handicap
const CHECKED = 200;

const pinned = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url))).dependencies;
const node = `node ${process.versions.node.split('.')[0]}`;

// Each way of asking: (expression, zone) => a function that starts a chain at START; the chain returns the next instant
// in milliseconds at each call.
const libraries = {
  [`croner ${pinned.croner} (${node})`]: (expression, timezone) => {
    const cron = new Cron(expression, { timezone, paused: true });
    return () => {
      let time = new Date(START);
      return () => (time = cron.nextRun(time)).getTime();
    };
  },
  [`cron-parser ${pinned['cron-parser']}, iterate (${node})`]: (expression, tz) => () => {
    const cron = CronExpressionParser.parse(expression, { currentDate: new Date(START), tz });
    return () => cron.next().getTime();
  },
  [`cron-parser ${pinned['cron-parser']}, parse + next (${node})`]: (expression, tz) => () => {
    let time = START;
    return () => (time = CronExpressionParser.parse(expression, { currentDate: new Date(time), tz }).next().getTime());
  },
};

function checksum(startChain) {
  const next = startChain();
  let sum = 0;
  for (let i = 0; i < CHECKED; i++) sum = (sum + next() / 1000) % 1e15;
  return sum;
}

function nanosPerNext(startChain, milliseconds) {
  let next = startChain();
  let count = 0;
  let elapsed;
  const began = performance.now();
  do {
    for (let i = 0; i < 50; i++) {
      if (next() > HORIZON) next = startChain();
      count++;
    }
    elapsed = performance.now() - began;
  } while (elapsed < milliseconds);
  return (elapsed * 1e6) / count;
}

const expressions = fs.readFileSync(process.argv[2], 'utf8').trim().split('\n');
const rows = [];
for (const [library, prepare] of Object.entries(libraries)) {
  for (const zone of ['UTC', 'America/New_York']) {
    for (const expression of expressions) {
      rows.push({ library, zone, expression, startChain: prepare(expression, zone), best: Infinity });
    }
  }
}
for (const row of rows) nanosPerNext(row.startChain, WARM_UP_MS);
for (let pass = 0; pass < PASSES; pass++) {
  for (const row of rows) row.best = Math.min(row.best, nanosPerNext(row.startChain, MEASURE_MS));
}
for (const { library, zone, expression, startChain, best } of rows) {
  console.log([library, zone, expression, best.toFixed(1), checksum(startChain)].join('\t'));
}
