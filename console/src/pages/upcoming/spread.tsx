// How to spread the fullest minutes: changes as the server proposes them, to look at and to apply.
import {useState} from 'preact/hooks';
import {cluster, jobs} from '../../api/calls';
import type {HerdAdvice, HerdMinute} from '../../api/types';
import {mayOperate} from '../../state/session';
import {attempt} from '../../state/toasts';
import {Card, Empty} from '../../ui/basics';
import {Diff} from '../../ui/diff';
import {Time} from '../../ui/time';

const SHOWN = 20;

const named = (minute: HerdMinute): string => {
  const first = minute.jobs.slice(0, 5);
  const rest = minute.job_count - first.length;
  return first.join(', ') + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '');
};

export function Spread({hours, zone, onApplied}: {hours: number; zone: string; onApplied: () => void}) {
  const [advice, setAdvice] = useState<HerdAdvice>();
  const [busy, setBusy] = useState(false);
  const ask = () => attempt(async () => setAdvice(await cluster.advice(hours)));
  // One by one, each only if the job is still as it was looked at; then the rest is proposed anew.
  const apply = async (changes: HerdAdvice['changes']) => {
    setBusy(true);
    await attempt(async () => {
      for (const change of changes) await jobs.patch(change.job_id, {[change.field]: change.after}, change.version);
    }, `${changes.length} ${changes.length === 1 ? 'job' : 'jobs'} changed`);
    await ask();
    setBusy(false);
    onApplied();
  };
  const count = advice?.changes.length ?? 0;
  return (
    <Card title="Spread" aside={advice && count > 0 && mayOperate.value && <button type="button" class="btn" disabled={busy} onClick={() => void apply(advice.changes)}>Apply {count === 1 ? 'the change' : `all ${count.toLocaleString('en')}`}</button>}>
      {!advice && <p class="muted">Which jobs make the fullest minutes, and which changes would halve them? <button type="button" class="btn quiet" onClick={() => void ask()}>Propose changes</button></p>}
      {advice && count === 0 && <Empty title="Nothing to spread" />}
      {advice && count > 0 && (
        <>
          <ul class="plain">
            {advice.minutes.map((minute) => <li key={minute.at}><Time at={Date.parse(minute.at)} zone={zone} />: {minute.before.toLocaleString('en')} runs, {minute.after.toLocaleString('en')} with the changes <span class="muted">({named(minute)})</span></li>)}
          </ul>
          {advice.changes.slice(0, SHOWN).map((change) => (
            <div key={change.job_id}>
              <p><a class="name" href={`/jobs/${change.job_id}`}>{change.job_name}</a></p>
              <Diff heads={['Now', 'Then']} changes={[{field: change.field, before: change.before ?? '', after: change.after}]} />
            </div>
          ))}
          {count > SHOWN && <p class="muted">and {(count - SHOWN).toLocaleString('en')} more</p>}
        </>
      )}
    </Card>
  );
}
