// Work on many jobs that the server does: begun here or elsewhere, how far it is, how to stop it, and for a pause that
// met no paused job the way back.
import {bulk} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Bulk, JobsBulk} from '../../api/types';
import {mayOperate} from '../../state/session';
import {attempt, note} from '../../state/toasts';

export const ACTIONS = {
  trigger: {verb: 'Run', past: 'started', doing: 'Starting', danger: false},
  pause: {verb: 'Pause', past: 'paused', doing: 'Pausing', danger: false},
  resume: {verb: 'Resume', past: 'resumed', doing: 'Resuming', danger: false},
  label: {verb: 'Label', past: 'labelled', doing: 'Labelling', danger: false},
  delete: {verb: 'Delete', past: 'deleted', doing: 'Deleting', danger: true},
} as const;
export type ActionName = keyof typeof ACTIONS;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const LOOK_MS = 700;

// What takes a pause back: only where no job that matches was paused before, because nobody could tell those apart.
async function wayBack(body: JobsBulk): Promise<JobsBulk | undefined> {
  if (body.action !== 'pause' || body.selector.status === 'PAUSED') return undefined;
  const {all: _, ...rest} = body.selector;
  const paused = {...rest, status: 'PAUSED' as const};
  const before = await bulk.look({action: 'resume', selector: paused});
  return before.exact && before.matched === 0 ? {action: 'resume', selector: paused, note: 'undone'} : undefined;
}

export async function beginWork(body: JobsBulk): Promise<void> {
  const undo = await wayBack(body);
  void follow(await bulk.begin(body), undo);
}

function said(work: Bulk): string {
  const {past} = ACTIONS[work.action as ActionName] ?? {past: 'changed'};
  return [
    `${work.done.toLocaleString('en')} ${work.done === 1 ? 'job' : 'jobs'} ${past}`,
    work.skipped > 0 && `${work.skipped.toLocaleString('en')} had nothing to do`,
    work.failed > 0 && `${work.failed.toLocaleString('en')} could not be changed: ${work.error}`,
    work.state === 'STOPPED' && 'stopped',
  ].filter(Boolean).join(', ');
}

// Until it ends; a node that is away for a while is asked again.
async function follow(work: Bulk, undo: JobsBulk | undefined): Promise<void> {
  while (work.state === 'RUNNING') {
    await wait(LOOK_MS);
    work = await bulk.read(work.bulk_id).catch(() => work);
  }
  note(said(work), {bad: work.failed > 0, ...(undo && work.done > 0 ? {undo: () => attempt(() => beginWork(undo))} : {})});
}

// What is being done right now, whoever asked for it.
export function BulkWork() {
  const {data, reload} = useLoad('bulk', () => bulk.list({limit: 10}), {every: 2000});
  const running = (data?.items ?? []).filter((work) => work.state === 'RUNNING' && work.object === 'jobs');
  return (
    <>
      {running.map((work) => {
        const over = work.done + work.skipped + work.failed;
        return (
          <div key={work.bulk_id} class="box work" role="status">
            <span class="grow">
              {ACTIONS[work.action as ActionName]?.doing ?? work.action} {work.exact ? '' : 'at least '}{work.total.toLocaleString('en')} jobs <span class="muted">asked for by {work.created_by}{work.note && `: ${work.note}`}</span>
            </span>
            <progress max={Math.max(work.total, over)} value={over} aria-label="Progress" />
            <span class="muted num">{over.toLocaleString('en')}</span>
            {mayOperate.value && <button type="button" class="btn small" onClick={() => void attempt(() => bulk.stop(work.bulk_id), 'No more of it is done').then(reload)}>Stop</button>}
          </div>
        );
      })}
    </>
  );
}
