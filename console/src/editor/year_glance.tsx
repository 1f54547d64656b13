// A year at a glance: one cell for each day, darker where it fires more often. Asked of the server, 1,000 fires at most.
import {useLoad} from '../api/load';
import {preview} from '../api/calls';
import {dayAndMonth, dayKey, startOfDay} from '../time/format';
import type {ScheduleDraft} from './schedule_editor';

const WEEKS = 53;
const DAY = 86_400_000;
const MOST = 1000;

export function YearGlance({draft}: {draft: ScheduleDraft}) {
  const zone = draft.timezone ?? 'UTC';
  const {data} = useLoad(`year:${JSON.stringify(draft)}`, () => preview({...draft, count: MOST}));
  if (!data) return null;
  const counts = new Map<string, number>();
  for (const at of data.next) {
    const key = dayKey(Date.parse(at), zone);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const today = startOfDay(Date.now(), zone) + DAY / 2; // noon: safe from clock changes
  const weekday = (new Date(today).getUTCDay() + 6) % 7;
  const end = today + WEEKS * 7 * DAY;
  const lastFire = data.next.length === MOST ? Date.parse(data.next.at(-1)!) : end;
  const last = lastFire < end ? lastFire : Infinity; // days beyond it are not known
  const most = Math.max(1, ...counts.values());
  const cells = Array.from({length: WEEKS * 7}, (_, i) => today + (i - weekday) * DAY).filter((at) => at >= today);
  return (
    <figure class="year">
      <svg viewBox={`0 0 ${WEEKS * 13} 94`} role="img" aria-label="The year to come, day by day">
        {cells.map((at) => {
          const i = Math.round((at - today) / DAY) + weekday;
          const count = counts.get(dayKey(at, zone)) ?? 0;
          const unknown = at > last;
          return (
            <rect key={at} x={Math.floor(i / 7) * 13} y={(i % 7) * 13} width={11} height={11} rx={2} fill={unknown ? 'none' : 'var(--accent)'} fill-opacity={count ? 0.25 + 0.75 * (count / most) : 0.07} stroke={unknown ? 'var(--line)' : 'none'}>
              <title>{`${dayAndMonth(at, zone)}: ${unknown ? 'beyond the first 1,000 fires' : `${count} fires`}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="muted small">The year to come, Monday to Sunday{last !== Infinity && '; outlined days lie beyond the first 1,000 fires'}.</figcaption>
    </figure>
  );
}
