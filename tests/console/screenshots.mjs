// Starts a demonstration and takes every page in both themes at two widths: screenshots.mjs FOLDER [page…]
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {Node} from './node.mjs';

const [folder, ...pages] = process.argv.slice(2);
const node = await Node.start('--demo');
try {
  const shots = fileURLToPath(new URL('shots.mjs', import.meta.url));
  const taking = spawn(process.execPath, [shots, node.url, folder, ...pages], {stdio: 'inherit'});
  [process.exitCode] = await once(taking, 'exit');
} finally {
  await node.stop();
}
