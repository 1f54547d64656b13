// Dead letters that died of the same thing: the same type, and the same error once numbers and ids are taken out.
import type {Run} from '../../api/types';

export interface Group {
  key: string;
  type: string;
  error: string;
  runs: Run[];
  jobs: string[];
  first: string;
  last: string;
}

export const fingerprint = (error: string): string => error.replaceAll(/0x[0-9a-f]+|[0-9a-f]{8,}|\d+/gi, '#').replaceAll(/\s+/g, ' ').trim().slice(0, 160);

export function groupsOf(runs: Run[]): Group[] {
  const groups = new Map<string, Group>();
  for (const run of runs) {
    const error = run.error ?? 'no error was given';
    const key = `${run.job_type}\n${fingerprint(error)}`;
    const at = run.finished_at ?? run.scheduled_for;
    const group = groups.get(key) ?? {key, type: run.job_type, error, runs: [], jobs: [], first: at, last: at};
    group.runs.push(run);
    if (!group.jobs.includes(run.job_name)) group.jobs.push(run.job_name);
    if (at < group.first) group.first = at;
    if (at > group.last) group.last = at;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.runs.length - a.runs.length);
}
