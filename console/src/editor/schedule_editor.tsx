// Write a schedule and see at once what it means. The meaning comes from the server, by POST /schedules/preview.
import {useEffect, useRef, useState} from 'preact/hooks';
import {preview} from '../api/calls';
import {Refusal} from '../api/client';
import type {FieldError, Preview, PreviewRequest} from '../api/types';
import {localZone} from '../time/format';
import {Chip, Choice, Field, Segmented} from '../ui/basics';
import {countdown} from '../time/duration';
import {now} from '../state/clock';
import {Builder} from './builder';
import {CronInput} from './cron_input';
import {Fires, Warnings} from './fires';
import {YearGlance} from './year_glance';
import {suggestionOf} from './suggestion';
import './editor.css';

export type ScheduleDraft = Pick<PreviewRequest, 'schedule_type' | 'cron_expression' | 'timezone' | 'dialect' | 'every' | 'run_at' | 'jitter' | 'calendar' | 'calendar_policy' | 'start_at' | 'end_at' | 'dst_gap' | 'dst_overlap'>;

const KINDS = [['CRON', 'Cron'], ['EVERY', 'Every'], ['ONCE', 'Once']] as const;
const SHARED = ['timezone', 'dialect', 'jitter', 'calendar', 'calendar_policy', 'start_at', 'end_at', 'dst_gap', 'dst_overlap'] as const;
const DEBOUNCE_MS = 120;

export const zones: string[] = (() => {
  const all = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];
  return [...new Set(['UTC', localZone, ...all])];
})();

// The fields that the kind of schedule does not have must not be sent.
export function cleanSchedule(draft: ScheduleDraft): ScheduleDraft {
  const {schedule_type: kind, cron_expression, every, run_at} = draft;
  const kept: ScheduleDraft = Object.fromEntries(SHARED.filter((field) => draft[field]).map((field) => [field, draft[field]]));
  if (kind === 'EVERY') return {schedule_type: kind, every: every ?? '', ...kept};
  if (kind === 'ONCE') return {schedule_type: kind, run_at: run_at ?? '', ...kept};
  return {schedule_type: 'CRON', cron_expression: cron_expression ?? '', ...kept};
}

export interface Meaning {
  answer?: Preview;
  errors: FieldError[];
  refusal?: Refusal;
}

export function useMeaning(draft: ScheduleDraft, jobName: string): Meaning {
  const [meaning, setMeaning] = useState<Meaning>({errors: []});
  const key = JSON.stringify({...cleanSchedule(draft), job_name: jobName});
  const latest = useRef(key);
  latest.current = key;
  useEffect(() => {
    const timer = setTimeout(() => {
      preview({...(JSON.parse(key) as PreviewRequest), count: 25}).then(
        (answer) => latest.current === key && setMeaning({answer, errors: []}),
        (error) => {
          if (latest.current === key && error instanceof Refusal) setMeaning({errors: error.problem.errors ?? [], refusal: error});
        },
      );
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return meaning;
}

export const errorOf = (errors: FieldError[], field: string): FieldError | undefined => errors.find((error) => error.pointer === `/${field}`);

interface EditorProps {
  draft: ScheduleDraft;
  jobName: string;
  meaning: Meaning;
  onChange: (draft: ScheduleDraft) => void;
  calendars: string[];
}

export function ScheduleEditor({draft, meaning, onChange, calendars}: EditorProps) {
  const set = (changes: ScheduleDraft): void => onChange({...draft, ...changes});
  const kind = draft.schedule_type ?? 'CRON';
  const [building, setBuilding] = useState(false);
  const cronError = errorOf(meaning.errors, 'cron_expression');
  const suggestion = cronError && suggestionOf(draft.cron_expression ?? '', cronError);
  return (
    <div class="stack">
      <div class="row wrap">
        <Segmented label="Kind of schedule" options={KINDS} value={kind} onPick={(value) => set({schedule_type: value})} />
        {kind === 'CRON' && <Chip on={building} onClick={() => setBuilding(!building)}>build it from a sentence</Chip>}
      </div>
      {kind === 'CRON' && building && <Builder onPick={(expression) => set({cron_expression: expression, dialect: 'standard'})} />}
      {kind === 'CRON' && <CronInput value={draft.cron_expression ?? ''} error={cronError} suggestion={suggestion} onText={(text) => set({cron_expression: text})} />}
      {kind === 'EVERY' && <Field label="Interval" class="mono" placeholder="15m" value={draft.every ?? ''} onText={(every) => set({every})} error={errorOf(meaning.errors, 'every')?.message} hint="90s, 15m, 1h30m, 2d" />}
      {kind === 'ONCE' && <Field label="When" class="mono" placeholder={new Date(Date.now() + 3_600_000).toISOString().slice(0, 19) + 'Z'} value={draft.run_at ?? ''} onText={(run_at) => set({run_at})} error={errorOf(meaning.errors, 'run_at')?.message} hint="RFC 3339 with a zone" />}
      <div class="fields">
        <div class="field">
          <label for="zone">Time zone</label>
          <input id="zone" list="zones" value={draft.timezone ?? 'UTC'} aria-invalid={errorOf(meaning.errors, 'timezone') ? 'true' : undefined} onInput={(event) => set({timezone: event.currentTarget.value})} />
          <datalist id="zones">{zones.map((zone) => <option key={zone} value={zone} />)}</datalist>
          {errorOf(meaning.errors, 'timezone') && <span class="error">{errorOf(meaning.errors, 'timezone')!.message}</span>}
        </div>
        {kind === 'CRON' && <Choice label="Dialect" value={draft.dialect ?? 'standard'} options={[['standard', 'crontab'], ['quartz', 'Quartz (weekdays from 1 = Sunday)']] as const} onPick={(dialect) => set({dialect})} />}
        {calendars.length > 0 && <Choice label="Not at the times of" value={draft.calendar ?? ''} options={[['', 'no calendar'], ...calendars.map((name) => [name, name] as const)]} onPick={(calendar) => set({calendar})} />}
        {draft.calendar && <Choice label="Ticks at these times" value={draft.calendar_policy ?? 'SKIP'} options={[['SKIP', 'are skipped'], ['DELAY', 'run once, afterwards']] as const} onPick={(calendar_policy) => set({calendar_policy})} />}
        <Field label="Spread by up to (jitter)" class="mono" placeholder="none" value={draft.jitter ?? ''} onText={(jitter) => set({jitter})} error={errorOf(meaning.errors, 'jitter')?.message} />
      </div>
      <MeaningBox meaning={meaning} zone={draft.timezone ?? 'UTC'} />
      {meaning.answer && kind === 'CRON' && <YearGlance draft={cleanSchedule(draft)} />}
    </div>
  );
}

function MeaningBox({meaning, zone}: {meaning: Meaning; zone: string}) {
  const {answer, refusal} = meaning;
  if (!answer) return refusal && refusal.problem.errors?.every((error) => !['/cron_expression', '/every', '/run_at', '/timezone', '/jitter'].includes(error.pointer ?? '')) ? <p class="box bad">{refusal.message}</p> : null;
  const first = answer.next[0];
  return (
    <div class="stack tight" aria-live="polite">
      <p class="box ok meaning">
        <b>{answer.sentence}</b> <span class="muted">{answer.timezone}{first && `, first ${countdown(Date.parse(first) - now.value)}`}</span>
      </p>
      <Warnings warnings={answer.warnings} />
      <div class="card flush fires"><Fires next={answer.next} delayed={answer.delayed} zone={zone} /></div>
    </div>
  );
}
