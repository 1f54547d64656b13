// An outcome is colour, shape and word, the same everywhere.
import type {Run, RunState, SkipReason, TickRun} from '../api/types';

export type Kind = 'ok' | 'bad' | 'late' | 'run' | 'wait' | 'off' | 'skip';

const STATES: Record<RunState, [Kind, string]> = {
  READY: ['wait', 'Waiting'],
  RUNNING: ['run', 'Running'],
  RETRYING: ['late', 'Retrying'],
  SUCCEEDED: ['ok', 'Succeeded'],
  FAILED: ['bad', 'Failed'],
  DEAD: ['bad', 'Dead'],
  CANCELLED: ['off', 'Cancelled'],
  TIMED_OUT: ['bad', 'Timed out'],
};

export const kindOf = (state: RunState): Kind => STATES[state]?.[0] ?? 'off';
export const wordOf = (state: RunState): string => STATES[state]?.[1] ?? state;
export const isLive = (state: RunState): boolean => state === 'READY' || state === 'RUNNING' || state === 'RETRYING';
export const isBad = (state: RunState): boolean => kindOf(state) === 'bad';

const ORIGINS: Record<Run['origin'], string> = {SCHEDULE: 'schedule', MANUAL: 'by hand', BACKFILL: 'backfill', RETRY: 'retry'};
export const originWord = (origin: Run['origin']): string => ORIGINS[origin] ?? origin;

const REASONS: Partial<Record<SkipReason, string>> = {
  paused: 'the job was paused',
  cancelled: 'the job was cancelled',
  calendar: 'its calendar excludes the day',
  out_of_bounds: 'outside the bounds of its schedule',
  dst_gap: 'the clocks jumped over it',
  misfire_expired: 'found too late to still run',
  misfire_coalesced: 'a later run stands for it',
  misfire_skipped: 'missed, and the job says to skip those',
  misfire_limit: 'more were missed than may be made up for',
  overlap: 'an earlier run was still going',
  overlap_replaced: 'a newer run took its place',
  quota: 'the tenant was at its limit',
  schedule_changed: 'the schedule was changed',
  calendar_coalesced: 'the calendar was closed; a later tick ran in its place',
  commits_lost: 'the database lost what it had decided then',
  restored: 'the store was restored from an older backup',
};
export const reasonWords = (reason: SkipReason): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

// From the tick to the start of work, in milliseconds; meaningful for runs of the schedule only.
export function lagOf(run: Pick<Run | TickRun, 'origin' | 'scheduled_for' | 'started_at' | 'attempts'>): number | undefined {
  if (run.origin !== 'SCHEDULE' || !run.started_at || run.attempts !== 1) return undefined;
  return Date.parse(run.started_at) - Date.parse(run.scheduled_for);
}

export function tookOf(run: Pick<Run, 'started_at' | 'finished_at'>): number | undefined {
  return run.started_at && run.finished_at ? Date.parse(run.finished_at) - Date.parse(run.started_at) : undefined;
}
