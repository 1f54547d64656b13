// Short notes at the edge of the page: what was done, and for ten seconds the way back.
import {signal} from '@preact/signals';
import {Refusal} from '../api/client';

export interface Toast {
  id: number;
  text: string;
  bad?: boolean;
  undo?: () => void | Promise<unknown>;
  link?: {to: string; text: string};
  until: number;
}

export const UNDO_MS = 10_000;
export const toasts = signal<Toast[]>([]);
let lastId = 0;

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function note(text: string, more: Omit<Partial<Toast>, 'id' | 'text'> = {}): number {
  const id = ++lastId;
  const toast = {id, text, until: Date.now() + (more.bad ? 15_000 : UNDO_MS), ...more};
  toasts.value = [...toasts.value, toast].slice(-4);
  setTimeout(() => dismiss(id), toast.until - Date.now());
  return id;
}

// Does something and says how it went; errors are said in the server's words.
export async function attempt(work: () => Promise<unknown>, done?: string, more: Parameters<typeof note>[1] = {}): Promise<boolean> {
  try {
    await work();
    if (done) note(done, more);
    return true;
  } catch (error) {
    note(error instanceof Refusal ? sentence(error) : String(error), {bad: true});
    return false;
  }
}

function sentence(refusal: Refusal): string {
  const first = refusal.problem.errors?.[0];
  return first ? `${first.message}${first.hint ? `; ${first.hint}` : ''}` : refusal.message;
}

// Something that cannot be taken back is only begun when the time for second thoughts is over.
export function soon(text: string, work: () => Promise<unknown>, done: string): Promise<boolean> {
  return new Promise((resolve) => {
    const run = (): void => {
      clearTimeout(timer);
      removeEventListener('pagehide', run);
      dismiss(id);
      void attempt(work, done).then(resolve);
    };
    const timer = setTimeout(run, UNDO_MS);
    addEventListener('pagehide', run);
    const id = note(text, {
      undo: () => {
        clearTimeout(timer);
        removeEventListener('pagehide', run);
        resolve(false);
      },
    });
  });
}
