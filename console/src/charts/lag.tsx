// From the tick to the worker: the usual and the worst of each minute of the last hour, with the goal drawn in.
import type {Run} from '../api/types';
import {clock, localZone} from '../time/format';
import {shortDuration} from '../time/duration';
import {lagOf} from '../ui/outcomes';
import {Twin} from './twin';

const MINUTES = 60;
const WIDTH = 520;
const HEIGHT = 140;

export interface LagMinute {
  at: number;
  runs: number;
  p50: number;
  p99: number;
}

export const quantile = (sorted: number[], q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;

export function lagByMinute(runs: Run[], now: number): LagMinute[] {
  const first = Math.floor(now / 60_000) - MINUTES + 1;
  const lags: number[][] = Array.from({length: MINUTES}, () => []);
  for (const run of runs) {
    const lag = lagOf(run);
    if (lag !== undefined) lags[Math.floor(Date.parse(run.scheduled_for) / 60_000) - first]?.push(Math.max(0, lag));
  }
  return lags.map((values, i) => {
    values.sort((a, b) => a - b);
    return {at: (first + i) * 60_000, runs: values.length, p50: quantile(values, 0.5), p99: quantile(values, 0.99)};
  });
}

function line(minutes: LagMinute[], of: (minute: LagMinute) => number, top: number): string {
  let path = '';
  let pen = 'M';
  minutes.forEach((minute, i) => {
    if (minute.runs === 0) return;
    path += `${pen}${((i / (MINUTES - 1)) * WIDTH).toFixed(1)} ${(HEIGHT - 4 - (of(minute) / top) * (HEIGHT - 16)).toFixed(1)}`;
    if (pen === 'M' && minutes.slice(i + 1).every((later) => later.runs === 0)) path += 'h1'; // a single minute is a dot
    pen = 'L';
  });
  return path;
}

export function LagChart({minutes, goal}: {minutes: LagMinute[]; goal: number}) {
  const top = Math.max(goal * 1.35, ...minutes.map((minute) => minute.p99));
  const goalY = HEIGHT - 4 - (goal / top) * (HEIGHT - 16);
  const table = () => ({
    head: ['Minute', 'Runs', 'Usual', 'Worst'],
    rows: minutes.filter((minute) => minute.runs).map((minute) => [clock(minute.at, localZone), minute.runs, shortDuration(minute.p50), shortDuration(minute.p99)]),
  });
  return (
    <Twin name="From tick to worker, by minute" table={table}>
      <svg width="100%" height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label="Lag from tick to worker over the last hour">
        <line x1={0} x2={WIDTH} y1={goalY} y2={goalY} stroke="var(--line-strong)" stroke-dasharray="3 4" vector-effect="non-scaling-stroke" />
        <path d={line(minutes, (minute) => minute.p50, top)} class="lag-line" stroke="var(--skip)" />
        <path d={line(minutes, (minute) => minute.p99, top)} class="lag-line" stroke="var(--accent)" />
      </svg>
      <div class="row between muted small">
        <span>{clock(minutes[0]?.at ?? 0, localZone)} {localZone}</span>
        <span>goal {shortDuration(goal)}, dashed; the top is {shortDuration(top)}</span>
        <span>{clock(minutes.at(-1)?.at ?? 0, localZone)}</span>
      </div>
    </Twin>
  );
}
