import {alerts} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {AlertRule} from '../../api/types';
import {mayAdminister, mayOperate} from '../../state/session';
import {attempt, soon} from '../../state/toasts';
import {Bones, Card, Command, Empty, Trouble} from '../../ui/basics';
import {askRule} from './rule_dialog';
import {limitWords, scopeWords, WHENS} from './rule_words';
import {askSilence} from './silences';

const receivers = (rule: AlertRule): string => rule.to.map((to) => (to.kind === 'MAIL' ? to.to.join(', ') : to.kind === 'HTTP' ? (to.form ?? 'webhook') : `topic ${to.topic}`)).join(', ');

export const readRules = () => useLoad('alerts:rules', alerts.rules);

export const NoRules = ({done}: {done: () => void}) => (
  <Empty title="No rule watches yet">
    <p>A rule says what to look for and whom to tell. Without one, nobody is told of anything.</p>
    {mayAdminister.value ? <button type="button" class="btn main" onClick={() => askRule(done)}>New rule…</button> : <p class="muted">Rules are made with an admin's key.</p>}
    <Command text="belfry alerts put failing --when failed_in_a_row --mail ops@example.com" />
  </Empty>
);

export function Rules() {
  const {data, problem, reload} = readRules();
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  if (data.items.length === 0) return <Card><NoRules done={reload} /></Card>;
  return (
    <Card flush title="What is looked for, and who is told" aside={mayAdminister.value && <button type="button" class="btn small" onClick={() => askRule(reload)}>New rule…</button>}>
      <div class="table"><table>
        <thead><tr><th>Rule</th><th>Looks for</th><th class="c2">Where</th><th class="c1">Tells</th><th class="c3">Changed by</th><th><span class="sr">Actions</span></th></tr></thead>
        <tbody>{data.items.map((rule) => (
          <tr key={rule.name}>
            <td class="name">{rule.name}</td>
            <td class="fill" title={WHENS[rule.when].text}>{rule.when.replaceAll('_', ' ')} <span class="muted">{limitWords(rule)}</span></td>
            <td class="c2 max dim">{scopeWords(rule)}</td>
            <td class="c1 max muted">{receivers(rule)}</td>
            <td class="c3 muted">{rule.updated_by}</td>
            <td class="right"><RuleActions rule={rule} reload={reload} /></td>
          </tr>
        ))}</tbody>
      </table></div>
    </Card>
  );
}

const RuleActions = ({rule, reload}: {rule: AlertRule; reload: () => void}) => (
  <>
    {mayOperate.value && (
      <>
        <button type="button" class="btn small" aria-label={`Test ${rule.name}`} onClick={() => void attempt(() => alerts.test(rule.name), `A test is on its way to ${rule.to.length} receiver${rule.to.length === 1 ? '' : 's'}`, {link: {to: '/alerts/messages', text: 'Did it arrive?'}})}>Test</button>{' '}
        <button type="button" class="btn small" aria-label={`Silence… ${rule.name}`} onClick={() => askSilence({rule: rule.name})}>Silence…</button>{' '}
      </>
    )}
    {mayAdminister.value && (
      <>
        <button type="button" class="btn small" aria-label={`Change ${rule.name}`} onClick={() => askRule(reload, rule)}>Change…</button>{' '}
        <button type="button" class="btn small quiet" aria-label={`Delete ${rule.name}`} onClick={() => void soon(`The rule ${rule.name} will be deleted; its alerts end`, () => alerts.removeRule(rule.name), `The rule ${rule.name} is deleted`).then(reload)}>Delete</button>
      </>
    )}
  </>
);
