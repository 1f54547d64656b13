// What needs somebody, from what the server tells of jobs and runs. The one place to ask for it.
import {lagOf} from '../ui/outcomes';
import {cluster, jobs, runs} from './calls';
import type {Cluster, JobPage, JobSummary, Run, Stats} from './types';

export const DAY = 86_400_000;
export const LATE_MS = 10_000;
export const MOST_RUNS = 1000;
const MOST_JOBS = 1000;
const MOST_FAILING = 100;

export interface Picture {
  at: number;
  stats: Stats;
  cluster: Cluster;
  failing: JobSummary[]; // whose last run failed, the longest row of failures first; all that there are count in stats
  recent: Run[]; // of the last day, the newest first
  allRecent: boolean; // false: there were more than we looked at
  dead: Run[];
  moreDead: boolean;
}

export async function readPicture(): Promise<Picture> {
  const at = Date.now();
  const from = new Date(at - DAY).toISOString();
  const [stats, state, failing, recent, dead] = await Promise.all([
    cluster.stats(),
    cluster.read(),
    jobs.list({failing: true, limit: MOST_FAILING}),
    runs.list({from, limit: MOST_RUNS}),
    runs.list({state: 'DEAD', limit: 100}),
  ]);
  return {
    at, stats, cluster: state,
    failing: failing.items.sort((a, b) => b.failures_in_a_row - a.failures_in_a_row),
    recent: recent.items, allRecent: recent.next_cursor === null,
    dead: dead.items, moreDead: dead.next_cursor !== null,
  };
}

// The active jobs whose next fires can be compared; the first by name where there are more.
export const firstJobs = (): Promise<JobPage> => jobs.list({status: 'ACTIVE', limit: MOST_JOBS});

// Runs that began long after their time.
export const lateRuns = (recent: Run[]): Run[] => recent.filter((run) => (lagOf(run) ?? 0) > LATE_MS);

// Running beyond the end of their time: their worker neither ends nor lets go.
export const stuckRuns = (recent: Run[], now: number): Run[] =>
  recent.filter((run) => run.state === 'RUNNING' && run.deadline !== null && Date.parse(run.deadline) < now);
