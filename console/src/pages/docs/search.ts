// Searching the docs: every section that has all the words, titles first.
import {slug} from './markdown';
import {docs, type Doc} from './library';

export interface Found {
  doc: Doc;
  section: string;
  id: string; // of the section's heading
  text: string;
}

interface Section {
  doc: Doc;
  title: string;
  text: string;
}

let sections: Promise<Section[]> | undefined;

function sectionsOf(doc: Doc, text: string): Section[] {
  const out: Section[] = [{doc, title: '', text: ''}];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    const heading = inCode ? null : /^#{1,6} +(.*)$/.exec(line);
    if (heading) out.push({doc, title: heading[1]!, text: ''});
    else out.at(-1)!.text += `${line}\n`;
  }
  return out;
}

// All docs are read once, when somebody first searches.
const everything = (): Promise<Section[]> =>
  (sections ??= Promise.all(docs.map(async (doc) => sectionsOf(doc, await doc.read()))).then((all) => all.flat()));

function around(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const from = at > 60 ? text.indexOf(' ', at - 60) + 1 : 0;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 160).replace(/[`*|]+/g, ' ').replace(/\s+/g, ' ').trim()} …`;
}

const MOST = 30;

export async function search(query: string): Promise<Found[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const matching = (await everything()).filter((section) => {
    const text = `${section.doc.title}\n${section.title}\n${section.text}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const inTitle = (section: Section): number => words.filter((word) => section.title.toLowerCase().includes(word)).length;
  return matching
    .sort((a, b) => inTitle(b) - inTitle(a))
    .slice(0, MOST)
    .map((section) => ({doc: section.doc, section: section.title, id: slug(section.title), text: around(section.text, words[0]!)}));
}
