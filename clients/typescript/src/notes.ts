// What a handler shows of its work while it runs: lines of output, and how far it is.
import type { Progress } from "./types.js";

const HALF = 30_000; // bytes kept of the beginning, and of the end; the server takes 64 KiB
const LONGEST_LINE = 2_000; // characters, of up to four bytes

/** A long output loses its middle. */
export class Notes {
  version = 0;
  onNews: () => void = () => undefined;
  readonly #head: string[] = [];
  readonly #tail: string[] = [];
  #headSize = 0;
  #tailSize = 0;
  #dropped = 0;
  #progress: Progress | undefined;

  log(line: string): void {
    const text = `${wellFormed(line.slice(0, LONGEST_LINE))}\n`;
    const size = Buffer.byteLength(text);
    if (this.#tail.length === 0 && this.#headSize + size <= HALF) {
      this.#head.push(text);
      this.#headSize += size;
    } else {
      this.#tail.push(text);
      this.#tailSize += size;
    }
    while (this.#tailSize > HALF) {
      this.#tailSize -= Buffer.byteLength(this.#tail.shift() ?? "");
      this.#dropped += 1;
    }
    this.#changed();
  }

  progress(done: number, total: number): void {
    this.#progress = { done: count(done), total: count(total) };
    this.#changed();
  }

  /** For a heartbeat or a report: everything to show so far. */
  fields(): { log?: string; progress?: Progress } {
    const gap = this.#dropped > 0 ? [`… ${this.#dropped} lines left out …\n`] : [];
    const log = [...this.#head, ...gap, ...this.#tail].join("");
    return { ...(log ? { log } : {}), ...(this.#progress ? { progress: this.#progress } : {}) };
  }

  #changed(): void {
    this.version += 1;
    this.onNews();
  }
}

// What the server accepts: one refused note would cost all runs of the worker their heartbeat.

function count(number: number): number {
  return Math.max(0, Math.min(Math.trunc(number) || 0, Number.MAX_SAFE_INTEGER));
}

/** Replaces half a character, as `slice` may leave it. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
