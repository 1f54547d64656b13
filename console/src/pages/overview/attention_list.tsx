import type {JobSummary, Run} from '../../api/types';
import {shortDuration} from '../../time/duration';
import {Empty, Pill} from '../../ui/basics';
import {lagOf} from '../../ui/outcomes';
import {Time} from '../../ui/time';

interface AttentionProps {
  failing: JobSummary[];
  late: Run[];
  stuck: Run[];
}

const MOST = 8;

export function Attention({failing, late, stuck}: AttentionProps) {
  const rows = [
    ...stuck.map((run) => (
      <tr key={`s${run.run_id}`}>
        <td><Pill kind="bad">Stuck</Pill></td>
        <td class="fill"><a class="name" href={`/runs/${run.run_id}`}>{run.job_name}</a> <span class="dim">past its deadline, still held by {run.worker}</span></td>
        <td class="num muted"><Time at={run.deadline} /></td>
      </tr>
    )),
    ...failing.map((job) => (
      <tr key={job.job_id}>
        <td><Pill kind="bad">Failing</Pill></td>
        <td class="fill"><a class="name" href={job.last_run ? `/runs/${job.last_run.run_id}` : `/jobs/${job.job_id}`}>{job.job_name}</a> <span class="dim">{job.failures_in_a_row > 1 && `${job.failures_in_a_row} in a row: `}{job.last_run?.error ?? 'failed'}</span></td>
        <td class="num muted c1">{job.last_run && <Time at={job.last_run.finished_at} />}</td>
      </tr>
    )),
    ...late.map((run) => (
      <tr key={run.run_id}>
        <td><Pill kind="late">Late</Pill></td>
        <td class="fill"><a class="name" href={`/runs/${run.run_id}`}>{run.job_name}</a> <span class="dim">started {shortDuration(lagOf(run) ?? 0)} after its time</span></td>
        <td class="num muted c1"><Time at={run.scheduled_for} /></td>
      </tr>
    )),
  ];
  if (rows.length === 0) return <Empty title="Nothing needs you"><p class="muted">Failing, late and stuck jobs would stand here, worst first.</p></Empty>;
  return (
    <div class="table">
      <table>
        <thead class="sr"><tr><th>What</th><th>Where</th><th>When</th></tr></thead>
        <tbody>{rows.slice(0, MOST)}</tbody>
      </table>
      {rows.length > MOST && <p class="more muted">and {rows.length - MOST} more</p>}
    </div>
  );
}
