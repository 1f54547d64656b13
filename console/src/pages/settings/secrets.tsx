// Secrets by name. A value goes in and never comes out, here as everywhere.
import {useState} from 'preact/hooks';
import {admin} from '../../api/calls';
import {usePages} from '../../api/pages';
import type {Secret} from '../../api/types';
import {mayAdminister} from '../../state/session';
import {attempt, soon} from '../../state/toasts';
import {Bones, Card, Command, Empty, Field, Trouble} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {More} from '../../ui/list';
import {Time} from '../../ui/time';

export function Secrets() {
  const pages = usePages<Secret>('secrets', admin.secrets, {id: (secret) => secret.name});
  if (!pages.items) return pages.problem ? <Trouble problem={pages.problem} retry={pages.reload} /> : <Bones />;
  const put = (old?: Secret): void => showDialog(() => <SecretDialog old={old} done={pages.reload} />);
  return (
    <Card title="Secrets that jobs can name" aside={mayAdminister.value && <button type="button" class="btn small" onClick={() => put()}>New secret…</button>} flush>
      {pages.items.length === 0 ? (
        <Empty title="No secret yet">
          <p>A webhook names a secret instead of carrying it. Its value is kept sealed, and nobody is shown it again.</p>
          <Command text="belfry secrets put billing-key < key.txt" />
        </Empty>
      ) : (
        <div class="table"><table>
          <thead><tr><th>Name</th><th class="c1">Made</th><th>Value set</th><th class="c1">By</th><th><span class="sr">Actions</span></th></tr></thead>
          <tbody>{pages.items.map((secret) => (
            <tr key={secret.name}>
              <td class="fill name">{secret.name}</td>
              <td class="c1"><Time at={secret.created_at} /></td>
              <td><Time at={secret.updated_at} /></td>
              <td class="muted c1">{secret.updated_by}</td>
              <td class="right">
                {mayAdminister.value && (
                  <>
                    <button type="button" class="btn small" aria-label={`Change ${secret.name}`} onClick={() => put(secret)}>Change…</button>{' '}
                    <button type="button" class="btn small quiet" aria-label={`Delete ${secret.name}`} onClick={() => void soon(`${secret.name} will be deleted`, () => admin.removeSecret(secret.name), `${secret.name} is deleted`).then(pages.reload)}>Delete</button>
                  </>
                )}
              </td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
      <More pages={pages} />
    </Card>
  );
}

function SecretDialog({old, done}: {old: Secret | undefined; done: () => void}) {
  const [name, setName] = useState(old?.name ?? '');
  const [value, setValue] = useState('');
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await admin.putSecret(name, value);
      done();
    }, `${name} is kept; jobs that name it use it within seconds`);
  return (
    <Dialog title={old ? `Change ${old.name}` : 'New secret'} action="Keep it" disabled={!name || !value} onSubmit={save}>
      {!old && <Field label="Name" autofocus value={name} onText={setName} hint="What jobs write as secret_ref" />}
      <Field label="Value" type="password" autocomplete="off" autofocus={Boolean(old)} value={value} onText={setValue} hint="Kept sealed; nobody is shown it again" />
    </Dialog>
  );
}
