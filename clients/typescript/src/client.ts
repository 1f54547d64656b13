// A Belfry server as its REST API shows it: one method for each call, JSON objects in and out.
//
// Method names are the operations of the OpenAPI document (`/openapi.json` of any server), types.ts has its schemas. A call that
// fails throws a Problem (errors.ts). A call that got no answer is repeated where that is safe; for this, the methods that create
// something draw an `Idempotency-Key` if you give none.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

import { Problem, TimedOut, problemOf } from "./errors.js";
import { readEvents, type ServerEvent } from "./events.js";
import { Limit, exchange, open, problemOfFailure, sleep, type HttpAnswer } from "./http.js";
import { baseOf, jobPath, queryOf, runPath } from "./paths.js";
import type * as t from "./types.js";

export const VERSION = "0.2.0";
const API = "/api/v1";
const LONGEST_PAUSE = 5_000;
const LIVE = new Set<t.RunState>(["READY", "RUNNING", "RETRYING"]);

export interface ClientOptions {
  /** Default: http://127.0.0.1:7070. */
  server?: string;
  /** An API key, `bf_…`. */
  token?: string | undefined;
  /** A tenant other than the token's own, for admins. */
  tenant?: string | undefined;
  /** Seconds to wait for an answer; default 30. */
  timeout?: number;
  /** For how many seconds to repeat a call that the server could not serve just then (429, 503, a lost answer); default 5. */
  patience?: number;
}

export interface CallOptions {
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** May be sent again when no answer came; by default, calls that read, set or delete. */
  repeatable?: boolean;
  /** Seconds. */
  timeout?: number | undefined;
  patience?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** An answer, with what its body does not hold. */
export interface Reply<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Keyed {
  idempotencyKey?: string | undefined;
}
export interface Versioned {
  /** Only if the job still has this version. */
  version?: number | undefined;
}
export interface Paged {
  /** How many entries are fetched at a time. */
  page?: number | undefined;
}
export interface Window {
  from?: string | undefined;
  to?: string | undefined;
}

export class Client {
  readonly server: string;
  readonly timeout: number;
  readonly #base: string;
  readonly #patience: number;
  readonly #headers: Record<string, string>; // private, so that printing a client shows no key

  constructor(options: ClientOptions = {}) {
    this.server = options.server ?? "http://127.0.0.1:7070";
    this.timeout = options.timeout ?? 30;
    this.#base = baseOf(this.server);
    this.#patience = options.patience ?? 5;
    this.#headers = { Accept: "application/json", "User-Agent": `belfry-typescript/${VERSION}` };
    if (options.token) this.#headers["Authorization"] = `Bearer ${options.token}`;
    if (options.tenant) this.#headers["Belfry-Tenant"] = options.tenant;
  }

  /** From the variables of the command line: BELFRY_SERVER, BELFRY_TOKEN or BELFRY_TOKEN_FILE, BELFRY_TENANT. */
  static fromEnv(options: ClientOptions = {}): Client {
    const { BELFRY_SERVER, BELFRY_TOKEN, BELFRY_TOKEN_FILE, BELFRY_TENANT } = process.env;
    const token = BELFRY_TOKEN?.trim() || (BELFRY_TOKEN_FILE ? readFileSync(BELFRY_TOKEN_FILE, "utf8").trim() : undefined);
    return new Client({ ...(BELFRY_SERVER ? { server: BELFRY_SERVER } : {}), token, tenant: BELFRY_TENANT || undefined, ...options });
  }

  // ---- One call

