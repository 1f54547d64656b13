// The server says what it would understand instead: "`MOM` is not a weekday; did you mean `MON`?". As a click.
import type {FieldError} from '../api/types';

export function suggestionOf(expression: string, error: FieldError): string | undefined {
  const text = `${error.message} ${error.hint ?? ''}`;
  const wrong = /`([^`]+)`/.exec(text)?.[1];
  const right = /did you mean `([^`]+)`/.exec(text)?.[1];
  if (!wrong || !right || !expression.includes(wrong)) return undefined;
  return expression.replace(wrong, right);
}
