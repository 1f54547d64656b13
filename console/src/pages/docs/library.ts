// The project's docs as the build found them; each is loaded when it is first read.
const files = import.meta.glob<string>('../../../../docs/**/*.md', {query: '?raw', import: 'default'});

export interface Doc {
  name: string; // guides/secrets
  title: string;
  room: string; // guides; empty at the top
  read: () => Promise<string>;
}

const ROOMS = ['', 'migrate', 'concepts', 'guides', 'reference', 'operating', 'internals', 'decisions'];
const SHORT: Record<string, string> = {
  cli: 'Command line',
  eventbridge: 'EventBridge',
  'keys-and-tls': 'Keys and TLS',
  net: 'Network',
  tuning: 'Tuning PostgreSQL',
  why: 'Why?',
};

function titleOf(name: string): string {
  const parts = name.split('/');
  const last = parts.at(-1) === 'README' ? (parts.at(-2) ?? 'documentation') : parts.at(-1)!; // the README of a folder is about the folder
  const words = last.replaceAll('-', ' ');
  return SHORT[last] ?? words.replace(/[a-z]/, (letter) => letter.toUpperCase());
}

const place = (room: string): number => (ROOMS.indexOf(room) + 1 || ROOMS.length + 1);

export const docs: Doc[] = Object.entries(files)
  .map(([path, read]) => {
    const name = path.replace(/^.*?\/docs\//, '').replace(/\.md$/, '');
    return {name, title: titleOf(name), room: name.includes('/') ? name.slice(0, name.indexOf('/')) : '', read};
  })
  .sort((a, b) => place(a.room) - place(b.room) || Number(b.name === 'README') - Number(a.name === 'README') || a.name.localeCompare(b.name));

export const docNamed = (name: string): Doc | undefined => docs.find((doc) => doc.name === name);
export const rooms = [...new Set(docs.map((doc) => doc.room))];

// A link in a doc, as an address of ours; what is not in docs/ is not here.
export function linkFrom(name: string, href: string): string | undefined {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
  const [path = '', hash] = href.split('#');
  const parts = name.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.length === 0) return undefined;
      parts.pop();
    } else if (part !== '.') parts.push(part);
  }
  const target = parts.join('/').replace(/\.md$/, '');
  return docNamed(target) ? `/docs/${target}${hash ? `#${hash}` : ''}` : undefined;
}
