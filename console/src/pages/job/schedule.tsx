// When it ticks: in words, as instants, and what will surprise.
import {jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Job} from '../../api/types';
import {Bones, Card, Facts, Trouble} from '../../ui/basics';
import {Month} from '../calendar/month';
import {Fires, Warnings} from '../../editor/fires';

const SHOWN = 25;

export function Schedule({job}: {job: Job}) {
  const {data, problem, reload} = useLoad(`next:${job.job_id}:${job.version}`, () => jobs.next(job.job_id, SHOWN), {every: 60_000});
  return (
    <div class="cols">
      <div class="stack">
        <Card title="In words">
          {data && <p class="sentence">{data.sentence}</p>}
          <Facts
            facts={[
              ['Written', <code>{job.cron_expression ?? (job.every ? `every ${job.every}` : job.run_at)}</code>],
              ['Zone', job.timezone],
              ['Dialect', job.schedule_type === 'CRON' && job.dialect],
              ['If clocks skip it', job.schedule_type === 'CRON' && (job.dst_gap === 'SKIP' ? 'skip' : 'run when the gap ends')],
              ['If it comes twice', job.schedule_type === 'CRON' && (job.dst_overlap === 'BOTH' ? 'run both times' : 'run the first time')],
              ['Not before', job.start_at],
              ['Not after', job.end_at],
              ['Jitter', job.jitter && `up to ${job.jitter}, always the same for this job`],
              ['Not at the times of', job.calendar],
              ['Ticks at these times', job.calendar && (job.calendar_policy === 'DELAY' ? 'run once, afterwards' : 'are skipped')],
            ]}
          />
          {data && <Warnings warnings={data.warnings} />}
        </Card>
        <Card title="By day"><Month job={job} /></Card>
      </div>
      <Card title={`Next ${SHOWN} fires`} flush>
        {problem && <Trouble problem={problem} retry={reload} />}
        {data ? <Fires next={data.next} delayed={data.delayed} zone={job.timezone} /> : <Bones rows={8} />}
      </Card>
    </div>
  );
}
