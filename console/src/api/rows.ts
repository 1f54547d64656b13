// What a row of a list shows beside the job itself: its schedule in words, and its last runs. Read when it is seen.
import {useEffect, useRef, useState} from 'preact/hooks';
import {jobs, preview} from './calls';
import {listen} from './events';
import {Few} from './few';
import type {JobSummary, PreviewRequest, Run} from './types';

const SCHEDULE = ['schedule_type', 'cron_expression', 'timezone', 'dialect', 'dst_gap', 'dst_overlap', 'every', 'run_at', 'start_at', 'end_at', 'jitter', 'calendar', 'calendar_policy'] as const;

// The part of a job that says when; a preview takes the same fields.
export function scheduleOf(job: Partial<JobSummary>): PreviewRequest {
  const schedule: Record<string, unknown> = {};
  for (const field of SCHEDULE) if (job[field] !== undefined) schedule[field] = job[field];
  // Only these draw by the name; leaving it out lets jobs share an answer.
  if (job.jitter || job.cron_expression?.includes('H')) schedule.job_name = job.job_name;
  return schedule as PreviewRequest;
}

const sentences = new Few((key) => preview({...(JSON.parse(key) as PreviewRequest), count: 1}).then((answer) => answer.sentence));
const recent = new Few((job) => jobs.runs(job, {limit: 20}).then((page) => page.items));

export function useSentence(job: JobSummary): string | undefined {
  const key = JSON.stringify(scheduleOf(job));
  const [found, setFound] = useState<{key: string; text: string}>();
  useEffect(() => {
    let wanted = true;
    sentences.get(key).then((text) => wanted && setFound({key, text}), () => undefined);
    return () => void (wanted = false);
  }, [key]);
  return found?.key === key ? found.text : undefined;
}

// The last twenty runs of a job, kept current by events.
export function useRecentRuns(job: string): Run[] | undefined {
  const [found, setFound] = useState<Run[]>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    let wanted = true;
    const read = (): void => void recent.get(job).then((runs) => wanted && setFound(runs), () => undefined);
    read();
    const stop = listen((news) => {
      if (news.kind === 'jobs' || (news.kind === 'runs' && !news.runs.some((run) => run.run_id.startsWith(job)))) return;
      recent.forget(job);
      clearTimeout(timer.current);
      timer.current = setTimeout(read, 400);
    });
    return () => {
      wanted = false;
      stop();
      clearTimeout(timer.current);
    };
  }, [job]);
  return found;
}
