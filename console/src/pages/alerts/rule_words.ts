// What alert rules look for, in words, and what each asks besides. The limits that hold unless told are the server's.
import type {AlertRule, AlertWhen} from '../../api/types';

export type Limit = 'count' | 'window' | 'after' | 'times_usual';

export interface When {
  text: string;
  asks: Limit[];
}

export const WHENS: Record<AlertWhen, When> = {
  failed_in_a_row: {text: 'A job failed several times in a row', asks: ['count']},
  failures: {text: 'A job failed several times within a while', asks: ['count', 'window']},
  not_started: {text: 'A run is due and not started', asks: ['after']},
  late: {text: 'Runs of a job begin late', asks: ['after']},
  running: {text: 'A run takes too long', asks: ['after', 'times_usual']},
  missed: {text: 'Ticks of a job were missed', asks: []},
  no_worker: {text: 'Runs of a type wait, and nobody takes them', asks: ['after']},
  dead_letters: {text: 'Runs gave up', asks: ['count']},
  schedule_broken: {text: 'A schedule cannot be evaluated: its zone or calendar is gone', asks: []},
  clock_offset: {text: 'The clock of a node is wrong', asks: ['after']},
};

export const LIMITS: Record<Limit, {label: string; hint: string}> = {
  count: {label: 'How many', hint: 'Empty: 3; of runs that gave up, more than 0'},
  window: {label: 'Within', hint: 'Empty: 1h'},
  after: {label: 'For how long', hint: '30s, 5m, 2h'},
  times_usual: {label: 'Or: so many times the usual', hint: 'In place of a fixed time; 2 to 100'},
};

export const scopeWords = (rule: AlertRule): string => [rule.job, rule.job_type && `type ${rule.job_type}`, ...(rule.labels ?? [])].filter(Boolean).join(', ') || 'all jobs';

// Only those that count for what it looks for.
export function limitWords(rule: AlertRule): string {
  const asks = WHENS[rule.when].asks;
  return [
    asks.includes('count') && rule.count !== undefined && `${rule.count}`,
    asks.includes('window') && rule.window && `in ${rule.window}`,
    asks.includes('after') && rule.after && `after ${rule.after}`,
    asks.includes('times_usual') && rule.times_usual && `${rule.times_usual} times the usual`,
  ].filter(Boolean).join(' ');
}
