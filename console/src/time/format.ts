// Instants as people read them, in a named zone. What a schedule means comes from the server; this only writes dates.
import {zoneMode} from '../state/prefs';

export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    try {
      found = new Intl.DateTimeFormat('en-GB', {...options, timeZone: zone, hourCycle: 'h23'});
    } catch {
      found = new Intl.DateTimeFormat('en-GB', {...options, timeZone: 'UTC', hourCycle: 'h23'}); // a zone the browser does not know
    }
    formats.set(key, found);
  }
  return found;
}

// The zone in which to show something of a job in `jobZone`, by the switch in the header.
export function shownZone(jobZone?: string): string {
  if (zoneMode.value === 'utc') return 'UTC';
  return zoneMode.value === 'job' && jobZone ? jobZone : localZone;
}

export interface Civil {
  year: number;
  month: number; // 1 to 12
  day: number;
  hour: number;
  minute: number;
  second: number;
}

export function civil(at: number, zone: string): Civil {
  const parts = format(zone, {year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric'}).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return {year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute'), second: of('second')};
}

export const dayKey = (at: number, zone: string): string => format(zone, {year: 'numeric', month: '2-digit', day: '2-digit'}).format(at);

// The first instant of the local day of `at`, give or take a change of clocks.
export function startOfDay(at: number, zone: string): number {
  const time = civil(at, zone);
  return at - (at % 1000) - ((time.hour * 60 + time.minute) * 60 + time.second) * 1000;
}

export const clock = (at: number, zone: string): string => format(zone, {hour: '2-digit', minute: '2-digit'}).format(at);
export const clockSeconds = (at: number, zone: string): string => format(zone, {hour: '2-digit', minute: '2-digit', second: '2-digit'}).format(at);
export const preciseClock = (at: number, zone: string): string =>
  format(zone, {hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3}).format(at);
export const dayName = (at: number, zone: string): string => format(zone, {weekday: 'short', day: 'numeric'}).format(at);
export const dayAndMonth = (at: number, zone: string): string => format(zone, {weekday: 'short', day: 'numeric', month: 'short'}).format(at);
export const monthAndYear = (at: number, zone: string): string => format(zone, {month: 'long', year: 'numeric'}).format(at);
export const fullTime = (at: number, zone: string): string =>
  `${format(zone, {weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit'}).format(at)} ${zone}`;

// As short as it is clear: 12:30, tomorrow 02:30, Sun 04:00, 7 Dec 14:00, 7 Dec 2027.
export function shortTime(at: number, zone: string, now: number, seconds = false): string {
  const time = (seconds ? clockSeconds : clock)(at, zone);
  const days = Math.round((startOfDay(at, zone) - startOfDay(now, zone)) / 86_400_000);
  if (days === 0) return time;
  if (days === 1) return `tomorrow ${time}`;
  if (days === -1) return `yesterday ${time}`;
  if (days > 1 && days < 7) return `${format(zone, {weekday: 'short'}).format(at)} ${time}`;
  if (Math.abs(days) < 300) return `${format(zone, {day: 'numeric', month: 'short'}).format(at)} ${time}`;
  return `${format(zone, {day: 'numeric', month: 'short', year: 'numeric'}).format(at)} ${time}`;
}

// All three ways to say it, for the pointer that rests on a time.
export function everyZone(at: number, jobZone?: string): string {
  const zones = [...new Set([jobZone, localZone, 'UTC'].filter((zone): zone is string => Boolean(zone)))];
  return zones.map((zone) => fullTime(at, zone)).join('\n');
}
