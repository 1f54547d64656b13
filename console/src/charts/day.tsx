// The last day as a strip: one column for each half hour, what succeeded upwards, what failed on top of it.
import type {Run} from '../api/types';
import {isBad} from '../ui/outcomes';
import {clock, localZone} from '../time/format';
import {Twin} from './twin';

const COLUMNS = 48;
const SPAN = 30 * 60_000;
const HEIGHT = 64;

interface HalfHour {
  at: number;
  ok: number;
  bad: number;
}

export function halfHours(runs: Run[], now: number): HalfHour[] {
  const first = (Math.floor(now / SPAN) - COLUMNS + 1) * SPAN;
  const columns = Array.from({length: COLUMNS}, (_, i) => ({at: first + i * SPAN, ok: 0, bad: 0}));
  for (const run of runs) {
    if (!run.finished_at) continue;
    const column = columns[Math.floor((Date.parse(run.finished_at) - first) / SPAN)];
    if (!column) continue;
    if (isBad(run.state)) ++column.bad;
    else if (run.state === 'SUCCEEDED') ++column.ok;
  }
  return columns;
}

export function DayStrip({columns, since}: {columns: HalfHour[]; since?: number}) {
  const most = Math.max(1, ...columns.map((column) => column.ok + column.bad));
  const unit = (HEIGHT - 4) / most;
  const table = () => ({
    head: ['From', 'Succeeded', 'Failed'],
    rows: columns.filter((column) => column.ok + column.bad).map((column) => [clock(column.at, localZone), column.ok, column.bad]),
  });
  const failed = columns.reduce((sum, column) => sum + column.bad, 0);
  return (
    <Twin name="The last day, by half hour" table={table}>
      <svg class="day" width="100%" height={HEIGHT} viewBox={`0 0 ${COLUMNS * 10} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`Runs of the last day by half hour, ${failed} failed`}>
        {columns.map((column, i) => {
          const ok = column.ok ? Math.max(2, column.ok * unit) : 0;
          const bad = column.bad ? Math.max(3, column.bad * unit) : 0;
          const known = since === undefined || column.at + SPAN > since;
          return (
            <g key={column.at}>
              <rect x={i * 10} y={0} width={8.4} height={HEIGHT} fill="var(--sunken)" opacity={known ? 1 : 0.4} />
              <rect x={i * 10} y={HEIGHT - ok} width={8.4} height={ok} fill="var(--ok)" opacity={0.8} />
              <rect x={i * 10} y={HEIGHT - ok - bad} width={8.4} height={bad} fill="var(--bad)" />
            </g>
          );
        })}
      </svg>
      <div class="row between muted small">
        <span>{clock(columns[0]?.at ?? 0, localZone)} yesterday</span>
        <span>now</span>
      </div>
    </Twin>
  );
}
