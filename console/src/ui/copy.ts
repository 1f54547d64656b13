// Copying text, and an action as the command that does the same.
import {note} from '../state/toasts';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    note('Copied');
  } catch {
    note('The browser does not let the page copy; select the text instead', {bad: true});
  }
}

// A word as a shell reads it back.
export const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export function asCurl(method: string, path: string, body?: unknown): string {
  const parts = ['curl', '-X', method, quoted(`${location.origin}/api/v1${path}`)];
  if (body !== undefined) parts.push('-H', quoted('Content-Type: application/json'), '-d', quoted(JSON.stringify(body)));
  return parts.join(' ');
}

export const asBelfry = (...words: string[]): string => ['belfry', ...words.map(quoted)].join(' ');
