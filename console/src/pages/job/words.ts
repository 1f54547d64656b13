// The policies of a job as sentences.
import type {Job, Target} from '../../api/types';
import {parseDuration, shortDuration} from '../../time/duration';

export function targetWords(target: Target, type: string): string {
  switch (target.kind) {
    case 'HTTP': return `webhook to ${target.url}`;
    case 'TOPIC': return `topic ${target.topic} at ${target.broker}`;
    case 'EXEC': return `command ${target.command.join(' ')}`;
    case 'CHECKIN': return 'done elsewhere, reports here';
    default: return `worker for ${type}`;
  }
}

export const span = (text: string): string => shortDuration(parseDuration(text));

export function lateWords(job: Job): string {
  const until = `up to ${span(job.misfire_grace)} late`;
  if (job.misfire_policy === 'SKIP') return 'skip missed ticks';
  if (job.misfire_policy === 'FIRE_ALL') return `run each missed tick, at most ${job.max_missed_firings}, ${until}`;
  return `run once for all missed, ${until}`;
}

export function overlapWords(job: Job): string {
  switch (job.concurrency_policy) {
    case 'ALLOW': return job.max_concurrent ? `run beside it, at most ${job.max_concurrent}` : 'run beside it';
    case 'REPLACE': return 'cancel it and run';
    case 'QUEUE_ONE': return 'wait; one may wait';
    default: return 'skip';
  }
}

export function retryWords(job: Job): string {
  if (job.max_attempts === 1) return 'none';
  const {base, cap} = job.retry;
  return `${job.max_attempts} attempts${base ? `, waiting ${span(base)}${cap ? ` to ${span(cap)}` : ''}` : ''}`;
}
