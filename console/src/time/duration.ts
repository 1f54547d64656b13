// Durations: as the API writes them (`1h30m`), and as people read them.
const UNITS: [string, number][] = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1000], ['ms', 1]];

export function parseDuration(text: string): number {
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s|us)/g)) {
    total += Number(number) * (UNITS.find(([name]) => name === unit)?.[1] ?? 0.001);
  }
  return total;
}

// Short and rounded: 0.4 s, 41 s, 4 m 12 s, 2 h 10 m, 3 d.
export function shortDuration(ms: number): string {
  const abs = Math.abs(ms);
  if (abs < 1) return '0 ms';
  if (abs < 1000) return `${Math.round(ms)} ms`;
  if (abs < 10_000) return `${Number((ms / 1000).toFixed(1))} s`;
  if (abs < 59_500) return `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (abs < 3_600_000) return pair(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  const minutes = Math.round(ms / 60_000);
  if (abs < 86_400_000) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'm');
  const hours = Math.round(ms / 3_600_000);
  return hours < 24 * 14 ? pair(Math.floor(hours / 24), 'd', hours % 24, 'h') : `${Math.round(hours / 24)} d`;
}

const pair = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small ? `${big} ${bigUnit} ${small} ${smallUnit}` : `${big} ${bigUnit}`;

// One unit is enough for a countdown: in 41 s, in 12 m, in 14 h, in 5 d; 3 m ago.
export function roughly(ms: number): string {
  const abs = Math.abs(ms);
  for (const [unit, size] of UNITS) {
    if (abs >= size && unit !== 'ms') return `${Math.floor(abs / size)} ${unit}`;
  }
  return '0 s';
}

export const countdown = (ms: number): string => (ms >= 0 ? `in ${roughly(ms)}` : `${roughly(ms)} ago`);
