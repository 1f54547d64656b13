// A job while it is being written.
import type {Job, JobDefinition, Target} from '../../api/types';
import type {Change} from '../../ui/diff';

const OF_THE_SERVER = ['job_id', 'tenant_id', 'status', 'next_scheduled_run', 'version', 'created_at', 'updated_at', 'paused', 'last_run', 'failures_in_a_row'];

// What its author wrote, without what the server adds.
export function definitionOf(job: Job): JobDefinition {
  const kept = Object.entries(job).filter(([name, value]) => !OF_THE_SERVER.includes(name) && value !== '' && value !== null);
  return Object.fromEntries(kept) as unknown as JobDefinition;
}

export const fresh = (): JobDefinition => ({
  job_name: '',
  job_type: 'default',
  schedule_type: 'CRON',
  cron_expression: '0 9 * * MON-FRI',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  target: {kind: 'EXEC', command: ['/bin/sh', '-c', 'echo hello from belfry']},
});

export type TargetKind = Target['kind'];

export function emptyTarget(kind: TargetKind): Target {
  switch (kind) {
    case 'HTTP': return {kind, url: 'https://'};
    case 'TOPIC': return {kind, broker: '', topic: ''};
    case 'EXEC': return {kind, command: ['/bin/sh', '-c', '']};
    case 'CHECKIN': return {kind};
    default: return {kind: 'WORKER'};
  }
}

// A command line as words and back; what is run by a shell is shown as its one line.
export const isShell = (command: string[]): boolean => command.length === 3 && /^(\/bin\/)?(ba|da)?sh$/.test(command[0] ?? '') && command[1] === '-c';
export const commandText = (command: string[]): string => (isShell(command) ? command[2]! : command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' '));
export const shellCommand = (line: string): string[] => ['/bin/sh', '-c', line];

export function labelsText(labels: Record<string, string> | undefined): string {
  return Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`).join(', ');
}

export function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [key, ...value] = part.split('=');
    if (key?.trim()) labels[key.trim()] = value.join('=').trim();
  }
  return labels;
}

const shown = (value: unknown): string => (value === undefined || value === '' ? '' : typeof value === 'string' ? value : JSON.stringify(value));

// Field by field, for the look before saving.
export function changes(before: JobDefinition, after: JobDefinition): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof JobDefinition)[];
  return names
    .filter((name) => shown(before[name]) !== shown(after[name]))
    .map((name) => ({field: name, before: shown(before[name]), after: shown(after[name])}));
}
