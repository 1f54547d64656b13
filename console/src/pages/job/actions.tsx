// What can be done with a job, wherever it is shown: each says what it did, and can be undone or copied as a command.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import type {Job, JobSummary, Pause, PauseRequest} from '../../api/types';
import {go} from '../../state/route';
import {attempt, note, soon} from '../../state/toasts';
import {fullTime} from '../../time/format';
import {Command, Field, TextArea} from '../../ui/basics';
import {asBelfry, asCurl, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import type {MenuEntry} from '../../ui/menu';

type AnyJob = Pick<JobSummary, 'job_id' | 'job_name' | 'status' | 'timezone'> & {paused?: Pause; payload?: unknown};

export function runNow(job: AnyJob, payload?: unknown): Promise<boolean> {
  return attempt(async () => {
    const run = await jobs.trigger(job.job_id, payload);
    note(`${job.job_name} runs now`, {link: {to: `/runs/${run.run_id}`, text: 'Follow it'}});
  });
}

// Run it and look at once.
export function runAndFollow(job: AnyJob, payload?: unknown): Promise<boolean> {
  return attempt(async () => go(`/runs/${(await jobs.trigger(job.job_id, payload)).run_id}`));
}

export function resume(job: AnyJob): Promise<boolean> {
  const before = job.paused;
  return attempt(() => jobs.resume(job.job_id), `${job.job_name} resumed`, {
    undo: () => attempt(() => jobs.pause(job.job_id, {note: before?.note ?? '', ...(before?.until ? {until: before.until} : {})}), `${job.job_name} is paused again`),
  });
}

export function togglePause(job: AnyJob): void {
  if (job.status === 'PAUSED') void resume(job);
  else if (job.status === 'ACTIVE') askPause([job]);
  else note(`${job.job_name} is ${job.status.toLowerCase()}; it has no ticks to pause`);
}

export const askPause = (some: AnyJob[], done?: () => void): void => showDialog(() => <PauseDialog jobs={some} done={done} />);

const UNTIL: [string, () => Date | undefined][] = [
  ['until resumed', () => undefined],
  ['1 hour', () => new Date(Date.now() + 3_600_000)],
  ['4 hours', () => new Date(Date.now() + 4 * 3_600_000)],
  ['tomorrow 08:00', () => atEight(1)],
  ['Monday 08:00', () => atEight((8 - new Date().getDay()) % 7 || 7)],
];

function atEight(days: number): Date {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(8, 0, 0, 0);
  return date;
}

const forInput = (date: Date): string => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export interface PauseTerms {
  why: string;
  until: string; // as the browser's input writes it, in the browser's zone; empty: none
}

// What a pause says, to one job or to many.
export const pauseBody = ({why, until}: PauseTerms): PauseRequest => ({...(why ? {note: why} : {}), ...(until ? {until: new Date(until).toISOString()} : {})});
export const pauseWords = ({why, until}: PauseTerms): string[] => [...(why ? ['-m', why] : []), ...(until ? ['--until', new Date(until).toISOString()] : [])];

export const PauseFields = ({terms, onChange}: {terms: PauseTerms; onChange: (terms: PauseTerms) => void}) => (
  <>
    <p class="dim">Ticks during the pause are skipped and recorded as such; runs that are going go on.</p>
    <Field label="Why, for others to read" autofocus value={terms.why} onText={(why) => onChange({...terms, why})} placeholder="vendor freeze, ticket 4711" />
    <div class="chips" role="group" aria-label="How long">
      {UNTIL.map(([text, date]) => {
        const value = date() ? forInput(date()!) : '';
        return (
          <button key={text} type="button" class="chip" aria-pressed={terms.until === value} onClick={() => onChange({...terms, until: value})}>{text}</button>
        );
      })}
    </div>
    <Field label="Resume by itself at (your time); empty: when somebody resumes it" type="datetime-local" value={terms.until} onText={(until) => onChange({...terms, until})} />
  </>
);

function PauseDialog({jobs: some, done}: {jobs: AnyJob[]; done?: (() => void) | undefined}) {
  const [terms, setTerms] = useState<PauseTerms>({why: '', until: ''});
  const {until} = terms;
  const one = some[0]!;
  const name = some.length === 1 ? one.job_name : `${some.length} jobs`;
  const pause = (): Promise<boolean> =>
    attempt(async () => {
      for (const job of some) await jobs.pause(job.job_id, pauseBody(terms));
      done?.();
    }, `${name} paused${until ? ` until ${fullTime(Date.parse(until), Intl.DateTimeFormat().resolvedOptions().timeZone)}` : ''}`, {
      undo: () => attempt(async () => {
        for (const job of some) await jobs.resume(job.job_id);
        done?.();
      }, `${name} resumed`),
    });
  return (
    <Dialog title={`Pause ${name}`} action="Pause" onSubmit={pause} extra={<button type="button" class="btn quiet" onClick={() => void copyText(asBelfry('pause', one.job_name, ...pauseWords(terms)))}>Copy as belfry</button>}>
      <PauseFields terms={terms} onChange={setTerms} />
    </Dialog>
  );
}

export const askRun = (job: AnyJob, payload?: unknown): void => showDialog(() => <RunDialog job={job} payload={payload ?? job.payload ?? null} />);

export function parsePayload(text: string): {value?: unknown; error?: string} {
  try {
    return {value: text.trim() ? JSON.parse(text) : null};
  } catch (error) {
    return {error: error instanceof Error ? error.message : 'not JSON'};
  }
}

function RunDialog({job, payload}: {job: AnyJob; payload: unknown}) {
  const [text, setText] = useState(JSON.stringify(payload, null, 2));
  const {value, error} = parsePayload(text);
  return (
    <Dialog title={`Run ${job.job_name} now`} action="Run" disabled={error !== undefined} onSubmit={() => runAndFollow(job, value)}
      extra={<button type="button" class="btn quiet" onClick={() => void copyText(asCurl('POST', `/jobs/${job.job_id}/trigger`, {payload: value}))}>Copy as curl</button>}>
      <p class="dim">A run of its own, with a row in the history. It moves no tick.</p>
      <TextArea label="Payload, for this run" rows={9} value={text} onText={setText} error={error} />
    </Dialog>
  );
}

export const askBackfill = (job: AnyJob, from: string, to: string): void => showDialog(() => <BackfillDialog job={job} from={from} to={to} />);

function BackfillDialog({job, from, to}: {job: AnyJob; from: string; to: string}) {
  const [start, setStart] = useState(from);
  const [end, setEnd] = useState(to);
  const [report, setReport] = useState('');
  const look = (): Promise<boolean> =>
    attempt(async () => {
      const found = await jobs.backfill(job.job_id, start, end, true);
      setReport(`${found.ticks} ticks there: ${found.created} would get a run, ${found.existing.length} have one, ${found.excluded} are excluded, ${found.undecided} are still to be decided.`);
    });
  return (
    <Dialog title={`Backfill ${job.job_name}`} action="Make the runs" onSubmit={() => attempt(async () => {
      const done = await jobs.backfill(job.job_id, start, end, false);
      note(`${done.created} runs made; they are spread over time`, {link: {to: `/jobs/${job.job_id}/runs`, text: 'See them'}});
    })} extra={<button type="button" class="btn quiet" onClick={() => void look()}>What would it do?</button>}>
      <p class="dim">Makes runs for past ticks that have none. Asking twice makes nothing twice.</p>
      <Field label="From" value={start} onText={setStart} class="mono" />
      <Field label="To" value={end} onText={setEnd} class="mono" />
      {report && <p class="box" role="status">{report}</p>}
      <Command text={asBelfry('backfill', job.job_name, '--from', start, '--to', end)} />
    </Dialog>
  );
}

export function askDelete(job: AnyJob, done?: () => void): void {
  void soon(`${job.job_name} will be deleted`, () => jobs.remove(job.job_id), `${job.job_name} is deleted`).then((gone) => gone && done?.());
}

export const askCancel = (job: AnyJob): void =>
  void soon(`${job.job_name} will be cancelled for good`, () => jobs.cancel(job.job_id), `${job.job_name} is cancelled`);

export const copyEntries = (job: AnyJob): MenuEntry[] => [
  {text: 'Copy link', run: () => void copyText(`${location.origin}/jobs/${job.job_id}`)},
  {text: 'Copy as belfry: run now', run: () => void copyText(asBelfry('run', job.job_name))},
  {text: 'Copy as curl: run now', run: () => void copyText(asCurl('POST', `/jobs/${job.job_id}/trigger`, {}))},
  {text: 'Copy as curl: read', run: () => void copyText(asCurl('GET', `/jobs/${job.job_id}`))},
];

export function menuOf(job: Job): MenuEntry[] {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  return [
    {text: 'Run with another payload…', run: () => askRun(job)},
    {text: 'Backfill…', run: () => askBackfill(job, yesterday, new Date().toISOString())},
    {text: 'Clone…', to: `/jobs/new?from=${job.job_id}`},
    'line',
    ...copyEntries(job),
    'line',
    ...(job.status === 'ACTIVE' || job.status === 'PAUSED' ? [{text: 'Cancel for good', run: () => askCancel(job)}] : []),
    {text: 'Delete', run: () => askDelete(job, () => go('/jobs'))},
  ];
}
