// Rows of equal spans (an hour, a day, a week), ticks as marks: a bar as long as the run, a triangle where it failed,
// hollow where it was skipped.
import type {Tick, TickRun, TickSkip} from '../../api/types';
import {Twin} from '../../charts/twin';
import {useWidth} from '../../charts/width';
import {go} from '../../state/route';
import {shortDuration} from '../../time/duration';
import {clock, clockSeconds, dayAndMonth, dayName, fullTime, startOfDay} from '../../time/format';
import {isLive, kindOf, reasonWords, wordOf} from '../../ui/outcomes';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const ZOOMS = {
  '1h': {short: '1 h', title: 'The last hour', rows: 6, span: 10 * MINUTE},
  '1d': {short: '1 d', title: 'One day', rows: 24, span: HOUR},
  '7d': {short: '7 d', title: 'Seven days', rows: 7, span: DAY},
  '30d': {short: '30 d', title: 'Thirty days', rows: 30, span: DAY},
  '90d': {short: '90 d', title: 'Ninety days', rows: 13, span: 7 * DAY},
  '1y': {short: '1 y', title: 'A year', rows: 53, span: 7 * DAY},
} as const;
export type Zoom = keyof typeof ZOOMS;

// Rows are aligned to the local day or hour; the last one holds now.
export function windowOf(zoom: Zoom, now: number, zone: string): {from: number; to: number} {
  const {rows, span} = ZOOMS[zoom] ?? ZOOMS['7d'];
  const first = span >= DAY ? startOfDay(now, zone) : Math.floor(now / span) * span;
  const last = span === 7 * DAY ? first - 6 * DAY : first;
  return {from: last - (rows - 1) * span, to: last + span};
}

const LEFT = 64;
const LEAST_WIDE = 620;
const SHOW_EACH = 60; // of a range of skips; beyond that it is one long mark

interface TimelineProps {
  zoom: Zoom;
  from: number;
  zone: string;
  ticks: Tick[];
  created: string;
  now: number;
  onSkip: (at: string) => void;
}

export function Timeline({zoom, from, zone, ticks, now, onSkip}: TimelineProps) {
  const {rows, span} = ZOOMS[zoom] ?? ZOOMS['7d'];
  const [box, all] = useWidth<HTMLDivElement>(1000);
  const wide = Math.max(LEAST_WIDE, all) - LEFT - 6;
  const tall = rows > 40 ? 12 : rows > 20 ? 17 : 24;
  const place = (at: number): {x: number; y: number} => {
    const row = Math.floor((at - from) / span);
    return {x: LEFT + ((at - from - row * span) / span) * wide, y: 24 + row * tall};
  };
  const label = (row: number): string => {
    const at = from + row * span;
    return span < HOUR ? clock(at, zone) : span < DAY ? clock(at, zone) : span === DAY ? dayName(at, zone) : dayAndMonth(at, zone).replace(/^\w+,? /, '');
  };
  const end = place(now);
  return (
    <Twin name="Ticks and what became of them" table={() => tableOf(ticks, zone)}>
      <div class="table" ref={box} tabIndex={0} role="region" aria-label="Timeline">
        <svg class="timeline" width={LEFT + wide + 6} height={rows * tall + 30} role="img" aria-label={`${ticks.length} entries; the table has each`}>
          {axis(span, from, zone).map(([part, text]) => <text key={text + part} x={LEFT + part * wide} y={10}>{text}</text>)}
          {Array.from({length: rows}, (_, row) => (
            <g key={row}>
              <text x={0} y={24 + row * tall + 4}>{label(row)}</text>
              <line x1={LEFT} x2={LEFT + wide} y1={24 + row * tall} y2={24 + row * tall} stroke="var(--line)" />
            </g>
          ))}
          <line x1={end.x} x2={end.x} y1={end.y - tall / 2} y2={end.y + tall / 2} stroke="var(--accent)" stroke-width={1.5} />
          {ticks.filter((tick) => Date.parse(tick.kind === 'RUN' ? tick.scheduled_for : tick.to) >= from).map((tick) => (tick.kind === 'RUN' ? <RunMark key={tick.run_id} tick={tick} place={place} scale={wide / span} end={LEFT + wide} tall={tall} zone={zone} /> : <SkipMarks key={`s${tick.from}`} skip={tick} place={place} tall={tall} zone={zone} from={from} onSkip={onSkip} />))}
        </svg>
      </div>
    </Twin>
  );
}

