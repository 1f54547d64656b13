import {useRecentRuns, useSentence} from '../../api/rows';
import type {JobSummary, Run} from '../../api/types';
import {Strip} from '../../charts/strip';
import {quantile} from '../../charts/lag';
import {shortDuration} from '../../time/duration';
import {Pill} from '../../ui/basics';
import {isBad, isLive, tookOf, type Kind} from '../../ui/outcomes';
import {Countdown, Time} from '../../ui/time';

// One word for how a job is: what somebody did to it comes before how its last run went.
export function stateOf(job: Pick<JobSummary, 'status'>, runs: Run[] | undefined): [Kind, string] {
  if (job.status === 'PAUSED') return ['off', 'Paused'];
  if (job.status === 'CANCELLED') return ['off', 'Cancelled'];
  const last = runs?.find((run) => !isLive(run.state) && run.state !== 'CANCELLED');
  if (last && isBad(last.state)) return ['bad', 'Failing'];
  if (runs?.some((run) => run.state === 'RUNNING')) return ['run', 'Running'];
  if (job.status === 'COMPLETED') return ['off', 'Completed'];
  if (runs?.some((run) => run.state === 'RETRYING')) return ['late', 'Retrying'];
  if (last) return ['ok', 'OK'];
  return runs?.length ? ['wait', 'Waiting'] : ['wait', 'Active'];
}

// Half of the last twenty took no longer.
function usual(runs: Run[] | undefined): string {
  const took = (runs ?? []).map(tookOf).filter((ms): ms is number => ms !== undefined).sort((a, b) => a - b);
  return took.length ? shortDuration(quantile(took, 0.5)) : '';
}

export function Next({job}: {job: Pick<JobSummary, 'status' | 'paused' | 'next_scheduled_run' | 'timezone'>}) {
  if (job.status === 'PAUSED') {
    return <span class="muted" title={job.paused?.note}>{job.paused?.until ? <>until <Time at={job.paused.until} zone={job.timezone} /></> : 'until resumed'}{job.paused?.note && ` · ${job.paused.note}`}</span>;
  }
  if (!job.next_scheduled_run) return <span class="muted">never</span>;
  return (
    <>
      <Time at={job.next_scheduled_run} zone={job.timezone} /> <Countdown at={job.next_scheduled_run} />
    </>
  );
}

interface JobRowProps {
  job: JobSummary;
  at: boolean;
  selected: boolean;
  onSelect: ((job: JobSummary) => void) | undefined;
}

export function JobRow({job, at, selected, onSelect}: JobRowProps) {
  const runs = useRecentRuns(job.job_id);
  const sentence = useSentence(job);
  const [kind, word] = stateOf(job, runs);
  return (
    <tr class={`${selected ? 'sel' : ''} ${at ? 'at' : ''}`} aria-selected={onSelect ? selected : undefined}>
      {onSelect && (
        <td class="c1"><input type="checkbox" aria-label={`Select ${job.job_name}`} checked={selected} onChange={() => onSelect(job)} /></td>
      )}
      <td><Pill kind={kind}>{word}</Pill></td>
      <td class="max"><a class="name" href={`/jobs/${job.job_id}`} title={job.description || job.job_name}>{job.job_name}</a></td>
      <td class="fill c2" title={job.cron_expression ?? job.every ?? job.run_at}>{sentence ?? <span class="mono muted">{job.cron_expression ?? job.every}</span>}</td>
      <td class="muted c4">{job.schedule_type === 'CRON' ? job.timezone : ''}</td>
      <td class="num narrow-only">{job.next_scheduled_run ? <Countdown at={job.next_scheduled_run} /> : null}</td>
      <td class="next c1"><Next job={job} /></td>
      <td class="c3">{runs && <Strip runs={runs} />}</td>
      <td class="num dim c4">{usual(runs)}</td>
      <td class="c4"><a class="tag" href={`/jobs?type=${encodeURIComponent(job.job_type)}`}>{job.job_type}</a></td>
    </tr>
  );
}
