// What a list of lags comes to. Medians over rounds and ratios are made in bench/report, in one place for all.

// The value below which `share` of the sorted values lie.
export function quantile(sorted, share) {
  if (sorted.length === 0) return null;
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export const rounded = (value, digits = 2) => (value === null ? null : +value.toFixed(digits));

export function spread(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => rounded(quantile(sorted, share));
  return { n: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

// Lags of a time series, in slices of `width` ms: how many, and how late.
export class Slices {
  constructor(begin, width) {
    this.begin = begin;
    this.width = width;
    this.slices = [];
  }
  add(moment, lag) {
    const index = Math.floor((moment - this.begin) / this.width);
    if (index < 0) return;
    (this.slices[index] ??= []).push(lag);
  }
  // A row for each slice that is over; an empty one has a rate of 0.
  rows(until) {
    const count = Math.floor((until - this.begin) / this.width);
    return Array.from({ length: count }, (_, index) => {
      const lags = this.slices[index] ?? [];
      const { p50, p99 } = spread(lags);
      return { second: (index * this.width) / 1000, rate: rounded((lags.length * 1000) / this.width, 1), p50, p99 };
    });
  }
}
