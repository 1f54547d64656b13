import {alerts} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {AlertRule} from '../../api/types';
import {mayOperate} from '../../state/session';
import {attempt} from '../../state/toasts';
import {Bones, Card, Command, Empty, Trouble} from '../../ui/basics';

const scope = (rule: AlertRule): string => [rule.job, rule.job_type && `type ${rule.job_type}`, ...(rule.labels ?? [])].filter(Boolean).join(', ') || 'all jobs';
const limit = (rule: AlertRule): string => [rule.count && `${rule.count}`, rule.window && `in ${rule.window}`, rule.after && `after ${rule.after}`, rule.times_usual && `${rule.times_usual} times the usual`].filter(Boolean).join(' ');
const receivers = (rule: AlertRule): string => rule.to.map((each) => String(each.kind).toLowerCase()).join(', ');

export function Rules() {
  const {data, problem, reload} = useLoad('alerts:rules', alerts.rules);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  if (data.items.length === 0) return <Card><Empty title="No rule yet"><p>Rules are written from the command line or over the API.</p><Command text="belfry alerts --help" /></Empty></Card>;
  return (
    <Card flush>
      <div class="table"><table>
        <thead><tr><th>Rule</th><th>Looks for</th><th>Where</th><th class="c1">Tells</th><th class="c2">Changed by</th><th><span class="sr">Actions</span></th></tr></thead>
        <tbody>{data.items.map((rule) => (
          <tr key={rule.name}>
            <td class="name">{rule.name}</td>
            <td>{rule.when.replaceAll('_', ' ')} <span class="muted">{limit(rule)}</span></td>
            <td class="fill dim">{scope(rule)}</td>
            <td class="c1 muted">{receivers(rule)}</td>
            <td class="c2 muted">{rule.updated_by}</td>
            <td class="right">{mayOperate.value && <button type="button" class="btn small" aria-label={`Test ${rule.name}`} onClick={() => void attempt(() => alerts.test(rule.name), `A test is on its way to ${rule.to.length} receiver${rule.to.length === 1 ? '' : 's'}`)}>Test</button>}</td>
          </tr>
        ))}</tbody>
      </table></div>
    </Card>
  );
}
