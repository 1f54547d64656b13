// What can be done with a run.
import {useState} from 'preact/hooks';
import {runs} from '../../api/calls';
import type {RunDetail} from '../../api/types';
import {go} from '../../state/route';
import {mayOperate} from '../../state/session';
import {attempt, note} from '../../state/toasts';
import {Field} from '../../ui/basics';
import {asBelfry, asCurl, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import {Menu} from '../../ui/menu';
import {isLive} from '../../ui/outcomes';
import {askRun} from '../job/actions';

export function Actions({run, reload}: {run: RunDetail; reload: () => void}) {
  const retry = (): void =>
    void attempt(async () => {
      const again = await runs.retry(run.run_id);
      note('It runs again');
      if (again.run_id === run.run_id) reload();
      else go(`/runs/${again.run_id}`);
    });
  const cancel = (): void => void attempt(() => runs.cancel(run.run_id).then(reload), 'Cancellation was asked for');
  const unstick = (): void => showDialog(() => <UnstickDialog run={run} done={reload} />);
  const live = isLive(run.state);
  return (
    <>
      <Menu
        label="More for this run"
        entries={[
          {text: 'Copy link', run: () => void copyText(location.href)},
          {text: 'Copy as belfry', run: () => void copyText(asBelfry('runs', 'log', run.run_id))},
          {text: 'Copy as curl', run: () => void copyText(asCurl('GET', `/runs/${run.run_id}`))},
          ...(live ? [] : [{text: 'Copy as curl: retry', run: () => void copyText(asCurl('POST', `/runs/${run.run_id}/retry`, {}))}]),
          ...(mayOperate.value && run.state === 'RUNNING' ? ['line' as const, {text: 'Unstick…', run: unstick}] : []),
          ...(run.origin === 'SCHEDULE' ? [{text: 'Why did it run then?', to: `/jobs/${run.job_id}/why?at=${encodeURIComponent(run.scheduled_for)}`}] : []),
        ]}
      />
      {mayOperate.value && !live && <button type="button" class="btn" onClick={() => askRun({job_id: run.job_id, job_name: run.job_name, status: 'ACTIVE', timezone: 'UTC'}, run.payload)}>Run with changes…</button>}
      {mayOperate.value && live && !run.cancel_requested && <button type="button" class="btn danger" onClick={cancel}>Cancel run</button>}
      {mayOperate.value && !live && <button type="button" class="btn main" onClick={retry}>{run.state === 'SUCCEEDED' ? 'Run again' : 'Retry'}</button>}
    </>
  );
}

function UnstickDialog({run, done}: {run: RunDetail; done: () => void}) {
  const [why, setWhy] = useState('');
  return (
    <Dialog title="Take the run from its worker" action="Unstick" danger onSubmit={() => attempt(() => runs.unstick(run.run_id, why).then(done), 'The run is over; its worker is no longer heard')}
      extra={<button type="button" class="btn quiet" onClick={() => void copyText(asBelfry('runs', 'unstick', run.run_id, ...(why ? ['-m', why] : [])))}>Copy as belfry</button>}>
      <p class="dim">For a worker that does not stop. The run ends at once, {run.cancel_requested ? 'as cancelled' : 'as dead'}, and the next run of the job may start. {run.worker ?? 'The worker'} itself is not stopped: what it still does, it does without the run.</p>
      <Field label="Why, for others to read" autofocus value={why} onText={setWhy} />
    </Dialog>
  );
}