  /** Any call of the API, also those without a method here. `path` starts at "/", with its parts encoded. */
  async call<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Reply<T>> {
    const headers = { ...this.#headers, ...options.headers };
    if (options.body !== undefined) headers["Content-Type"] ??= "application/json";
    const request = {
      method,
      url: this.#base + path + queryOf(options.query),
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      timeout: 1000 * (options.timeout ?? this.timeout),
      signal: options.signal,
    };
    const repeatable = options.repeatable ?? ["GET", "PUT", "DELETE"].includes(method);
    const giveUp = performance.now() + 1000 * (options.patience ?? this.#patience);
    const answer = await this.#persist(() => exchange(request), repeatable, giveUp, options.signal);
    if (answer.status < 200 || answer.status >= 300) throw problemOf(answer.status, answer.text, retryAfter(answer));
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    const body = (isJson && answer.text ? JSON.parse(answer.text) : answer.text || undefined) as T;
    return { status: answer.status, headers: answer.headers, body };
  }

  async #persist(send: () => Promise<HttpAnswer>, repeatable: boolean, giveUp: number, signal?: AbortSignal): Promise<HttpAnswer> {
    for (let repeated = false; ; ) {
      let answer;
      try {
        answer = await send();
      } catch (error) {
        if (!(error instanceof TimedOut) || repeated || !repeatable || signal?.aborted || performance.now() >= giveUp) throw error;
        repeated = true;
        continue;
      }
      const pause = 1000 * (retryAfter(answer) ?? 1);
      if ((answer.status !== 429 && answer.status !== 503) || performance.now() + pause > giveUp) return answer;
      await sleep(Math.min(Math.max(pause, 100), LONGEST_PAUSE), signal);
    }
  }

  async #get<T>(path: string, query?: object): Promise<T> {
    return (await this.call<T>("GET", API + path, { query })).body;
  }

  async #post<T>(path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
    return (await this.call<T>("POST", API + path, { body, repeatable: true, ...options })).body;
  }

