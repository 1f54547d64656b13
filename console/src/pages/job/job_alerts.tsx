// Which rules watch this job, and what they find wrong with it now.
import {alerts} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {AlertRule, Job} from '../../api/types';
import {mayOperate} from '../../state/session';
import {Bones, Card, Empty, Pill, Trouble} from '../../ui/basics';
import {Time} from '../../ui/time';
import {limitWords, WHENS} from '../alerts/rule_words';
import {askSilence} from '../alerts/silences';

export const watches = (rule: AlertRule, job: Pick<Job, 'job_name' | 'job_type' | 'labels'>): boolean =>
  (!rule.job || rule.job === job.job_name) &&
  (!rule.job_type || rule.job_type === job.job_type) &&
  (rule.labels ?? []).every((label) => job.labels[label.slice(0, label.indexOf('='))] === label.slice(label.indexOf('=') + 1));

const read = async () => {
  const [rules, open] = await Promise.all([alerts.rules(), alerts.list({open: true, limit: 1000})]);
  return {rules: rules.items, open: open.items};
};

export function JobAlerts({job}: {job: Job}) {
  const {data, problem, reload} = useLoad('alerts:of-jobs', read, {every: 5000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  const rules = data.rules.filter((rule) => watches(rule, job));
  const open = data.open.filter((alert) => alert.job_id === job.job_id);
  if (rules.length === 0) return <Card><Empty title="No rule watches this job"><p>If it fails, nobody is told.</p><a class="btn" href="/alerts/rules">To the rules</a></Empty></Card>;
  return (
    <div class="stack">
      {open.length > 0 && (
        <Card title="Wrong now" flush>
          <div class="table"><table>
            <thead class="sr"><tr><th>State</th><th>What</th><th>Since</th><th>Rule</th></tr></thead>
            <tbody>{open.map((alert) => <tr key={alert.id}><td><Pill kind="bad">Open</Pill></td><td class="fill">{alert.sentence}</td><td><Time at={alert.opened_at} zone={job.timezone} /></td><td class="muted c1">{alert.rule}</td></tr>)}</tbody>
          </table></div>
        </Card>
      )}
      <Card title="Rules that watch it" flush aside={mayOperate.value && <button type="button" class="btn small" onClick={() => askSilence({job: job.job_name})}>Silence…</button>}>
        <div class="table"><table>
          <thead><tr><th>Rule</th><th>Looks for</th><th class="num c1">Receivers</th></tr></thead>
          <tbody>{rules.map((rule) => <tr key={rule.name}><td class="name">{rule.name}</td><td class="fill">{WHENS[rule.when].text} <span class="muted">{limitWords(rule)}</span></td><td class="num c1">{rule.to.length}</td></tr>)}</tbody>
        </table></div>
      </Card>
    </div>
  );
}
