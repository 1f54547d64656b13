// One HTTP exchange through the built-in fetch, and what may have become of it when there is no answer.
import { TimedOut, Unreachable } from "./errors.js";

export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Milliseconds to wait for the whole answer. */
  timeout: number;
  /** Gives up the exchange earlier. */
  signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

// The connection was never made: nothing was sent.
const NOT_SENT = new Set([
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ENOENT", "UND_ERR_CONNECT_TIMEOUT",
]);
const NOT_TRUSTED = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Unreachable if nothing was sent, TimedOut if nobody knows whether it was done. */
export async function exchange(call: Exchange): Promise<HttpAnswer> {
  const limit = new Limit(call.timeout, call.signal);
  try {
    const response = await open(call, limit.signal);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw problemOfFailure(call.url, error);
  } finally {
    limit.clear();
  }
}

export function open(call: Exchange, signal: AbortSignal): Promise<Response> {
  return fetch(call.url, {
    method: call.method,
    headers: call.headers,
    ...(call.body === undefined ? {} : { body: call.body }),
    redirect: "manual", // never send the key elsewhere
    signal,
  });
}

export function problemOfFailure(url: string, error: unknown): Unreachable | TimedOut {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  const why = cause instanceof Error ? cause.message || code : String(cause);
  const origin = new URL(url).origin;
  if (NOT_SENT.has(code) || NOT_TRUSTED.test(code)) return new Unreachable(`no Belfry server answers at ${origin} (${why})`, { cause: error });
  return new TimedOut(`${origin} did not answer (${why}); it may or may not have been done`, { cause: error });
}

/** A signal that aborts after some time, or with another signal. */
export class Limit {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly #pass = (): void => this.#controller.abort(new Error("given up"));

  constructor(milliseconds: number, private readonly other?: AbortSignal) {
    this.restart(milliseconds);
    if (other?.aborted) this.#pass();
    other?.addEventListener("abort", this.#pass);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(new Error("no answer in time")), milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.other?.removeEventListener("abort", this.#pass);
  }
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
}
