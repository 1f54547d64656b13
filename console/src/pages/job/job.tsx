// One job: what it did, when it will do it again, and why it did not.
import {jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import {useRecentRuns, useSentence} from '../../api/rows';
import type {Job as JobOfApi} from '../../api/types';
import {useShortcuts} from '../../shell/shortcuts';
import {go, segments} from '../../state/route';
import {mayOperate} from '../../state/session';
import {Bones, PageHead, Pill, Tabs, Trouble} from '../../ui/basics';
import {Menu} from '../../ui/menu';
import {Time} from '../../ui/time';
import {CheckinTab} from '../checkins/token';
import {Next, stateOf} from '../jobs/job_row';
import {askPause, askRun, menuOf, resume, runAndFollow} from './actions';
import {Definition} from './definition';
import {JobAlerts} from './job_alerts';
import {JobRuns} from './job_runs';
import {Revisions} from './revisions';
import {Schedule} from './schedule';
import {TimelineTab} from './timeline_tab';
import {Why} from './why';
import {targetWords} from './words';
import './job.css';

const TABS: [string, string][] = [['timeline', 'Timeline'], ['runs', 'Runs'], ['schedule', 'Schedule'], ['definition', 'Definition'], ['revisions', 'Revisions'], ['alerts', 'Alerts'], ['why', 'Why?']];

const tabsOf = (job: JobOfApi): [string, string][] => (job.target.kind === 'CHECKIN' ? [...TABS.slice(0, 1), ['checkin', 'Check-in'], ...TABS.slice(1)] : TABS);

export default function Job() {
  const id = segments.value[1] ?? '';
  const tab = segments.value[2] ?? 'timeline';
  const {data: job, problem, reload} = useLoad(`job:${id}`, () => jobs.read(id), {
    on: (news) => news.kind === 'jobs' && news.jobs.some((each) => each.job_id === id),
  });
  if (!job) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={10} />;
  return <Loaded key={id} job={job} tab={tab} />;
}

function Loaded({job, tab}: {job: JobOfApi; tab: string}) {
  const runs = useRecentRuns(job.job_id);
  const sentence = useSentence(job);
  const [kind, word] = stateOf(job, runs);
  const pause = (): void => void (job.status === 'PAUSED' ? resume(job) : askPause([job]));
  useShortcuts(mayOperate.value ? {p: pause, r: () => void runAndFollow(job), e: () => go(`/jobs/${job.job_id}/edit`)} : {});
  const folder = job.job_name.includes('/') ? job.job_name.slice(0, job.job_name.lastIndexOf('/')) : '';
  return (
    <>
      <PageHead
        crumbs={<><a href="/jobs">Jobs</a>{folder && <><span>/</span><a href={`/jobs?q=${encodeURIComponent(`${folder}/`)}`}>{folder}</a></>}</>}
        title={<>{job.job_name} <Pill kind={kind}>{word}</Pill></>}
        sub={<>{sentence ?? '…'}{job.schedule_type === 'CRON' && ` · ${job.timezone}`} · {job.status === 'PAUSED' ? 'paused' : 'next'} <Next job={job} /> · {targetWords(job.target, job.job_type)}</>}
      >
        {mayOperate.value && (
          <>
            {(job.status === 'ACTIVE' || job.status === 'PAUSED') && <button type="button" class="btn" onClick={pause}>{job.status === 'PAUSED' ? 'Resume' : 'Pause…'}</button>}
            <a class="btn" href={`/jobs/${job.job_id}/edit`}>Edit</a>
            <Menu label={`More for ${job.job_name}`} entries={menuOf(job)} />
            <button type="button" class="btn main" onClick={(event) => (event.shiftKey ? askRun(job) : void runAndFollow(job))}>Run now</button>
          </>
        )}
      </PageHead>
      {job.paused && (
        <p class="box late">
          Paused by {job.paused.by}{job.paused.note && <>: “{job.paused.note}”</>}. {job.paused.until ? <>It resumes by itself at <Time at={job.paused.until} zone={job.timezone} />.</> : 'It waits until somebody resumes it.'} Ticks until then are skipped, and the timeline shows each.
        </p>
      )}
      <Tabs label="About this job" current={tab} tabs={tabsOf(job).map(([name, text]) => ({name, text, to: `/jobs/${job.job_id}${name === 'timeline' ? '' : `/${name}`}`}))} />
      {tab === 'timeline' && <TimelineTab job={job} runs={runs} />}
      {tab === 'runs' && <JobRuns job={job} />}
      {tab === 'schedule' && <Schedule job={job} />}
      {tab === 'definition' && <Definition job={job} />}
      {tab === 'revisions' && <Revisions job={job} />}
      {tab === 'alerts' && <JobAlerts job={job} />}
      {tab === 'checkin' && <CheckinTab job={job} />}
      {tab === 'why' && <Why job={job} />}
    </>
  );
}
