// One line for the expression; the field under the caret is named, an error points at its characters.
import {useId, useState} from 'preact/hooks';
import type {FieldError} from '../api/types';
import {Chip} from '../ui/basics';

const NAMES: Record<number, string[]> = {
  5: ['minute 0–59', 'hour 0–23', 'day of month 1–31, L, W', 'month 1–12, JAN–DEC', 'day of week 0–7, SUN–SAT, L, #'],
  6: ['second 0–59', 'minute 0–59', 'hour 0–23', 'day of month 1–31, L, W', 'month 1–12, JAN–DEC', 'day of week 0–7, SUN–SAT, L, #'],
  7: ['second 0–59', 'minute 0–59', 'hour 0–23', 'day of month 1–31, L, W', 'month 1–12, JAN–DEC', 'day of week 0–7, SUN–SAT, L, #', 'year'],
};

const PRESETS: [string, string][] = [
  ['every 15 minutes', '*/15 * * * *'], ['hourly, spread', 'H * * * *'], ['daily 02:30', '30 2 * * *'], ['weekdays 09:00', '0 9 * * MON-FRI'],
  ['first Monday 14:00', '0 14 * * MON#1'], ['last day of the month', '0 18 L * *'],
];

interface CronInputProps {
  value: string;
  error: FieldError | undefined;
  suggestion: string | undefined;
  onText: (text: string) => void;
}

// A crontab line brings its command along; the schedule is what stands before it.
export const firstFields = (line: string): string => (line.startsWith('@') ? (line.split(/\s+/)[0] ?? '') : line.trim().split(/\s+/).slice(0, 5).join(' '));

export function CronInput({value, error, suggestion, onText}: CronInputProps) {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const fields = value.trim().split(/\s+/);
  const at = value.slice(0, caret).trimStart().split(/\s+/).length - 1;
  const name = value.startsWith('@') ? undefined : NAMES[fields.length]?.[at];
  const looksLikeLine = fields.length > 7 || (fields.length > 5 && /[/~]/.test(fields.slice(5).join('')) && fields[5]!.includes('/') && !fields[5]!.startsWith('*'));
  return (
    <div class="field">
      <label for={id}>Cron expression</label>
      <input id={id} class="mono cron" spellcheck={false} autocomplete="off" value={value} aria-invalid={error ? 'true' : undefined} aria-describedby={`${id}-more`}
        onInput={(event) => (onText(event.currentTarget.value), setCaret(event.currentTarget.selectionStart ?? 0))}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)} />
      <div id={`${id}-more`}>
        {looksLikeLine ? (
          <span class="hint">This looks like a line of a crontab. <button type="button" class="linkish" onClick={() => onText(firstFields(value))}>Take its schedule</button></span>
        ) : error ? (
          <span class="error">{error.message}{suggestion ? <> <button type="button" class="linkish" onClick={() => onText(suggestion)}>Use {suggestion}</button></> : error.hint && <>; {error.hint}</>}</span>
        ) : (
          <span class="hint">{name ?? 'minute hour day month weekday; or with seconds and year; or @daily'}</span>
        )}
      </div>
      <div class="chips presets">
        {PRESETS.map(([text, expression]) => <Chip key={expression} on={value === expression} onClick={() => onText(expression)}>{text}</Chip>)}
      </div>
    </div>
  );
}
