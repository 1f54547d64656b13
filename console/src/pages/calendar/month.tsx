// A month of a job: what happened on each day, what is to come, and where the clocks change.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Job, Preview, Tick} from '../../api/types';
import {civil, clock, dayAndMonth, dayKey, monthAndYear, shownZone, startOfDay} from '../../time/format';
import {isBad} from '../../ui/outcomes';
import './month.css';

const DAY = 86_400_000;
const MOST = 1000;

interface DayFacts {
  ok: number;
  bad: number;
  skipped: number;
  next: string[];
}

// The first day of the month that is `offset` months from now, at noon: safe from clock changes.
function firstNoon(offset: number, zone: string): number {
  const today = civil(Date.now(), zone);
  const month = today.month - 1 + offset;
  return startOfDay(Date.UTC(today.year, month, 1, 12), zone) + DAY / 2;
}

async function readMonth(job: string, from: number, to: number): Promise<{ticks: Tick[]; preview: Preview}> {
  const [ticks, preview] = await Promise.all([
    jobs.ticks(job, {from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: MOST}),
    jobs.next(job, MOST),
  ]);
  return {ticks: ticks.items, preview};
}

function byDay(ticks: Tick[], next: string[], zone: string): Map<string, DayFacts> {
  const days = new Map<string, DayFacts>();
  const of = (at: string): DayFacts => {
    const key = dayKey(Date.parse(at), zone);
    const found = days.get(key) ?? {ok: 0, bad: 0, skipped: 0, next: []};
    days.set(key, found);
    return found;
  };
  for (const tick of ticks) {
    if (tick.kind === 'SKIP') of(tick.from).skipped += tick.count;
    else if (isBad(tick.state)) ++of(tick.scheduled_for).bad;
    else if (tick.state === 'SUCCEEDED') ++of(tick.scheduled_for).ok;
  }
  for (const at of next) of(at).next.push(at);
  return days;
}

// A day that is not 24 hours long.
function clockChange(noon: number, zone: string): string {
  const length = startOfDay(noon + DAY, zone) - startOfDay(noon, zone);
  return length === DAY ? '' : length < DAY ? 'clocks go forward' : 'clocks go back';
}

export function Month({job, big}: {job: Job; big?: boolean}) {
  const zone = shownZone(job.timezone);
  const [offset, setOffset] = useState(0);
  const first = firstNoon(offset, zone);
  const {data} = useLoad(`month:${job.job_id}:${job.version}:${first}`, () => readMonth(job.job_id, first - 8 * DAY, first + 40 * DAY));
  const month = civil(first, zone).month;
  const lead = (new Date(first).getUTCDay() + 6) % 7;
  const days = Array.from({length: 42}, (_, i) => first + (i - lead) * DAY).filter((_, i, all) => i < 35 || civil(all[35]!, zone).month === month);
  const facts = data ? byDay(data.ticks, data.preview.next, zone) : new Map<string, DayFacts>();
  const today = dayKey(Date.now(), zone);
  return (
    <div class={big ? 'month big' : 'month'}>
      <div class="row between">
        <span><b>{monthAndYear(first, zone)}</b> <span class="muted">{zone}</span></span>
        <span class="row tight">
          <button type="button" class="btn small" aria-label="Month before" onClick={() => setOffset(offset - 1)}>←</button>
          <button type="button" class="btn small" onClick={() => setOffset(0)}>Today</button>
          <button type="button" class="btn small" aria-label="Month after" onClick={() => setOffset(offset + 1)}>→</button>
        </span>
      </div>
      <table>
        <caption class="sr">{job.job_name}, {monthAndYear(first, zone)}</caption>
        <thead><tr>{['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => <th key={day}>{day}</th>)}</tr></thead>
        <tbody>
          {Array.from({length: Math.ceil(days.length / 7)}, (_, week) => (
            <tr key={week}>
              {days.slice(week * 7, week * 7 + 7).map((at) => <DayCell key={at} at={at} zone={zone} facts={facts.get(dayKey(at, zone))} inMonth={civil(at, zone).month === month} isToday={dayKey(at, zone) === today} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DayCell({at, zone, facts, inMonth, isToday}: {at: number; zone: string; facts: DayFacts | undefined; inMonth: boolean; isToday: boolean}) {
  const change = clockChange(at, zone);
  return (
    <td class={`${inMonth ? '' : 'outside'} ${isToday ? 'today' : ''}`} title={dayAndMonth(at, zone)}>
      <span class="day-number">{civil(at, zone).day}</span>
      {facts && (
        <span class="day-facts">
          {facts.bad > 0 && <span class="bad">▲ {facts.bad}</span>}
          {facts.ok > 0 && <span class="ok-text">● {facts.ok}</span>}
          {facts.skipped > 0 && <span class="muted">□ {facts.skipped}</span>}
          {facts.next.length > 0 && <span class="dim">{facts.next.length === 1 ? clock(Date.parse(facts.next[0]!), zone) : `${facts.next.length} to come`}</span>}
        </span>
      )}
      {change && <span class="change">{change}</span>}
    </td>
  );
}
