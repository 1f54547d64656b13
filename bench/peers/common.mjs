import { rounded, spread } from '../lib/statistics.mjs';

// The ticks of the steady load of lib/fires.mjs, for peers that are given each of them beforehand.
export function* instants(from, seconds, fires, period = 6) {
  const jobs = Math.round((fires * period) / 60);
  for (let second = 0; second < seconds; second++) {
    for (let job = second % period; job < jobs; job += period) yield from + second * 1000;
  }
}

// Calls `add(part)` with parts of 1,000 of what `make(index)` makes.
export async function inParts(count, make, add, size = 1000) {
  for (let first = 0; first < count; first += size) {
    const part = [];
    for (let index = first; index < Math.min(count, first + size); index++) part.push(make(index));
    await add(part);
  }
}

// Repeats `step(index)` for `seconds`, `lanes` at once; how many a second, if each counts for `each`.
export async function rateOf(seconds, lanes, step, each = 1) {
  const begin = performance.now();
  let next = 0;
  let done = 0;
  const lane = async () => {
    while (performance.now() - begin < seconds * 1000) {
      await step(next++);
      done += each;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return Math.round((done * 1000) / (performance.now() - begin));
}

// The lags of a herd; there is no last start if some have not started.
export const herdOf = (lags, jobs) => {
  const found = spread(lags);
  return { ...found, started: found.n, last: found.n < jobs ? null : rounded(found.max / 1000, 3) };
};
