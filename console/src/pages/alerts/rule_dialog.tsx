// A rule as a form: what to look for, where, and whom to tell.
import {useState} from 'preact/hooks';
import {alerts} from '../../api/calls';
import type {AlertReceiver, AlertRule, AlertRuleDefinition, AlertWhen} from '../../api/types';
import {attempt} from '../../state/toasts';
import {Choice, Field, TextArea} from '../../ui/basics';
import {asCurl, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import {LIMITS, WHENS, type Limit} from './rule_words';

// One receiver for each line, as people write them: an address, a URL, or slack and a URL. What has more to it (headers,
// secrets, topics) is shown as it is and kept.
const receiverText = (to: AlertReceiver): string => {
  if (to.kind === 'MAIL') return to.to.join(', ');
  if (to.kind === 'HTTP' && Object.keys(to).every((key) => ['kind', 'url', 'form', 'method'].includes(key)) && (to.method ?? 'POST') === 'POST') return to.form ? `${to.form} ${to.url}` : to.url;
  return JSON.stringify(to);
};

export function readReceiver(line: string): AlertReceiver | undefined {
  if (line.startsWith('{')) {
    try {
      return JSON.parse(line) as AlertReceiver;
    } catch {
      return undefined;
    }
  }
  const slack = /^slack\s+(https?:\/\/\S+)$/i.exec(line)?.[1];
  if (slack) return {kind: 'HTTP', url: slack, form: 'slack'};
  if (/^https?:\/\/\S+$/i.test(line)) return {kind: 'HTTP', url: line};
  const mails = line.split(/[\s,]+/).filter(Boolean);
  return mails.length && mails.every((mail) => /^[^@\s]+@[^@\s]+$/.test(mail)) ? {kind: 'MAIL', to: mails} : undefined;
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

interface Draft {
  name: string;
  when: AlertWhen;
  limits: Record<Limit, string>;
  job: string;
  jobType: string;
  labels: string;
  to: string;
  recovered: boolean;
}

const draftOf = (old: AlertRule | undefined): Draft => ({
  name: old?.name ?? '',
  when: old?.when ?? 'failed_in_a_row',
  limits: {count: String(old?.count ?? ''), window: old?.window ?? '', after: old?.after ?? '', times_usual: String(old?.times_usual ?? '')},
  job: old?.job ?? '', jobType: old?.job_type ?? '', labels: (old?.labels ?? []).join(' '),
  to: old ? old.to.map(receiverText).join('\n') : '',
  recovered: old?.recovered ?? true,
});

function bodyOf(draft: Draft, old: AlertRule | undefined): AlertRuleDefinition {
  const asks = WHENS[draft.when].asks;
  const given = (limit: Limit): string => (asks.includes(limit) ? draft.limits[limit].trim() : '');
  const labels = draft.labels.split(/[\s,]+/).filter(Boolean);
  return {
    when: draft.when,
    ...(given('count') ? {count: Number(given('count'))} : {}),
    ...(given('window') ? {window: given('window')} : {}),
    ...(given('after') && !given('times_usual') ? {after: given('after')} : {}),
    ...(given('times_usual') ? {times_usual: Number(given('times_usual'))} : {}),
    ...(draft.job ? {job: draft.job} : {}),
    ...(draft.jobType ? {job_type: draft.jobType} : {}),
    ...(labels.length ? {labels} : {}),
    recovered: draft.recovered,
    ...(old?.group_wait ? {group_wait: old.group_wait} : {}),
    ...(old?.quiet_calendar ? {quiet_calendar: old.quiet_calendar} : {}),
    to: linesOf(draft.to).flatMap((line) => readReceiver(line) ?? []),
  };
}

export const askRule = (done: () => void, old?: AlertRule): void => showDialog(() => <RuleDialog old={old} done={done} />);

function RuleDialog({old, done}: {old: AlertRule | undefined; done: () => void}) {
  const [draft, setDraft] = useState(draftOf(old));
  const set = (changes: Partial<Draft>): void => setDraft({...draft, ...changes});
  const wrong = linesOf(draft.to).find((line) => readReceiver(line) === undefined);
  const body = bodyOf(draft, old);
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await alerts.putRule(draft.name, body);
      done();
    }, `The rule ${draft.name} watches from now on`);
  return (
    <Dialog title={old ? `Change the rule ${old.name}` : 'New rule'} action="Keep it" wide disabled={!draft.name || body.to.length === 0 || wrong !== undefined} onSubmit={save}
      extra={<button type="button" class="btn quiet" onClick={() => void copyText(asCurl('PUT', `/alerts/rules/${encodeURIComponent(draft.name)}`, body))}>Copy as curl</button>}>
      {!old && <Field label="Name" autofocus value={draft.name} onText={(name) => set({name: name.trim()})} placeholder="ops-failing" />}
      <Choice label="Look for" value={draft.when} options={(Object.keys(WHENS) as AlertWhen[]).map((when) => [when, WHENS[when].text] as const)} onPick={(when) => set({when})} />
      {WHENS[draft.when].asks.length > 0 && (
        <div class="fields">
          {WHENS[draft.when].asks.map((limit) => (
            <Field key={limit} {...LIMITS[limit]} {...(limit === 'count' || limit === 'times_usual' ? {type: 'number' as const, min: '0'} : {})} value={draft.limits[limit]} onText={(text) => set({limits: {...draft.limits, [limit]: text}})} />
          ))}
        </div>
      )}
      <div class="fields">
        <Field label="Only this job" value={draft.job} onText={(job) => set({job})} hint="Empty: every job" />
        <Field label="Only this type" value={draft.jobType} onText={(jobType) => set({jobType})} hint="Empty: every type" />
        <Field label="Only these labels" class="mono" value={draft.labels} onText={(labels) => set({labels})} hint="team=ops; several must all match" />
      </div>
      <TextArea label="Tell, one receiver a line" rows={3} value={draft.to} onText={(to) => set({to})} error={wrong && `“${wrong}” is neither a mail address nor a URL`} hint="ops@example.com, https://… (a signed webhook), slack https://…; mail needs serve --smtp" />
      <label class="check"><input type="checkbox" checked={draft.recovered} onChange={(event) => set({recovered: event.currentTarget.checked})} /> Also tell when it is over</label>
    </Dialog>
  );
}
