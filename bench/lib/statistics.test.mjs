// node --test bench/lib
import assert from 'node:assert/strict';
import test from 'node:test';
import { quantile, Slices, spread } from './statistics.mjs';

test('a spread counts and sorts', () => {
  const lags = Array.from({ length: 1000 }, (_, i) => 1000 - i);
  assert.deepEqual(spread(lags), { n: 1000, p50: 501, p95: 951, p99: 991, max: 1000 });
});

test('a spread of nothing has no values', () => {
  assert.deepEqual(spread([]), { n: 0, p50: null, p95: null, p99: null, max: null });
});

test('the last value is the highest quantile', () => {
  assert.equal(quantile([1, 2, 3], 1), 3);
  assert.equal(quantile([1, 2, 3], 0), 1);
});

test('slices keep what came in their time', () => {
  const slices = new Slices(10_000, 1000);
  slices.add(9_999, 7); // too early
  slices.add(10_000, 1);
  slices.add(10_999, 3);
  slices.add(12_500, 5);
  assert.deepEqual(slices.rows(13_000), [
    { second: 0, rate: 2, p50: 3, p99: 3 },
    { second: 1, rate: 0, p50: null, p99: null },
    { second: 2, rate: 1, p50: 5, p99: 5 },
  ]);
});

test('a slice that is not over is not told', () => {
  const slices = new Slices(0, 1000);
  slices.add(1_500, 5);
  assert.equal(slices.rows(1_900).length, 1);
});
