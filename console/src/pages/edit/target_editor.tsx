// Who executes the runs.
import type {FieldError, JobDefinition, Target} from '../../api/types';
import {errorOf} from '../../editor/schedule_editor';
import {Choice, Field, Segmented} from '../../ui/basics';
import {commandText, emptyTarget, shellCommand, type TargetKind} from './draft';

const KINDS = [['EXEC', 'Command'], ['HTTP', 'Webhook'], ['TOPIC', 'Topic'], ['WORKER', 'Worker'], ['CHECKIN', 'Check-in']] as const;
const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;

interface TargetEditorProps {
  draft: JobDefinition;
  errors: FieldError[];
  onChange: (changes: Partial<JobDefinition>) => void;
}

export function TargetEditor({draft, errors, onChange}: TargetEditorProps) {
  const target: Target = draft.target ?? {kind: 'WORKER'};
  const set = (next: Target): void => onChange({target: next});
  const error = (field: string): string | undefined => errorOf(errors, `target/${field}`)?.message;
  return (
    <>
      <div class="field">
        <span class="label">Runs are done by a</span>
        <span><Segmented label="Who executes" options={KINDS} value={target.kind} onPick={(kind: TargetKind) => kind !== target.kind && set(emptyTarget(kind))} /></span>
      </div>
      {target.kind === 'EXEC' && <Field label="Command" field="target" class="mono" value={commandText(target.command)} onText={(line) => set({...target, command: shellCommand(line)})} error={error('command')} hint="Run by /bin/sh on an exec worker" />}
      {target.kind === 'HTTP' && (
        <>
          <Field label="URL" field="target" class="mono" value={target.url} onText={(url) => set({...target, url})} error={error('url')} />
          <Choice label="Method" value={target.method ?? 'POST'} options={METHODS.map((method) => [method, method] as const)} onPick={(method) => set({...target, method})} />
          <Field label="Secret that signs the calls" class="mono" value={target.secret ?? ''} onText={(secret) => set(secret ? {...target, secret} : {...target, secret: undefined} as Target)} placeholder="whsec_…" error={error('secret')} />
        </>
      )}
      {target.kind === 'TOPIC' && (
        <>
          <Field label="Broker" field="target" value={target.broker} onText={(broker) => set({...target, broker})} error={error('broker')} hint="A name from the server's configuration" />
          <Field label="Topic" value={target.topic} onText={(topic) => set({...target, topic})} error={error('topic')} />
        </>
      )}
      {target.kind === 'CHECKIN' && <p class="dim">Done elsewhere, such as by an old crontab. Each tick expects a report; silence is a failure. The job's page then has the line to copy.</p>}
      <Field label="Type" field="job_type" value={draft.job_type ?? ''} onText={(job_type) => onChange({job_type})} error={errorOf(errors, 'job_type')?.message} hint="What workers ask for; also the name of the queue" />
    </>
  );
}
