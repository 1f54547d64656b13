import {useState} from 'preact/hooks';
import {admin} from '../../api/calls';
import {tenant as shownTenant} from '../../api/client';
import {useLoad} from '../../api/load';
import type {Tenant} from '../../api/types';
import {chooseTenant, session} from '../../state/session';
import {attempt} from '../../state/toasts';
import {Bones, Card, Field, Trouble} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {Time} from '../../ui/time';

const limit = (value: number): string => (value ? value.toLocaleString('en') : 'no limit');

export function Tenants() {
  const {data, problem, reload} = useLoad('tenants', admin.tenants);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  const current = shownTenant.value || session.value?.tenant_id;
  return (
    <Card title="Tenants and their limits" aside={<button type="button" class="btn small" onClick={() => showDialog(() => <TenantDialog done={reload} />)}>New tenant…</button>} flush>
      <div class="table"><table>
        <thead><tr><th>Name</th><th class="num">Weight</th><th class="num">Running at once</th><th class="num c1">Jobs</th><th class="num c1">Calls a second</th><th class="c2">Made</th><th><span class="sr">Actions</span></th></tr></thead>
        <tbody>{data.items.map((each) => (
          <tr key={each.tenant_id}>
            <td class="fill name">{each.tenant_id}</td>
            <td class="num">{each.weight}</td>
            <td class="num dim">{limit(each.max_in_flight)}</td>
            <td class="num dim c1">{limit(each.max_jobs)}</td>
            <td class="num dim c1">{limit(each.max_requests)}</td>
            <td class="c2"><Time at={each.created_at} /></td>
            <td class="right">
              {each.tenant_id !== current && <button type="button" class="btn small quiet" onClick={() => chooseTenant(each.tenant_id)}>Look at it</button>}{' '}
              <button type="button" class="btn small" aria-label={`Change ${each.tenant_id}`} onClick={() => showDialog(() => <TenantDialog old={each} done={reload} />)}>Change…</button>
            </td>
          </tr>
        ))}</tbody>
      </table></div>
    </Card>
  );
}

function TenantDialog({old, done}: {old?: Tenant; done: () => void}) {
  const [name, setName] = useState(old?.tenant_id ?? '');
  const [weight, setWeight] = useState(String(old?.weight ?? 1));
  const [inFlight, setInFlight] = useState(String(old?.max_in_flight ?? 0));
  const [most, setMost] = useState(String(old?.max_jobs ?? 0));
  const [requests, setRequests] = useState(String(old?.max_requests ?? 0));
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await admin.putTenant(name, {weight: Number(weight), max_in_flight: Number(inFlight), max_jobs: Number(most), max_requests: Number(requests)});
      done();
    }, `${name} is kept`);
  return (
    <Dialog title={old ? `Change ${old.tenant_id}` : 'New tenant'} action="Keep it" disabled={!name} onSubmit={save}>
      {!old && <Field label="Name" autofocus value={name} onText={setName} />}
      <Field label="Weight: its share where several want the same worker" type="number" min="1" value={weight} onText={setWeight} />
      <Field label="Runs at once (0: no limit)" type="number" min="0" value={inFlight} onText={setInFlight} />
      <Field label="Jobs (0: no limit)" type="number" min="0" value={most} onText={setMost} />
      <Field label="Calls a second (0: no limit)" type="number" min="0" value={requests} onText={setRequests} />
    </Dialog>
  );
}