  #postKeyed<T>(path: string, body: unknown, keyed: Keyed): Promise<T> {
    return this.#post<T>(path, body, { headers: { "Idempotency-Key": keyed.idempotencyKey ?? randomUUID() } });
  }

  /** The entries of a list, one by one; pages of `page` entries are fetched as you go. */
  async *pages<T>(path: string, query: object & Paged = {}): AsyncGenerator<T> {
    const { page = 500, ...rest } = query;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer: Reply<{ items: T[]; next_cursor: string | null }> = await this.call("GET", path, { query: { ...rest, limit: page, cursor } });
      yield* answer.body.items;
      cursor = answer.body.next_cursor;
    }
  }

  // ---- Jobs. `job` is an id or a name.

  /** Jobs by name, without target and payload. */
  listJobs(filter: Paged & { status?: t.JobStatus; job_type?: string; label?: string | string[]; q?: string } = {}): AsyncGenerator<t.JobSummary> {
    return this.pages(`${API}/jobs`, filter);
  }

  /** A new job; Conflict if the name is taken. */
  createJob(definition: t.JobDefinition, options: Keyed = {}): Promise<t.Job> {
    return this.#postKeyed("/jobs", definition, options);
  }

  /** Creates or replaces up to 10,000 jobs by name; with `atomic: false` keeps the good ones. */
  putJobs(batch: t.JobBatch, options: Keyed = {}): Promise<t.JobBatchResult> {
    return this.#postKeyed("/jobs:batch", batch, options);
  }

  getJob(job: string): Promise<t.Job> {
    return this.#get(jobPath(job));
  }

  /** Creates or replaces. */
  async putJob(job: string, definition: t.JobReplacement, options: Versioned & { createOnly?: boolean } = {}): Promise<t.Job> {
    const headers = { ...ifVersion(options), ...(options.createOnly ? { "If-None-Match": "*" } : {}) };
    return (await this.call<t.Job>("PUT", API + jobPath(job), { body: definition, headers })).body;
  }

  /** Changes the given fields; null resets one to its default. */
  async patchJob(job: string, changes: t.JobPatch, options: Versioned = {}): Promise<t.Job> {
    const headers = { "Content-Type": "application/merge-patch+json", ...ifVersion(options) };
    return (await this.call<t.Job>("PATCH", API + jobPath(job), { body: changes, headers, repeatable: options.version !== undefined })).body;
  }

  async deleteJob(job: string, options: Versioned = {}): Promise<void> {
    await this.call("DELETE", API + jobPath(job), { headers: ifVersion(options) });
  }

  /** Skips its ticks until it is resumed, or until that instant. */
  pauseJob(job: string, pause: t.PauseRequest = {}): Promise<t.Job> {
    return this.#post(jobPath(job, "/pause"), pause);
  }

  /** What the job was before, newest first. */
  listRevisions(job: string, filter: Paged = {}): AsyncGenerator<t.Revision> {
    return this.pages(API + jobPath(job, "/revisions"), filter);
  }

  /** Gives the job the definition of an earlier version, as a new one. */
  restoreRevision(job: string, version: number): Promise<t.Job> {
    return this.#post(jobPath(job, `/revisions/${version}/restore`));
  }

  resumeJob(job: string): Promise<t.Job> {
    return this.#post(jobPath(job, "/resume"));
  }

  /** Ends the job for good; runs in flight go on. */
  cancelJob(job: string): Promise<t.Job> {
    return this.#post(jobPath(job, "/cancel"));
  }

  /** Starts a run now, whatever the schedule says. Without a payload it gets the job's own. */
  triggerJob(job: string, request: t.TriggerRequest = {}, options: Keyed = {}): Promise<t.Run> {
    return this.#postKeyed(jobPath(job, "/trigger"), request, options);
  }

  /** Creates runs for past ticks that have none; asking twice creates nothing twice. */
  backfillJob(job: string, request: t.BackfillRequest): Promise<t.BackfillReport> {
    return this.#post(jobPath(job, "/backfill"), request);
  }

  // ---- Schedules

  /** The job's runs, newest first. */
  listJobRuns(job: string, filter: Paged & Window & { state?: t.RunState } = {}): AsyncGenerator<t.Run> {
    return this.pages(API + jobPath(job, "/runs"), filter);
  }

  /** The ledger: each tick or range of ticks with its fate. */
  listJobTicks(job: string, filter: Paged & Window & { order?: "newest" | "oldest" } = {}): AsyncGenerator<t.Tick> {
    return this.pages(API + jobPath(job, "/ticks"), filter);
  }

  /** Why it did or did not run. */
  explainJob(job: string, query: { at?: string } = {}): Promise<t.Explanation> {
    return this.#get(jobPath(job, "/explain"), query);
  }

  nextTicks(job: string, query: { count?: number } = {}): Promise<t.Preview> {
    return this.#get(jobPath(job, "/next"), query);
  }

  /** What its author may not expect of a job: of its schedule, and of its target just now. */
  jobWarnings(job: string): Promise<t.JobWarnings> {
    return this.#get(jobPath(job, "/warnings"));
  }

  /** What a schedule means, in words and instants; nothing is stored. */
  previewSchedule(schedule: t.PreviewRequest): Promise<t.Preview> {
    return this.#post("/schedules/preview", schedule);
  }

  // ---- Runs

  /** Runs of all jobs, newest first. Dead letters: `state: "DEAD"`. */
  listRuns(filter: Paged & Window & { state?: t.RunState } = {}): AsyncGenerator<t.Run> {
    return this.pages(`${API}/runs`, filter);
  }

  /** The run with its payload and its attempts. */
  getRun(run: string): Promise<t.RunDetail> {
    return this.#get(runPath(run));
  }

  /** What the worker logged for an attempt, also while it runs; by default for the last one. */
  getRunLog(run: string, query: { attempt?: number } = {}): Promise<t.RunLog> {
    return this.#get(runPath(run, "/log"), query);
  }

  cancelRun(run: string): Promise<t.Run> {
    return this.#post(runPath(run, "/cancel"));
  }

  /** Takes a running run from a worker that does not let go: it ends at once, and its fence is void. */
  unstickRun(run: string, body: { note?: string } = {}): Promise<t.Run> {
    return this.#post(runPath(run, "/unstick"), body);
  }

  retryRun(run: string, options: Keyed = {}): Promise<t.Run> {
    return this.#postKeyed(runPath(run, "/retry"), undefined, options);
  }

  /** Waits until the run is over, and returns it; TimedOut if that takes too long (seconds). */
  async waitForRun(run: string, options: { timeout?: number; pause?: number } = {}): Promise<t.RunDetail> {
    const giveUp = performance.now() + 1000 * (options.timeout ?? 300);
    for (;;) {
      const seen = await this.getRun(run);
      if (!LIVE.has(seen.state)) return seen;
      if (performance.now() >= giveUp) throw new TimedOut(`run ${run} is still ${seen.state} after ${options.timeout ?? 300} s`);
      await sleep(1000 * (options.pause ?? 0.5));
    }
  }

  // ---- Work. `Worker` does all this for you.

  /** Runs to work on; waits for the first one. Never repeated: the runs of a lost answer come back when their lease ends. */
  async claimRuns(request: t.ClaimRequest, options: Pick<CallOptions, "signal"> = {}): Promise<t.ClaimedRun[]> {
    const timeout = this.timeout + (request.wait_seconds ?? 0);
    return (await this.#post<t.ClaimAnswer>("/runs:claim", request, { repeatable: false, timeout, ...options })).runs;
  }

  /** Prolongs leases; answers for each run: EXTENDED, FENCED or CANCEL. */
  async beatRuns(request: t.HeartbeatRequest, options: Pick<CallOptions, "timeout" | "patience"> = {}): Promise<t.HeartbeatResult[]> {
    return (await this.#post<t.HeartbeatAnswer>("/runs:heartbeat", request, options)).results;
  }

  /** Reports how attempts ended; answers for each: OK, FENCED or RETRY. Repeating a report is safe. */
  async completeRuns(request: t.CompleteRequest, options: Pick<CallOptions, "timeout" | "patience"> = {}): Promise<t.CompleteResult[]> {
    return (await this.#post<t.CompleteAnswer>("/runs:complete", request, options)).results;
  }

  // ---- The whole

  getCluster(): Promise<t.Cluster> {
    return this.#get("/cluster");
  }

  getForecast(query: { hours?: number } = {}): Promise<t.Forecast> {
    return this.#get("/forecast", query);
  }

  /** The fullest minutes, and changes that would halve them. */
  getForecastAdvice(query: { hours?: number } = {}): Promise<t.HerdAdvice> {
    return this.#get("/forecast/advice", query);
  }

  /** Who takes runs, and what waits for them. */
  getWorkers(): Promise<t.Workers> {
    return this.#get("/workers");
  }

  getStats(): Promise<t.Stats> {
    return this.#get("/stats");
  }

  /**
   * Changes as they happen, without an end; reconnects by itself and continues after the last event seen. `after`: the id of the
   * last event you know. `onOpen`: called once the stream is open and every change from then on will be seen. Throws Problem once
   * no server answers for longer than the client's patience.
   */
  async *events(options: { after?: string | undefined; silence?: number; signal?: AbortSignal; onOpen?: () => void } = {}): AsyncGenerator<ServerEvent> {
    let after = options.after;
    for (let lost = 0; !options.signal?.aborted; lost += 0.5) {
      try {
        const onOpen = (): void => {
          lost = 0;
          options.onOpen?.();
        };
        for await (const event of this.#listen(after, { ...options, onOpen })) {
          after = event.id || after;
          yield event;
        }
      } catch (error) {
        if (options.signal?.aborted) return;
        if (!(error instanceof Problem) || !["unreachable", "timed_out"].includes(error.kind) || lost >= this.#patience) throw error;
      }
      await sleep(500, options.signal);
    }
  }

  async *#listen(after: string | undefined, options: { silence?: number; signal?: AbortSignal; onOpen?: () => void }): AsyncGenerator<ServerEvent> {
    const url = `${this.#base}${API}/events`;
    const headers = { ...this.#headers, Accept: "text/event-stream", ...(after ? { "Last-Event-ID": after } : {}) };
    const silence = 1000 * (options.silence ?? 60);
    const limit = new Limit(silence, options.signal);
    try {
      const response = await open({ method: "GET", url, headers, timeout: silence }, limit.signal).catch((error: unknown) => {
        throw problemOfFailure(url, error);
      });
      if (!response.ok || !response.body) throw problemOf(response.status, await response.text());
      const body = response.body as unknown as AsyncIterable<Uint8Array>;
      let opened = false;
      const onPiece = (): void => {
        if (!opened) options.onOpen?.(); // a stream begins with a greeting
        opened = true;
        limit.restart(silence);
      };
      yield* readEvents(watched(url, body, onPiece));
    } finally {
      limit.clear();
    }
  }
}

/** Passes the pieces on; a stream that breaks is a Problem. */
async function* watched(url: string, pieces: AsyncIterable<Uint8Array>, onPiece: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of pieces) {
      onPiece();
      yield piece;
    }
  } catch (error) {
    throw problemOfFailure(url, error);
  }
}

function ifVersion(options: Versioned): Record<string, string> {
  return options.version === undefined ? {} : { "If-Match": `"${options.version}"` };
}

function retryAfter(answer: HttpAnswer): number | undefined {
  const text = answer.headers.get("retry-after") ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}
