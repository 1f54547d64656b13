import type {FieldError, JobDefinition} from '../../api/types';
import {errorOf} from '../../editor/schedule_editor';
import {Choice, Field} from '../../ui/basics';

const OVERLAP = [['FORBID', 'skip the tick'], ['ALLOW', 'run beside it'], ['QUEUE_ONE', 'wait; one may wait'], ['REPLACE', 'cancel it and run']] as const;
const MISFIRE = [['FIRE_ONCE', 'once for all missed'], ['FIRE_ALL', 'each missed tick'], ['SKIP', 'none of them']] as const;

interface PoliciesProps {
  draft: JobDefinition;
  errors: FieldError[];
  onChange: (changes: Partial<JobDefinition>) => void;
}

// An empty field is left out, and the server's default holds.
const text = (value: string): string | undefined => value || undefined;

export function Policies({draft, errors, onChange}: PoliciesProps) {
  const retry = draft.retry ?? {};
  return (
    <div class="fields">
      <Choice label="If the last run still goes" field="concurrency_policy" value={draft.concurrency_policy ?? 'FORBID'} options={OVERLAP} onPick={(concurrency_policy) => onChange({concurrency_policy})} />
      <Choice label="After an outage, run" field="misfire_policy" value={draft.misfire_policy ?? 'FIRE_ONCE'} options={MISFIRE} onPick={(misfire_policy) => onChange({misfire_policy})} />
      <Field label="Give up ticks older than" field="misfire_grace" class="mono" placeholder="default" value={draft.misfire_grace ?? ''} onText={(value) => onChange({misfire_grace: text(value)} as Partial<JobDefinition>)} error={errorOf(errors, 'misfire_grace')?.message} />
      <Field label="Attempts" field="max_attempts" type="number" min="1" placeholder="default" value={draft.max_attempts === undefined ? '' : String(draft.max_attempts)} onText={(value) => onChange({max_attempts: value ? Number(value) : undefined} as Partial<JobDefinition>)} error={errorOf(errors, 'max_attempts')?.message} />
      <Field label="First wait between attempts" field="retry" class="mono" placeholder="default" value={retry.base ?? ''} onText={(base) => onChange({retry: {...retry, base: text(base)} as NonNullable<JobDefinition['retry']>})} error={errorOf(errors, 'retry/base')?.message} />
      <Field label="Longest wait" field="retry" class="mono" placeholder="default" value={retry.cap ?? ''} onText={(cap) => onChange({retry: {...retry, cap: text(cap)} as NonNullable<JobDefinition['retry']>})} error={errorOf(errors, 'retry/cap')?.message} />
      <Field label="One attempt may take" field="timeout" class="mono" placeholder="default" value={draft.timeout ?? ''} onText={(value) => onChange({timeout: text(value)} as Partial<JobDefinition>)} error={errorOf(errors, 'timeout')?.message} />
      <Field label="Priority" field="priority" type="number" placeholder="0" value={draft.priority === undefined ? '' : String(draft.priority)} onText={(value) => onChange({priority: value ? Number(value) : undefined} as Partial<JobDefinition>)} error={errorOf(errors, 'priority')?.message} />
    </div>
  );
}
