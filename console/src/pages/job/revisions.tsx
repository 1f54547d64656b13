// What a job was before: each version, what it changed, and the way back to it.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import {usePages} from '../../api/pages';
import type {Job, JobDefinition, Revision} from '../../api/types';
import {mayOperate} from '../../state/session';
import {attempt} from '../../state/toasts';
import {Bones, Card, Empty, Pill, Segmented, Trouble} from '../../ui/basics';
import {asBelfry, asCurl, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import {Diff, type Change} from '../../ui/diff';
import {More} from '../../ui/list';
import {Time} from '../../ui/time';
import {changes} from '../edit/draft';

// Versions that were written long ago do not know these.
const MAY_BE_UNKNOWN = ['labels', 'description'];

// Both sides have every field, so a default that was never written is no difference. What only one of them knows of
// is none either.
function differences(before: Revision, after: Revision): Change[] {
  const isUnknown = (field: string): boolean => MAY_BE_UNKNOWN.includes(field) && !(field in before.definition && field in after.definition);
  return changes(before.definition as JobDefinition, after.definition as JobDefinition).filter(({field}) => field !== 'tenant_id' && !isUnknown(field));
}

export function Revisions({job}: {job: Job}) {
  const pages = usePages<Revision>(`revisions:${job.job_id}:${job.version}`, (cursor) => jobs.revisions(job.job_id, cursor), {id: (revision) => String(revision.version)});
  const [chosen, setChosen] = useState(job.version);
  if (!pages.items) return pages.problem ? <Trouble problem={pages.problem} retry={pages.reload} /> : <Bones rows={6} />;
  const at = Math.max(0, pages.items.findIndex((revision) => revision.version === chosen));
  const revision = pages.items[at];
  if (!revision) return <Empty title="No version is kept" />;
  return (
    <div class="cols revisions">
      <Card title="Versions, the newest first" flush>
        <div class="table"><table>
          <thead><tr><th>Version</th><th>Since</th><th>Changed</th><th class="c1">Status</th></tr></thead>
          <tbody>{pages.items.map((each) => (
            <tr key={each.version} class={each === revision ? 'sel' : ''}>
              <td><button type="button" class="linkish" aria-pressed={each === revision} onClick={() => setChosen(each.version)}>Version {each.version}</button>{each.version === job.version && <span class="muted"> now</span>}</td>
              <td><Time at={each.created_at} zone={job.timezone} /></td>
              <td class="fill dim" title={each.changed.join(', ')}>{each.changed.join(', ') || (each.version === 1 ? 'made' : '')}</td>
              <td class="c1 muted">{each.status.toLowerCase()}</td>
            </tr>
          ))}</tbody>
        </table></div>
        <More pages={pages} />
      </Card>
      <Detail key={revision.version} job={job} revision={revision} before={pages.items[at + 1]} current={pages.items[0]!} />
    </div>
  );
}

type Against = 'before' | 'now';

function Detail({job, revision, before, current}: {job: Job; revision: Revision; before: Revision | undefined; current: Revision}) {
  const isCurrent = revision.version === current.version;
  const [against, setAgainst] = useState<Against>(isCurrent || !before ? 'before' : 'now');
  const found = against === 'now' ? differences(revision, current) : before ? differences(before, revision) : [];
  const ask = (): void => showDialog(() => <RestoreDialog job={job} revision={revision} changes={differences(current, revision)} />);
  return (
    <Card
      title={`Version ${revision.version}`}
      aside={
        <>
          {isCurrent && <Pill kind="ok">now</Pill>}
          {!isCurrent && before && <Segmented label="Compare with" options={[['before', 'its change'], ['now', 'against now']] as const} value={against} onPick={setAgainst} />}
          {!isCurrent && mayOperate.value && <button type="button" class="btn small" onClick={ask}>Restore…</button>}
        </>
      }
      flush
    >
      {found.length === 0 ? (
        <Empty title={against === 'now' ? 'The job is the same now' : before ? 'Nothing of the definition changed' : 'The first version that is known'} />
      ) : (
        <Diff changes={found} heads={against === 'now' ? [`Version ${revision.version}`, 'Now'] : [`Version ${before?.version}`, `Version ${revision.version}`]} />
      )}
    </Card>
  );
}

function RestoreDialog({job, revision, changes: all}: {job: Job; revision: Revision; changes: Change[]}) {
  const restore = (): Promise<boolean> =>
    attempt(() => jobs.restore(job.job_id, revision.version, job.version), `${job.job_name} is what it was in version ${revision.version}`, {
      undo: () => attempt(async () => {
        const now = await jobs.read(job.job_id);
        await jobs.restore(job.job_id, job.version, now.version);
      }, `${job.job_name} is as before`),
    });
  return (
    <Dialog
      title={`Restore version ${revision.version} of ${job.job_name}`} action="Restore" wide onSubmit={restore}
      extra={
        <>
          <button type="button" class="btn quiet" onClick={() => void copyText(asBelfry('revisions', 'restore', job.job_name, String(revision.version)))}>Copy as belfry</button>
          <button type="button" class="btn quiet" onClick={() => void copyText(asCurl('POST', `/jobs/${job.job_id}/revisions/${revision.version}/restore`, {}))}>Copy as curl</button>
        </>
      }
    >
      <p class="dim">The job gets this definition as a new version.</p>
      {all.length ? <Diff changes={all} heads={['Is', 'Will be']} /> : <p>It is the same as now.</p>}
    </Dialog>
  );
}
