// Acting on many jobs: those selected, one call each, or all that match, which the server does.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import type {Query} from '../../api/client';
import type {JobSummary} from '../../api/types';
import {note} from '../../state/toasts';
import {Field} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {askPause} from '../job/actions';
import {BulkDialog} from './bulk_dialog';
import {ACTIONS, type ActionName} from './bulk_work';
import {selectorOf} from './selector';

interface BulkBarProps {
  selected: JobSummary[];
  filter: Query;
  clear: () => void;
  done: () => void;
}

const ONE_BY_ONE = {
  trigger: (job: JobSummary) => jobs.trigger(job.job_id),
  resume: (job: JobSummary) => jobs.resume(job.job_id),
  delete: (job: JobSummary) => jobs.remove(job.job_id),
};

export function BulkBar({selected, filter, clear, done}: BulkBarProps) {
  const [all, setAll] = useState(false);
  const ended = (): void => (clear(), done());
  const ask = (action: ActionName): void => {
    if (all) showDialog(() => <BulkDialog action={action} selector={selectorOf(filter)} done={ended} />);
    else if (action === 'pause') askPause(selected, ended);
    else if (action !== 'label') showDialog(() => <SelectedDialog action={action} some={selected} done={ended} />);
  };
  return (
    <div class="bulk" role="region" aria-label="Selected jobs">
      <b>{all ? 'All that match' : `${selected.length} selected`}</b>
      <button type="button" class="linkish" onClick={() => setAll(!all)}>{all ? `only the ${selected.length} selected` : 'or all that match'}</button>
      <span class="grow" />
      <button type="button" class="btn" onClick={() => ask('trigger')}>Run now</button>
      <button type="button" class="btn" onClick={() => ask('pause')}>Pause…</button>
      <button type="button" class="btn" onClick={() => ask('resume')}>Resume</button>
      {all && <button type="button" class="btn" onClick={() => ask('label')}>Label…</button>}
      <button type="button" class="btn" onClick={() => ask('delete')}>Delete…</button>
      <button type="button" class="btn quiet" onClick={clear}>Clear</button>
    </div>
  );
}

interface SelectedProps {
  action: keyof typeof ONE_BY_ONE;
  some: JobSummary[];
  done: () => void;
}

function SelectedDialog({action, some, done}: SelectedProps) {
  const {verb, past, danger} = ACTIONS[action];
  const [at, setAt] = useState<number>();
  const [typed, setTyped] = useState('');
  const [stop] = useState({asked: false});
  const run = async (): Promise<boolean> => {
    let refused = 0;
    let ended = 0;
    for (const job of some) {
      if (stop.asked) break;
      await ONE_BY_ONE[action](job).catch(() => ++refused);
      setAt(++ended);
    }
    note(`${ended - refused} ${ended - refused === 1 ? 'job' : 'jobs'} ${past}${refused ? `, ${refused} refused` : ''}${stop.asked ? '; stopped' : ''}`, {bad: refused > 0});
    done();
    return true;
  };
  const running = at !== undefined;
  const sure = !danger || some.length === 1 || typed === String(some.length);
  return (
    <Dialog title={`${verb} ${some.length} ${some.length === 1 ? 'job' : 'jobs'}`} action={verb} danger={danger} disabled={running || !sure} onSubmit={run}
      extra={running && <button type="button" class="btn quiet" onClick={() => (stop.asked = true)}>Stop</button>}>
      <ul class="samples">
        {some.slice(0, 10).map((job) => <li key={job.job_id}>{job.job_name} <span class="muted">{job.status.toLowerCase()}</span></li>)}
        {some.length > 10 && <li class="muted">and {some.length - 10} more</li>}
      </ul>
      {danger && some.length > 1 && <Field label={`This cannot be undone. Type ${some.length} to go on`} value={typed} onText={setTyped} />}
      {running && <progress max={some.length} value={at} aria-label="Progress" />}
    </Dialog>
  );
}
