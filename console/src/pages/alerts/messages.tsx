// What was told to whom, and whether it arrived.
import {alerts} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {AlertReceiver} from '../../api/types';
import {Bones, Card, Empty, Pill, Trouble} from '../../ui/basics';
import type {Kind} from '../../ui/outcomes';
import {Time} from '../../ui/time';

const STATES: Record<string, [Kind, string]> = {SENT: ['ok', 'Sent'], WAITING: ['wait', 'Waiting'], FAILED: ['bad', 'Failed']};
const receiver = (to: AlertReceiver): string => (to.kind === 'MAIL' ? to.to.join(', ') : to.kind === 'HTTP' ? to.url : `${to.broker} ${to.topic}`);

export function Messages() {
  const {data, problem, reload} = useLoad('alerts:messages', () => alerts.messages(false), {every: 3000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  if (data.items.length === 0) return <Card><Empty title="Nobody was told anything yet"><p class="muted">The last 200 messages stand here, with what became of them.</p></Empty></Card>;
  return (
    <Card flush>
      <div class="table"><table>
        <thead><tr><th>State</th><th>To</th><th class="c1">Rule</th><th>When</th><th class="num c2">Attempts</th><th class="c2">What went wrong</th></tr></thead>
        <tbody>{data.items.map((message) => {
          const [kind, word] = STATES[message.state] ?? ['wait', message.state];
          return (
            <tr key={message.id}>
              <td><Pill kind={kind}>{word}</Pill></td>
              <td class="max" title={receiver(message.to)}>{receiver(message.to)}</td>
              <td class="c1 muted">{message.rule}</td>
              <td><Time at={message.finished_at ?? message.created_at} seconds /></td>
              <td class="num c2">{message.attempts}</td>
              <td class="fill dim c2" title={message.error}>{message.error}</td>
            </tr>
          );
        })}</tbody>
      </table></div>
    </Card>
  );
}
