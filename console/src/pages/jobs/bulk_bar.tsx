// Acting on many jobs: those selected, or all that match. First what would happen, then progress, with a way to stop.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import type {Query} from '../../api/client';
import type {JobSummary} from '../../api/types';
import {note} from '../../state/toasts';
import {Dialog, closeDialog, showDialog} from '../../ui/dialog';
import {askPause} from '../job/actions';

interface BulkBarProps {
  selected: JobSummary[];
  filter: Query;
  clear: () => void;
  done: () => void;
}

type Work = (job: JobSummary) => Promise<unknown>;

export function BulkBar({selected, filter, clear, done}: BulkBarProps) {
  const [all, setAll] = useState(false);
  const ask = (verb: string, past: string, work: Work, danger = false): void =>
    showDialog(() => <BulkDialog verb={verb} past={past} work={work} danger={danger} some={all ? undefined : selected} filter={filter} done={() => (clear(), done())} />);
  return (
    <div class="bulk" role="region" aria-label="Selected jobs">
      <b>{all ? 'All that match' : `${selected.length} selected`}</b>
      <button type="button" class="linkish" onClick={() => setAll(!all)}>{all ? `only the ${selected.length} selected` : 'or all that match'}</button>
      <span class="grow" />
      <button type="button" class="btn" onClick={() => ask('Run', 'started', (job) => jobs.trigger(job.job_id))}>Run now</button>
      <button type="button" class="btn" onClick={() => (all ? ask('Pause', 'paused', (job) => jobs.pause(job.job_id, {})) : askPause(selected, () => (clear(), done())))}>Pause…</button>
      <button type="button" class="btn" onClick={() => ask('Resume', 'resumed', (job) => jobs.resume(job.job_id))}>Resume</button>
      <button type="button" class="btn" onClick={() => ask('Delete', 'deleted', (job) => jobs.remove(job.job_id), true)}>Delete…</button>
      <button type="button" class="btn quiet" onClick={clear}>Clear</button>
    </div>
  );
}

async function* matching(filter: Query): AsyncGenerator<JobSummary> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await jobs.list({...filter, cursor, limit: 1000});
    yield* page.items;
    cursor = page.next_cursor;
  }
}

interface BulkDialogProps {
  verb: string;
  past: string;
  work: Work;
  danger: boolean;
  some: JobSummary[] | undefined; // undefined: all that match
  filter: Query;
  done: () => void;
}

function BulkDialog({verb, past, work, danger, some, filter, done}: BulkDialogProps) {
  const [found, setFound] = useState<JobSummary[] | undefined>(some);
  const [at, setAt] = useState<number>();
  const [typed, setTyped] = useState('');
  const [stop] = useState({asked: false});
  const count = async (): Promise<void> => {
    const all: JobSummary[] = [];
    for await (const job of matching(filter)) all.push(job);
    setFound(all);
  };
  if (!found && at === undefined) void (setAt(-1), count());
  const run = async (): Promise<boolean> => {
    let refused = 0;
    let ended = 0;
    for (const job of found ?? []) {
      if (stop.asked) break;
      await work(job).catch(() => ++refused);
      setAt(++ended);
    }
    note(`${ended - refused} jobs ${past}${refused ? `, ${refused} refused` : ''}${stop.asked ? '; stopped' : ''}`, {bad: refused > 0});
    done();
    closeDialog();
    return true;
  };
  const running = at !== undefined && at >= 0;
  return (
    <Dialog title={found ? `${verb} ${found.length.toLocaleString('en')} jobs` : 'Counting…'} action={verb} danger={danger} disabled={!found || running || (danger && found.length > 1 && typed !== String(found.length))} onSubmit={run}
      extra={running && <button type="button" class="btn quiet" onClick={() => (stop.asked = true)}>Stop</button>}>
      {found && (
        <>
          <ul class="samples">
            {found.slice(0, 10).map((job) => <li key={job.job_id}>{job.job_name} <span class="muted">{job.status.toLowerCase()}</span></li>)}
            {found.length > 10 && <li class="muted">and {(found.length - 10).toLocaleString('en')} more</li>}
          </ul>
          {danger && found.length > 1 && (
            <label class="field"><span class="label">This cannot be undone. Type {found.length} to go on</span><input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
          )}
          {running && <progress max={found.length} value={at} aria-label="Progress" />}
        </>
      )}
    </Dialog>
  );
}
