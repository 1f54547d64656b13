// Work that is done elsewhere and only reports here: who is silent, who reported last, and how.
import {jobs} from '../../api/calls';
import {usePages} from '../../api/pages';
import {useRecentRuns, useSentence} from '../../api/rows';
import type {JobSummary, Run} from '../../api/types';
import {Strip} from '../../charts/strip';
import {now} from '../../state/clock';
import {go} from '../../state/route';
import {mayOperate} from '../../state/session';
import {shownZone} from '../../time/format';
import {Bones, Card, Command, Empty, PageHead, Pill, Trouble} from '../../ui/basics';
import {More, NewPill} from '../../ui/list';
import {Menu} from '../../ui/menu';
import {isBad, type Kind} from '../../ui/outcomes';
import {useRowCursor} from '../../ui/rows';
import {Countdown, Time} from '../../ui/time';
import {Next} from '../jobs/job_row';
import {askRotate, revoke, showLines, useToken} from './token';

// What the reports say of the work. A tick that waits for its report is late: silence becomes a failure only when the
// job's `start_within` is over.
export function stateOf(job: JobSummary, runs: Run[] | undefined, at: number): [Kind, string] {
  if (job.status === 'PAUSED') return ['off', 'Paused'];
  if (job.status !== 'ACTIVE') return ['off', job.status === 'CANCELLED' ? 'Cancelled' : 'Completed'];
  if (runs?.some((run) => run.state === 'RUNNING')) return ['run', 'Working'];
  const last = job.last_run;
  if (last && isBad(last.state)) return ['bad', last.reason === 'not_started' ? 'Silent' : last.state === 'TIMED_OUT' ? 'No end' : 'Failed'];
  if (runs?.some((run) => run.state === 'READY' && Date.parse(run.scheduled_for) < at)) return ['late', 'Late'];
  return last ? ['ok', 'Reported'] : ['wait', 'Waiting'];
}

const reported = (runs: Run[] | undefined): Run | undefined => runs?.find((run) => run.started_at !== null);

export default function CheckIns() {
  const pages = usePages<JobSummary>('checkins', (cursor) => jobs.list({checkin: true, cursor, limit: 50}), {id: (job) => job.job_id, on: () => true});
  const rows = pages.items ?? [];
  const at = useRowCursor(rows, {open: (job) => go(`/jobs/${job.job_id}/checkin`)});
  const silent = rows.filter((job) => job.last_run && isBad(job.last_run.state)).length;
  return (
    <>
      <PageHead title="Check-ins" sub={sentence(rows, silent, pages.more !== undefined)}>
        {mayOperate.value && <a class="btn main" href="/jobs/new?target=CHECKIN">New check-in</a>}
      </PageHead>
      <NewPill pages={pages} />
      {pages.problem && <Trouble problem={pages.problem} retry={pages.reload} />}
      <Card flush>
        {!pages.items ? <Bones rows={6} /> : rows.length === 0 ? <NoCheckIns /> : (
          <div class="table"><table>
            <thead><tr><th>State</th><th>Job</th><th class="c2">Expected</th><th>Last report</th><th class="c1">Next</th><th class="c4">Zone</th><th class="c3">Last 20</th>{mayOperate.value && <th class="c1"><span class="sr">Actions</span></th>}</tr></thead>
            <tbody data-rows>{rows.map((job, i) => <CheckInRow key={job.job_id} job={job} at={i === at} />)}</tbody>
          </table></div>
        )}
        <More pages={pages} />
      </Card>
    </>
  );
}

function sentence(rows: JobSummary[], silent: number, more: boolean): string {
  if (rows.length === 0) return 'Work that is done elsewhere, and reports here.';
  const some = `${rows.length}${more ? '+' : ''} ${rows.length === 1 ? 'job reports' : 'jobs report'} here`;
  return silent ? `${some}; ${silent} ${silent === 1 ? 'is' : 'are'} silent or failed.` : `${some}, and none is silent.`;
}

const NoCheckIns = () => (
  <Empty title="Nothing checks in yet">
    <p>A backup on another machine, a line of an old crontab: Belfry does not run it, but notices when it did not run.</p>
    <Command text="belfry add nightly --cron '0 2 * * *' --checkin --start-within 30m" />
    {mayOperate.value && <a class="btn" href="/jobs/new?target=CHECKIN">New check-in</a>}
  </Empty>
);

function CheckInRow({job, at}: {job: JobSummary; at: boolean}) {
  const runs = useRecentRuns(job.job_id);
  const words = useSentence(job);
  const [kind, word] = stateOf(job, runs, now.value);
  const last = reported(runs);
  return (
    <tr class={at ? 'at' : ''}>
      <td><Pill kind={kind}>{word}</Pill></td>
      <td class="max"><a class="name" href={`/jobs/${job.job_id}/checkin`}>{job.job_name}</a></td>
      <td class="fill c2 dim" title={job.cron_expression ?? job.every}>{words ?? ''}</td>
      <td>{last ? <><Time at={last.finished_at ?? last.started_at} zone={job.timezone} /> <span class="c1"><Countdown at={last.finished_at ?? last.started_at ?? ''} /></span></> : <span class="muted">{runs ? (runs.length === 20 ? 'not in 20 ticks' : 'none yet') : ''}</span>}</td>
      <td class="next c1"><Next job={job} /></td>
      <td class="muted c4">{shownZone(job.timezone)}</td>
      <td class="c3">{runs && <Strip runs={runs} />}</td>
      {mayOperate.value ? <TokenCells job={job} /> : null}
    </tr>
  );
}

function TokenCells({job}: {job: JobSummary}) {
  const token = useToken(job.job_id);
  const {known} = token;
  return (
    <>
      <td class="right c1">
        {known === null && <span class="muted">no token</span>}
        {known && <Menu label={`Token of ${job.job_name}`} text="Token" small entries={[{text: 'How to report…', run: () => showLines(job, known)}, {text: 'Rotate…', run: () => askRotate(job, token)}, {text: 'Revoke', run: () => revoke(job, token)}]} />}
      </td>
    </>
  );
}
