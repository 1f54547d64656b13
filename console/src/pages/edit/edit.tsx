// Making a job, or changing one: the schedule first, with its meaning beside it; before a change is kept it is shown.
import {useState} from 'preact/hooks';
import {admin, jobs} from '../../api/calls';
import {Refusal} from '../../api/client';
import {useLoad} from '../../api/load';
import type {Job, JobDefinition} from '../../api/types';
import {cleanSchedule, errorOf, ScheduleEditor, useMeaning} from '../../editor/schedule_editor';
import {go, query, segments} from '../../state/route';
import {note} from '../../state/toasts';
import {Bones, Card, Field, PageHead, TextArea, Trouble} from '../../ui/basics';
import {asCurl, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import {Diff, type Change} from '../../ui/diff';
import {changes, definitionOf, fresh, labelsText, parseLabels} from './draft';
import {Policies} from './policies';
import {TargetEditor} from './target_editor';
import './edit.css';

export default function Edit() {
  const [, second] = segments.value;
  const existing = second !== 'new' ? second : undefined;
  const origin = existing ?? query.value.get('from') ?? '';
  const {data, problem} = useLoad(origin ? `edit:${origin}` : '', () => jobs.read(origin));
  if (origin && !data) return problem ? <Trouble problem={problem} /> : <Bones rows={10} />;
  return <Form key={origin || 'new'} job={existing ? data : undefined} initial={data ? copyOf(data, Boolean(existing)) : query.value.get('target') === 'CHECKIN' ? {...fresh(), target: {kind: 'CHECKIN'}} : fresh()} />;
}

const copyOf = (job: Job, same: boolean): JobDefinition => ({...definitionOf(job), ...(same ? {} : {job_name: `${job.job_name}-copy`})});

const CHANGED_BY_SCHEDULE = ['schedule_type', 'cron_expression', 'every', 'run_at', 'timezone', 'dialect', 'jitter', 'calendar', 'calendar_policy', 'start_at', 'end_at', 'dst_gap', 'dst_overlap'];

function Form({job, initial}: {job: Job | undefined; initial: JobDefinition}) {
  const [draft, setDraft] = useState(initial);
  const [payload, setPayload] = useState(JSON.stringify(initial.payload ?? null, null, 2));
  const [labels, setLabels] = useState(labelsText(initial.labels));
  const [refusal, setRefusal] = useState<Refusal>();
  const calendars = useLoad('calendars', admin.calendars).data?.items.map((calendar) => calendar.name) ?? [];
  const meaning = useMeaning(draft, draft.job_name);
  const set = (more: Partial<JobDefinition>): void => setDraft({...draft, ...more});
  let payloadError = '';
  let value: unknown;
  try {
    value = payload.trim() ? JSON.parse(payload) : null;
  } catch (error) {
    payloadError = error instanceof Error ? error.message : 'not JSON';
  }
  const rest = Object.fromEntries(Object.entries(draft).filter(([name]) => !CHANGED_BY_SCHEDULE.includes(name)));
  const body = {...rest, ...cleanSchedule(draft), labels: parseLabels(labels), ...(value === null ? {} : {payload: value})} as JobDefinition;
  const errors = refusal?.problem.errors ?? [];
  const save = async (): Promise<boolean> => {
    setRefusal(undefined);
    try {
      const saved = job ? await jobs.replace(job.job_id, body, job.version) : await jobs.create(body);
      note(job ? `${saved.job_name} is changed` : `${saved.job_name} is made`);
      go(`/jobs/${saved.job_id}${!job && saved.target.kind === 'CHECKIN' ? '/checkin' : ''}`);
      return true;
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error);
      return true;
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (job) showDialog(() => <DiffDialog changes={changes(definitionOf(job), body)} save={save} />);
    else void save();
  };
  return (
    <form onSubmit={submit}>
      <PageHead title={job ? `Edit ${job.job_name}` : 'New job'} crumbs={<><a href="/jobs">Jobs</a>{job && <><span>/</span><a href={`/jobs/${job.job_id}`}>{job.job_name}</a></>}</>}>
        <button type="button" class="btn quiet" onClick={() => void copyText(asCurl(job ? 'PUT' : 'POST', job ? `/jobs/${job.job_id}` : '/jobs', body))}>Copy as curl</button>
        <a class="btn" href={job ? `/jobs/${job.job_id}` : '/jobs'}>Not now</a>
        <button type="submit" class="btn main" disabled={!draft.job_name || payloadError !== ''}>{job ? 'Review the change' : 'Create job'}</button>
      </PageHead>
      {refusal && <div class="refused"><Trouble problem={refusal} /></div>}
      <div class="cols">
        <Card title="When">
          <ScheduleEditor draft={draft} jobName={draft.job_name} meaning={meaning} calendars={calendars} onChange={(schedule) => set(schedule)} />
        </Card>
        <div class="stack">
          <Card title="What">
            <div class="stack">
              <Field label="Name" field="job_name" autofocus={!job} required value={draft.job_name} onText={(job_name) => set({job_name})} placeholder="billing/nightly-invoices" error={errorOf(errors, 'job_name')?.message} hint="Unique in the tenant; slashes make folders" />
              <TargetEditor draft={draft} onChange={set} errors={errors} />
              <TextArea label="Payload (JSON)" rows={4} value={payload} onText={setPayload} error={payloadError || errorOf(errors, 'payload')?.message} />
              <Field label="Labels" field="labels" value={labels} onText={setLabels} placeholder="team=billing, env=prod" error={errors.find((error) => error.pointer?.startsWith('/labels'))?.message} />
              <Field label="About, for people" field="description" value={draft.description ?? ''} onText={(description) => set({description})} />
            </div>
          </Card>
          <Card title="If something goes wrong"><Policies draft={draft} onChange={set} errors={errors} /></Card>
        </div>
      </div>
    </form>
  );
}

const DiffDialog = ({changes: all, save}: {changes: Change[]; save: () => Promise<boolean>}) => (
  <Dialog title={all.length ? 'This changes' : 'Nothing is changed'} action={all.length ? 'Keep it' : 'Save anyway'} wide onSubmit={save}>
    <Diff changes={all} heads={['Was', 'Will be']} />
  </Dialog>
);
