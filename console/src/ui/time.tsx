// Instants on the page: in the zone that was chosen, with all zones when the pointer rests on them.
import {now} from '../state/clock';
import {countdown} from '../time/duration';
import {everyZone, preciseClock, shortTime, shownZone} from '../time/format';

interface TimeProps {
  at: string | number | null | undefined;
  zone?: string;
  seconds?: boolean;
  precise?: boolean;
}

const millis = (at: string | number): number => (typeof at === 'number' ? at : Date.parse(at));

export function Time({at, zone, seconds, precise}: TimeProps) {
  if (at === null || at === undefined) return <span class="muted">never</span>;
  const ms = millis(at);
  const shown = shownZone(zone);
  const today = Math.floor(now.peek() / 60_000) * 60_000;
  const text = precise ? preciseClock(ms, shown) : shortTime(ms, shown, today, seconds);
  return (
    <time dateTime={new Date(ms).toISOString()} title={everyZone(ms, zone)}>
      {text}
    </time>
  );
}

// in 41 s, 3 m ago: counts by itself.
export function Countdown({at}: {at: string | number}) {
  return <span class="muted">{countdown(millis(at) - now.value)}</span>;
}

// For the head of a column: the zone its times are in, where it is one for all rows.
export const ZoneName = ({zone}: {zone?: string}) => <span class="muted"> {shownZone(zone)}</span>;
