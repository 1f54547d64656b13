import {useState} from 'preact/hooks';
import {admin} from '../../api/calls';
import {Refusal} from '../../api/client';
import {useLoad} from '../../api/load';
import type {Key, NewKey, Scope} from '../../api/types';
import {isRoot, session, signIn} from '../../state/session';
import {attempt, soon} from '../../state/toasts';
import {Bones, Card, Choice, Command, Empty, Field, Pill, Trouble} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {Time} from '../../ui/time';

const SCOPES: [Scope, string][] = [['viewer', 'viewer: reads'], ['operator', 'operator: also changes jobs and runs'], ['worker', 'worker: claims runs and reports'], ['admin', 'admin: also its tenant\'s keys and calendars'], ['metrics', 'metrics: reads /metrics'], ['root', 'root: everything, all tenants']];

function stateOf(key: Key): ['ok' | 'off', string] {
  if (key.revoked_at) return ['off', 'Revoked'];
  if (key.replaced_at) return ['off', 'Replaced'];
  if (key.expires_at && Date.parse(key.expires_at) < Date.now()) return ['off', 'Expired'];
  return ['ok', 'Valid'];
}

export function Keys() {
  const {data, problem, reload} = useLoad('keys', admin.keys);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  const first = data.items.length === 0;
  return (
    <Card title="API keys" aside={<button type="button" class="btn small" onClick={() => showDialog(() => <NewKeyDialog first={first} done={reload} />)}>New key…</button>} flush>
      {first ? (
        <Empty title="No key was ever made">
          <p>This node serves only the user who runs it, without keys. The first key ends that for good, so it must be root's.</p>
          <Command text="belfry keys create me --scope root" />
        </Empty>
      ) : (
        <div class="table"><table>
          <thead><tr><th>State</th><th>Name</th><th>Scope</th><th class="c2">Tenant</th><th class="c1">Made</th><th class="c2">By</th><th class="c1">Last used</th><th class="c1">Expires</th><th><span class="sr">Actions</span></th></tr></thead>
          <tbody>{data.items.map((key) => (
            <tr key={key.key_id}>
              <td><Pill kind={stateOf(key)[0]}>{stateOf(key)[1]}</Pill></td>
              <td class="fill name">{key.name}</td>
              <td>{key.scope}{key.permissions.map((each) => <span class="tag" key={each}>{each}</span>)}</td>
              <td class="muted c2">{key.tenant_id}</td>
              <td class="c1"><Time at={key.created_at} /></td>
              <td class="muted c2">{key.created_by}</td>
              <td class="c1"><Time at={key.last_used_at} /></td>
              <td class="c1"><Time at={key.expires_at} /></td>
              <td>{!key.revoked_at && <button type="button" class="btn small" aria-label={`Revoke ${key.name}`} onClick={() => void soon(`The key ${key.name} will be revoked`, () => admin.revokeKey(key), `${key.name} is revoked`).then(reload)}>Revoke</button>}</td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
    </Card>
  );
}

function NewKeyDialog({first, done}: {first: boolean; done: () => void}) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>(first ? 'root' : 'operator');
  const [exec, setExec] = useState(false);
  const [days, setDays] = useState('');
  const [error, setError] = useState('');
  const make = async (): Promise<boolean> => {
    const expires = days ? {expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString()} : {};
    try {
      const key = await admin.createKey({name, scope, ...(exec ? {permissions: ['exec' as const]} : {}), ...expires});
      if (!session.value?.has_key) await attempt(() => signIn(key.secret)); // the first key closes the door behind us
      done();
      showDialog(() => <SecretDialog made={key} />);
      return false;
    } catch (refused) {
      setError(refused instanceof Refusal ? refused.message : String(refused));
      return false;
    }
  };
  return (
    <Dialog title="New key" action="Make it" disabled={!name.trim()} onSubmit={make}>
      {first && <p class="box late">Once this key exists, every call needs a key. Keep it well: it is shown once.</p>}
      <Field label="Name, for the audit" autofocus value={name} onText={setName} error={error} />
      <Choice label="Scope" value={scope} options={SCOPES.filter(([each]) => (first ? each === 'root' : each !== 'root' || isRoot.value))} onPick={setScope} />
      {!first && session.value?.permissions.includes('exec') && <label class="check"><input type="checkbox" checked={exec} onChange={(event) => setExec(event.currentTarget.checked)} /> may make and change jobs that run commands (exec)</label>}
      <Field label="Expires after days; empty: never" type="number" min="1" value={days} onText={setDays} />
    </Dialog>
  );
}

const SecretDialog = ({made}: {made: NewKey}) => (
  <Dialog title={`The key ${made.name}`}>
    <p>This is the only time it is shown:</p>
    <Command text={made.secret} />
    <p class="muted">Send it as <code>Authorization: Bearer …</code>, or put it into a file for <code>belfry --token-file</code>.</p>
  </Dialog>
);
