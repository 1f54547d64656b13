// How much a browser has to fetch, compressed: the first load, and what each further page adds. budget.mjs DIST
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync} from 'node:zlib';

const FIRST_LOAD = 70 * 1024;
const EACH_PAGE = 25 * 1024;
const dist = process.argv[2];
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

// A chunk with all it imports at once, and their styles.
function filesOf(key, found = new Set()) {
  const chunk = manifest[key];
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const style of chunk.css ?? []) found.add(style);
  for (const other of chunk.imports ?? []) filesOf(other, found);
  return found;
}

const weigh = (files) => [...files].reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(dist, file))).length, 0);

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const first = filesOf(entry).add('index.html');
const overview = filesOf('src/pages/overview/overview.tsx');
const firstLoad = weigh(new Set([...first, ...overview]));
console.log(`first load, with the overview: ${firstLoad} of ${FIRST_LOAD}`);
assert.ok(firstLoad <= FIRST_LOAD, 'the first load is too large');

const pages = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry);
assert.ok(pages.length >= 14, `only ${pages.length} pages`);
for (const page of pages) {
  const more = weigh([...filesOf(page)].filter((file) => !first.has(file)));
  console.log(`${page}: ${more} of ${EACH_PAGE}`);
  assert.ok(more <= EACH_PAGE, `${page} is too large`);
}
