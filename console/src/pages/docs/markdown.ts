// The Markdown of our own docs as blocks: headings, paragraphs, lists, tables, quotes, code. Whatever it does not know
// stays text.
export type Block =
  | {kind: 'heading'; level: number; text: string; id: string}
  | {kind: 'paragraph'; text: string}
  | {kind: 'code'; text: string}
  | {kind: 'quote'; blocks: Block[]}
  | {kind: 'list'; ordered: boolean; items: Block[][]}
  | {kind: 'table'; head: string[]; rows: string[][]};

const MARKER = /^( *)([-*]|\d+[.)]) +/;
const FENCE = /^ *```/;
const RULE = /^\|?[ :|-]*-[ :|-]*$/;

// As GitHub makes them, so that links into a page hold there and here.
export const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');

const cells = (line: string): string[] => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
const isTable = (lines: string[], at: number): boolean => lines[at]!.trim().startsWith('|') && RULE.test(lines[at + 1]?.trim() ?? '');
const begins = (lines: string[], at: number): boolean =>
  /^#{1,6} /.test(lines[at]!) || FENCE.test(lines[at]!) || /^> ?/.test(lines[at]!) || MARKER.test(lines[at]!) || isTable(lines, at);

type Step = [Block, number];

function code(lines: string[], at: number): Step {
  const indent = lines[at]!.indexOf('```');
  let end = at + 1;
  while (end < lines.length && !FENCE.test(lines[end]!)) ++end;
  return [{kind: 'code', text: lines.slice(at + 1, end).map((line) => line.slice(indent)).join('\n')}, end + 1];
}

function table(lines: string[], at: number): Step {
  let end = at + 2;
  while (lines[end]?.trim().startsWith('|')) ++end;
  return [{kind: 'table', head: cells(lines[at]!), rows: lines.slice(at + 2, end).map(cells)}, end];
}

function quote(lines: string[], at: number): Step {
  let end = at;
  while (lines[end]?.startsWith('>')) ++end;
  return [{kind: 'quote', blocks: parse(lines.slice(at, end).map((line) => line.replace(/^> ?/, '')))}, end];
}

function list(lines: string[], at: number): Step {
  const items: Block[][] = [];
  const indent = MARKER.exec(lines[at]!)![1]!.length;
  const ordered = /^ *\d/.test(lines[at]!);
  let end = at;
  for (let marker = MARKER.exec(lines[end] ?? ''); marker?.[1]!.length === indent; marker = MARKER.exec(lines[end] ?? '')) {
    const inner = [lines[end]!.slice(marker[0].length)];
    for (++end; end < lines.length && (lines[end]!.trim() === '' ? /^ /.test(lines[end + 1] ?? '') : / /.test(lines[end]![indent] ?? '')); ++end) {
      inner.push(lines[end]!.slice(Math.min(marker[0].length, lines[end]!.search(/\S|$/))));
    }
    items.push(parse(inner));
    if (lines[end]?.trim() === '' && MARKER.exec(lines[end + 1] ?? '')?.[1]!.length === indent) ++end;
  }
  return [{kind: 'list', ordered, items}, end];
}

function paragraph(lines: string[], at: number): Step {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trim() !== '' && !begins(lines, end)) ++end;
  return [{kind: 'paragraph', text: lines.slice(at, end).map((line) => line.trim()).join(' ')}, end];
}

function step(lines: string[], at: number): Step {
  const heading = /^(#{1,6}) +(.*)$/.exec(lines[at]!);
  if (heading) return [{kind: 'heading', level: heading[1]!.length, text: heading[2]!, id: slug(heading[2]!)}, at + 1];
  if (FENCE.test(lines[at]!)) return code(lines, at);
  if (isTable(lines, at)) return table(lines, at);
  if (lines[at]!.startsWith('>')) return quote(lines, at);
  return MARKER.test(lines[at]!) ? list(lines, at) : paragraph(lines, at);
}

export function parse(lines: string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.trim() === '') {
      ++at;
      continue;
    }
    const [block, next] = step(lines, at);
    blocks.push(block);
    at = next;
  }
  return blocks;
}
