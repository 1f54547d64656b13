// What most tests begin with: a node of their own and a browser. Both are there once the first test runs.
import {after, before} from 'node:test';
import {launch, open} from './browser.mjs';
import {Node} from './node.mjs';

export function withNode(...flags) {
  const world = {open: (path, options) => open(world.browser, world.node, path, options)};
  before(async () => {
    world.node = await Node.start(...flags);
    world.browser = await launch();
  });
  after(async () => {
    await world.browser?.close();
    await world.node?.stop();
  });
  return world;
}
