// Colours of terminals: only the plain ones, as classes. Everything else of an escape sequence is left out.
export interface Span {
  text: string;
  tone: string;
}

const TONES: Record<number, string> = {31: 'a-bad', 32: 'a-ok', 33: 'a-late', 34: 'a-run', 35: 'a-run', 36: 'a-run', 90: 'a-dim', 91: 'a-bad', 92: 'a-ok', 93: 'a-late', 94: 'a-run', 95: 'a-run', 96: 'a-run'};
const SEQUENCE = /\u001b\[([0-9;]*)([A-Za-z])/g;

export function ansiSpans(line: string): Span[] {
  if (!line.includes('\u001b')) return [{text: line, tone: ''}];
  const spans: Span[] = [];
  let tone = '';
  let from = 0;
  for (const match of line.matchAll(SEQUENCE)) {
    if (match.index > from) spans.push({text: line.slice(from, match.index), tone});
    from = match.index + match[0].length;
    if (match[2] !== 'm') continue;
    for (const code of (match[1] || '0').split(';').map(Number)) {
      if (code === 0 || code === 39) tone = '';
      else tone = TONES[code] ?? tone;
    }
  }
  spans.push({text: line.slice(from), tone});
  return spans;
}
