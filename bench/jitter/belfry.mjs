import { fire } from '../lib/fires.mjs';
import { withNode } from '../lib/node.mjs';

export const jitter = (scene, args) => withNode(scene, (node) => fire(scene, node, args));
