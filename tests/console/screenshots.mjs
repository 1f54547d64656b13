// Starts a node, fills it (seed.mjs), and takes every page in both themes at two widths: screenshots.mjs FOLDER [page…]
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {Node, until} from './node.mjs';

const [folder, ...pages] = process.argv.slice(2);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = await Node.start();
const seeding = spawn(process.execPath, [here('seed.mjs'), node.url, '600'], {stdio: 'inherit'});
try {
  // Enough to look at: some hundred runs are over.
  await until(async () => (await node.call('GET', '/runs?state=SUCCEEDED&limit=200')).items.length === 200);
  const taking = spawn(process.execPath, [here('shots.mjs'), node.url, folder, ...pages], {stdio: 'inherit'});
  const [code] = await once(taking, 'exit');
  process.exitCode = code;
} finally {
  seeding.kill();
  await node.stop();
}