function axis(span: number, from: number, zone: string): [number, string][] {
  if (span === DAY) return [0, 6, 12, 18].map((hour) => [hour / 24, `${String(hour).padStart(2, '0')}:00`]);
  if (span === 7 * DAY) return Array.from({length: 7}, (_, day) => [day / 7, dayName(from + day * DAY, zone).split(' ')[0] ?? '']);
  if (span === HOUR) return [0, 15, 30, 45].map((minute) => [minute / 60, `:${String(minute).padStart(2, '0')}`]);
  return [0, 2, 4, 6, 8].map((minute) => [minute / 10, `+${minute} m`]);
}

type Place = (at: number) => {x: number; y: number};
const COLOURS = {ok: 'var(--ok)', bad: 'var(--bad)', late: 'var(--late)', run: 'var(--run)', wait: 'var(--skip)', off: 'var(--skip)', skip: 'var(--skip)'};

function RunMark({tick, place, scale, end, tall, zone}: {tick: TickRun; place: Place; scale: number; end: number; tall: number; zone: string}) {
  const at = Date.parse(tick.scheduled_for);
  const {x, y} = place(at);
  const took = tick.started_at && tick.finished_at ? Date.parse(tick.finished_at) - Date.parse(tick.started_at) : 0;
  const half = tall > 20 ? 5 : 4;
  const kind = kindOf(tick.state);
  const open = (): void => go(`/runs/${tick.run_id}`);
  const title = <title>{`${fullTime(at, zone)}: ${wordOf(tick.state).toLowerCase()}${took ? `, took ${shortDuration(took)}` : ''}${tick.error ? `\n${tick.error}` : ''}`}</title>;
  if (kind === 'bad') return <path class="mark" d={`M${x - 4.5} ${y + half + 1}l4.5-${2 * half + 3}l4.5 ${2 * half + 3}z`} fill={COLOURS.bad} onClick={open}>{title}</path>;
  const wide = Math.max(4, Math.min(end - x, took * scale));
  if (isLive(tick.state) || kind === 'off') return <circle class="mark" cx={x + 3} cy={y} r={half - 1} fill="var(--surface)" stroke={COLOURS[kind]} stroke-width={2} onClick={open}>{title}</circle>;
  return <rect class="mark" x={x} y={y - half} width={wide} height={2 * half} rx={2} fill={COLOURS[kind]} fill-opacity={0.82} onClick={open}>{title}</rect>;
}

function SkipMarks({skip, place, tall, zone, from, onSkip}: {skip: TickSkip; place: Place; tall: number; zone: string; from: number; onSkip: (at: string) => void}) {
  const first = Date.parse(skip.from);
  const last = Date.parse(skip.to);
  const half = tall > 20 ? 6 : 4.5;
  // The ledger knows a range by its ends and its count; marks between are spread evenly, which is exact for even rhythms.
  const shown = Math.min(skip.count, SHOW_EACH);
  const at = (i: number): number => (shown === 1 ? first : first + ((last - first) * i) / (shown - 1));
  return (
    <>
      {Array.from({length: shown}, (_, i) => at(i)).filter((ms) => ms >= from).map((ms) => {
        const {x, y} = place(ms);
        const exact = ms === last ? skip.to : skip.from;
        return (
          <rect key={ms} class="mark" x={x} y={y - half} width={6} height={2 * half} rx={1.5} fill="transparent" stroke="var(--skip)" stroke-width={1.2} onClick={() => onSkip(exact)}>
            <title>{`${fullTime(first, zone)}${skip.count > 1 ? ` and ${skip.count - 1} more` : ''}: ${reasonWords(skip.reason)}`}</title>
          </rect>
        );
      })}
    </>
  );
}

const tableOf = (ticks: Tick[], zone: string) => ({
  head: ['Tick', 'Became', 'Detail'],
  rows: ticks.slice(0, 1000).map((tick) =>
    tick.kind === 'RUN'
      ? [fullTime(Date.parse(tick.scheduled_for), zone), wordOf(tick.state), tick.error ?? (tick.started_at ? `started ${clockSeconds(Date.parse(tick.started_at), zone)}` : '')]
      : [fullTime(Date.parse(tick.from), zone), `Skipped${tick.count > 1 ? ` (${tick.count})` : ''}`, reasonWords(tick.reason)],
  ),
});
