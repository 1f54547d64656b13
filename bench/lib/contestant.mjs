// Somebody who is measured, and how: `module` exports the function `call(scene, args)`, which answers with figures.
import { fork } from 'node:child_process';
import path from 'node:path';
import { own } from './processes.mjs';

const CHILD = path.join(import.meta.dirname, 'child.mjs');
const BENCH = path.dirname(import.meta.dirname);
const LIMIT = 3 * 3600 * 1000; // a measurement that takes longer hangs

const inBench = (file) => path.join(BENCH, file);

// kind: belfry, peer or raw (the limit). needs: postgres, redis or nothing.
const contestant = (kind, needs) => (who, module, call, args = {}, settings = '') =>
  ({ kind, needs, who, module: inBench(module), call, args, settings });

export const belfry = contestant('belfry', 'postgres');
export const peer = contestant('peer', 'postgres');
export const redisPeer = contestant('peer', 'redis');
export const raw = contestant('raw', 'postgres');
export const belfryAlone = contestant('belfry', null);
export const rawAlone = contestant('raw', null);

// The figures that one measurement yields; throws what went wrong.
export function measured({ module, call, args }, scene) {
  return new Promise((done, failed) => {
    const child = own(fork(CHILD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
    const timer = setTimeout(() => child.kill('SIGTERM'), LIMIT);
    let reply = { error: 'the process of the measurement ended without an answer' };
    child.once('message', (message) => { reply = message; });
    child.once('exit', () => {
      clearTimeout(timer);
      if (reply.error) failed(new Error(reply.error));
      else done(reply.value);
    });
    child.send({ module, call, args, scene });
  });
}
