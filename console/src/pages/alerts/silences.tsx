import {useState} from 'preact/hooks';
import {alerts} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {AlertSilence, AlertSilenceDefinition} from '../../api/types';
import {mayOperate} from '../../state/session';
import {attempt} from '../../state/toasts';
import {Bones, Card, Empty, Field, Trouble} from '../../ui/basics';
import {asCurl, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import {Time} from '../../ui/time';

const about = (silence: AlertSilence): string => [silence.job, silence.job_type && `type ${silence.job_type}`, ...(silence.labels ?? []), silence.rule && `rule ${silence.rule}`].filter(Boolean).join(', ') || 'everything';

export function Silences() {
  const {data, problem, reload} = useLoad('alerts:silences', alerts.silences, {every: 5000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  if (data.items.length === 0) return <Card><Empty title="Nothing is silenced" /></Card>;
  return (
    <Card flush>
      <div class="table"><table>
        <thead><tr><th>About</th><th>Until</th><th>Why</th><th class="c1">By</th><th><span class="sr">Actions</span></th></tr></thead>
        <tbody>{data.items.map((silence) => (
          <tr key={silence.id}>
            <td class="name">{about(silence)}</td>
            <td><Time at={silence.until} /></td>
            <td class="fill dim">{silence.note}</td>
            <td class="c1 muted">{silence.created_by}</td>
            <td class="right">{mayOperate.value && <button type="button" class="btn small" aria-label={`End the silence about ${about(silence)}`} onClick={() => void attempt(() => alerts.endSilence(silence.id).then(reload), 'The silence is over')}>End</button>}</td>
          </tr>
        ))}</tbody>
      </table></div>
    </Card>
  );
}

export const askSilence = (of: Partial<AlertSilenceDefinition> = {}): void => showDialog(() => <SilenceDialog of={of} />);

function SilenceDialog({of}: {of: Partial<AlertSilenceDefinition>}) {
  const [duration, setDuration] = useState('2h');
  const [job, setJob] = useState(of.job ?? '');
  const [rule, setRule] = useState(of.rule ?? '');
  const [why, setWhy] = useState('');
  const body: AlertSilenceDefinition = {duration, ...(job ? {job} : {}), ...(rule ? {rule} : {}), ...(why ? {note: why} : {})};
  return (
    <Dialog title="Say nothing for a while" action="Silence" disabled={!duration} onSubmit={() => attempt(() => alerts.silence(body), `Silent for ${duration}`)}
      extra={<button type="button" class="btn quiet" onClick={() => void copyText(asCurl('POST', '/alerts/silences', body))}>Copy as curl</button>}>
      <p class="dim">What goes wrong meanwhile is told afterwards, if it is wrong still.</p>
      <Field label="For how long" autofocus class="mono" value={duration} onText={setDuration} />
      <Field label="Only this job; empty: every job" value={job} onText={setJob} />
      <Field label="Only this rule; empty: every rule" value={rule} onText={setRule} />
      <Field label="Why, for others to read" value={why} onText={setWhy} />
    </Dialog>
  );
}
