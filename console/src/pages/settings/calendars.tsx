import {useState} from 'preact/hooks';
import {admin} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Calendar} from '../../api/types';
import {mayAdminister} from '../../state/session';
import {attempt, soon} from '../../state/toasts';
import {Bones, Card, Command, Empty, Field, TextArea, Trouble} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {Time} from '../../ui/time';

export function Calendars() {
  const {data, problem, reload} = useLoad('calendars', admin.calendars);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  const edit = (old?: Calendar): void => showDialog(() => <CalendarDialog old={old} done={reload} />);
  return (
    <Card title="Days on which jobs do not run" aside={mayAdminister.value && <button type="button" class="btn small" onClick={() => edit()}>New calendar…</button>} flush>
      {data.items.length === 0 ? (
        <Empty title="No calendar yet">
          <p>A calendar names days; a job that uses it does not run on them, and each tick left out is recorded.</p>
          <Command text="belfry calendars put holidays 'SAT,SUN' '2026-12-24..2027-01-02'" />
        </Empty>
      ) : (
        <div class="table"><table>
          <thead><tr><th>Name</th><th>Days</th><th class="num c1">Version</th><th class="c1">Changed</th><th><span class="sr">Actions</span></th></tr></thead>
          <tbody>{data.items.map((calendar) => (
            <tr key={calendar.name}>
              <td class="name">{calendar.name}</td>
              <td class="fill dim" title={calendar.rules.join('\n')}>{calendar.rules.join(' · ')}</td>
              <td class="num c1">{calendar.version}</td>
              <td class="c1"><Time at={calendar.updated_at} /></td>
              <td class="right">
                {mayAdminister.value && (
                  <>
                    <button type="button" class="btn small" aria-label={`Change ${calendar.name}`} onClick={() => edit(calendar)}>Change…</button>{' '}
                    <button type="button" class="btn small quiet" aria-label={`Delete ${calendar.name}`} onClick={() => void soon(`${calendar.name} will be deleted`, () => admin.removeCalendar(calendar.name), `${calendar.name} is deleted`).then(reload)}>Delete</button>
                  </>
                )}
              </td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
    </Card>
  );
}

function CalendarDialog({old, done}: {old: Calendar | undefined; done: () => void}) {
  const [name, setName] = useState(old?.name ?? '');
  const [text, setText] = useState(old?.rules.join('\n') ?? 'SAT,SUN\n2026-12-24..2027-01-02');
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await admin.putCalendar(name, text.split('\n').map((line) => line.trim()).filter(Boolean));
      done();
    }, `${name} is kept; its jobs follow within seconds`);
  return (
    <Dialog title={old ? `Change ${old.name}` : 'New calendar'} action="Keep it" disabled={!name || !text.trim()} onSubmit={save}>
      {!old && <Field label="Name" autofocus value={name} onText={setName} />}
      <TextArea label="Rules, one a line" rows={7} value={text} onText={setText} hint="2026-12-25, 2026-12-24..2027-01-02, SAT,SUN, or the day fields of a cron expression: 25 DEC *" />
    </Dialog>
  );
}
