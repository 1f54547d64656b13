// A worker: claims runs, hands them to your functions, and reports how they ended.
//
// Returning is success; RetryLater and PermanentFailure say what they mean; any other error is a failure that is tried again as
// the job's policy says. A timer prolongs leases after a third of their length: a handler that keeps the thread busy for longer
// starves it, and belongs in a worker thread. A lost lease cancels the handler, and what it returns is not reported.
import { hostname } from "node:os";

import type { Client } from "./client.js";
import { Context } from "./context.js";
import { Invalid, Problem } from "./errors.js";
import { execute, refusedReport, stoppedReport, type Handler } from "./execution.js";
import { sleep } from "./http.js";
import type * as t from "./types.js";

const MOST_RUNS = 1000; // in one call
const MOST_LETTERS = 1_000_000; // of output in one call; each may take several bytes there
const LONGEST_PAUSE = 10;
const NEWS_EVERY = 1; // seconds; what handlers show is sent together
const AFTER_CANCEL = 5; // seconds a handler has to notice that the worker ends

export interface WorkerOptions {
  /** Shown in the history; default: host and process id. */
  workerId?: string;
  /** How many handlers may run at a time; default 8. */
  concurrency?: number;
  /** Seconds a run stays ours without a heartbeat; default 30. */
  lease?: number;
  /** Seconds that running handlers get when the worker ends; default 30. */
  grace?: number;
  /** Seconds one call waits for runs; default 20. */
  claimWait?: number;
  /** Where we are, and whose runs we get; default: the region of the node that we ask. */
  region?: string;
  /** Receives messages; never gets keys or payloads. Default: warnings and errors on standard error. */
  log?: (level: "info" | "warn" | "error", message: string) => void;
}

/** A run this worker holds. */
interface Held {
  context: Context;
  leaseUntil: number; // milliseconds of performance.now()
  told: number; // the version of its notes the server has
  lost: boolean;
  reporting: boolean;
}

export class Worker {
  readonly workerId: string;
  readonly #client: Client;
  readonly #concurrency: number;
  readonly #lease: number;
  readonly #grace: number;
  readonly #claimWait: number;
  readonly #region: { region?: string };
  readonly #log: NonNullable<WorkerOptions["log"]>;
  readonly #handlers = new Map<string, Handler>();
  readonly #held = new Set<Held>();
  readonly #stopping = new AbortController();
  readonly #hurrying = new AbortController();
  readonly #closed = new AbortController();
  #onChange: (() => void)[] = [];
  #news = new AbortController();

  constructor(client: Client, options: WorkerOptions = {}) {
    this.#client = client;
    this.workerId = options.workerId ?? `${hostname()}-${process.pid}`;
    this.#concurrency = options.concurrency ?? 8;
    this.#lease = options.lease ?? 30;
    this.#grace = options.grace ?? 30;
    this.#claimWait = options.claimWait ?? 20;
    this.#region = options.region === undefined ? {} : { region: options.region };
    this.#log = options.log ?? logToStderr;
    if (this.#concurrency < 1 || this.#lease < 1 || this.#lease > 3600 || this.#claimWait < 0 || this.#claimWait > 60) {
      throw new RangeError("lease is 1 to 3600 s, claimWait 0 to 60 s, concurrency at least 1");
    }
  }

  // ---- For users

  /** Sets the function for runs of this type. */
  handle(jobType: string, handler: Handler): this {
    if (this.#handlers.has(jobType)) throw new Error(`there is a handler for ${jobType} already`);
    this.#handlers.set(jobType, handler);
    return this;
  }

  /** Works until `stop`, SIGTERM or SIGINT (unless `signals` is false); resolves when drained. Call it once only. */
  async run(options: { signals?: boolean } = {}): Promise<void> {
    if (this.#handlers.size === 0) throw new Error("a worker needs at least one handler");
    const onSignal = (): void => this.stop();
    const signals = options.signals === false ? [] : (["SIGTERM", "SIGINT"] as const);
    for (const name of signals) process.on(name, onSignal);
    const beats = this.#beatLoop();
    try {
      this.#log("info", `worker ${this.workerId} works on ${[...this.#handlers.keys()].join(", ")}`);
      await this.#claimLoop();
      await this.#drain();
    } finally {
      this.#closed.abort();
      this.#news.abort();
      await beats;
      for (const name of signals) process.off(name, onSignal);
    }
  }

  /** Takes no new work; handlers may end within the grace. A second call: without grace. */
  stop(): void {
    if (this.#stopping.signal.aborted) this.#hurrying.abort();
    this.#stopping.abort();
  }

  /** Calls the handler as for a run, without a server; returns what would be reported. For tests. */
  tryOut(jobType: string, payload: unknown = null, facts: Partial<t.ClaimedRun> = {}): Promise<t.Completion> {
    const handler = this.#handlers.get(jobType);
    if (!handler) throw new Error(`there is no handler for ${jobType}`);
    return execute(handler, new Context({ ...SAMPLE, job_type: jobType, payload, ...facts }));
  }

  // ---- Claiming

  async #claimLoop(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      const free = this.#concurrency - this.#held.size;
      if (free <= 0) {
        await this.#change(signal);
        continue;
      }
      const request = {
        worker_id: this.workerId,
        job_types: [...this.#handlers.keys()],
        max_runs: Math.min(free, MOST_RUNS),
        lease_seconds: this.#lease,
        wait_seconds: this.#claimWait,
        ...this.#region,
      };
      const sent = performance.now();
      try {
        const runs = await this.#client.claimRuns(request, { signal });
        failures = 0;
        // The server may have waited before it granted a run; all other time since the question is the answer's way.
        for (const run of runs) void this.#work(run, sent + (run.waited_ms ?? 0));
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.#log("warn", `no runs can be claimed: ${words(error)}`);
        const pause = Math.min(0.25 * 2 ** Math.min(failures, 10), LONGEST_PAUSE);
        await sleep(1000 * pause * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  async #work(run: t.ClaimedRun, granted: number): Promise<void> {
    const context = new Context(run, this.#lease);
    const leaseUntil = Math.min(performance.now(), granted) + 1000 * this.#lease;
    const held: Held = { context, leaseUntil, told: 0, lost: false, reporting: false };
    context.notes.onNews = () => this.#news.abort();
    this.#held.add(held);
    try {
      if (!(await this.#makeSure(held))) return;
      const handler = this.#handlers.get(run.job_type);
      const report = handler && Number.isSafeInteger(run.fence) ? await execute(handler, context) : stoppedReport(context, "not for this worker");
      if (held.reporting) return; // the worker ended meanwhile and gave the run back
      held.reporting = true;
      await this.#report(held, report);
    } finally {
      this.#held.delete(held);
      this.#tellChange();
    }
  }

  /** A run that was granted longer ago than a third of its lease may be somebody else's by now: it begins only after a heartbeat. */
  async #makeSure(held: Held): Promise<boolean> {
    while (!this.#isLost(held) && performance.now() >= held.leaseUntil - (2000 * this.#lease) / 3) {
      this.#log("warn", `run ${held.context.runId} (fence ${held.context.fence}) came late: a heartbeat goes first`);
      if (!(await this.#beatSome([held]))) await sleep(1000 * Math.min(1, this.#lease / 10), this.#closed.signal);
    }
    return !held.lost;
  }

  // ---- Reporting

  /** Repeats the report until it is answered, or the run belongs to somebody else. */
  async #report(held: Held, first: t.Completion): Promise<void> {
    const { runId, attempt } = held.context;
    let report = first;
    while (!this.#isLost(held) && !this.#closed.signal.aborted) {
      let answer: t.CompleteResult["answer"] = "RETRY";
      try {
        answer = (await this.#client.completeRuns({ runs: [report] }, { timeout: this.#lease }))[0]?.answer ?? "RETRY";
      } catch (error) {
        if (error instanceof Invalid) {
          if (report !== first) return this.#log("error", `run ${runId} cannot be reported: ${error.message}`);
          report = refusedReport(held.context, error.message);
          continue;
        }
        this.#log("warn", `run ${runId} is not reported yet: ${words(error)}`);
      }
      if (answer === "OK") return this.#log("info", `run ${runId} (attempt ${attempt}): ${report.status}`);
      if (answer === "FENCED") return this.#lose(held, "its report was answered FENCED");
      await sleep(1000 * Math.min(1, this.#lease / 10), this.#closed.signal);
    }
  }

  #isLost(held: Held): boolean {
    if (!held.lost && performance.now() >= held.leaseUntil) this.#lose(held, "no heartbeat was answered for the length of its lease");
    return held.lost;
  }

  #lose(held: Held, why: string): void {
    if (!held.lost) this.#log("warn", `run ${held.context.runId} (fence ${held.context.fence}) is lost: ${why}`);
    held.lost = true;
    held.context.cancel("lease_lost");
  }

  // ---- Heartbeats

  async #beatLoop(): Promise<void> {
    let pause = this.#lease / 3;
    for (;;) {
      await sleep(1000 * this.#untilDeadline(pause), this.#news.signal);
      if (this.#news.signal.aborted) {
        await sleep(1000 * Math.min(NEWS_EVERY, this.#lease / 6), this.#closed.signal);
        this.#news = new AbortController();
      }
      if (this.#closed.signal.aborted) return;
      pause = (await this.#beat()) ? this.#lease / 3 : Math.min(1, this.#lease / 10);
    }
  }

  #untilDeadline(pause: number): number {
    const open = [...this.#held].filter((held) => !held.context.signal.aborted);
    return Math.max(0, Math.min(pause, ...open.map((held) => held.context.remaining())));
  }

  /** Prolongs all leases; returns whether the server answered. */
  async #beat(): Promise<boolean> {
    const runs = [...this.#held].filter((held) => !held.lost);
    for (const held of runs) {
      if (held.context.remaining() <= 0) held.context.cancel("deadline");
    }
    let answered = true;
    for (let first = 0; first < runs.length; first += MOST_RUNS) {
      answered = (await this.#beatSome(runs.slice(first, first + MOST_RUNS))) && answered;
    }
    for (const held of runs) {
      if (!held.reporting) this.#isLost(held);
    }
    return answered;
  }

  async #beatSome(runs: Held[]): Promise<boolean> {
    const start = performance.now(); // the lease began no earlier
    const { beats, versions } = beatsOf(runs);
    let answers: t.HeartbeatResult[];
    try {
      const limits = { timeout: Math.max(1, this.#lease / 3), patience: 0 };
      answers = await this.#client.beatRuns({ runs: beats, lease_seconds: this.#lease }, limits);
    } catch (error) {
      this.#log("warn", `heartbeats are not answered: ${words(error)}`);
      return false;
    }
    if (runs.some(({ context }, index) => context.notes.version > (versions[index] ?? 0))) this.#news.abort(); // there is more to tell
    runs.forEach((held, index) => {
      const answer = answers[index]?.answer;
      held.told = versions[index] ?? 0;
      if (answer === "CANCEL") held.context.cancel("requested");
      if (answer === "CANCEL" || answer === "EXTENDED") held.leaseUntil = start + 1000 * this.#lease;
      // A run that has just ended is fenced too; its report will tell.
      if (answer === "FENCED" && !held.reporting) this.#lose(held, "its heartbeat was answered FENCED");
    });
    return true;
  }

  // ---- The end

  async #drain(): Promise<void> {
    this.#log("info", `worker ${this.workerId} stops; ${this.#held.size} runs in hand`);
    if (await this.#allEnd(this.#grace, this.#hurrying.signal)) return;
    for (const held of this.#held) held.context.cancel("stopping");
    if (await this.#allEnd(AFTER_CANCEL)) return;
    // The remaining handlers do not listen; others continue the runs.
    const stuck = [...this.#held].filter((held) => !held.reporting);
    for (const held of stuck) held.reporting = true;
    await Promise.all(stuck.map((held) => this.#report(held, stoppedReport(held.context))));
  }

  /** Waits, at most this long, until nothing is in hand; returns whether that is so. */
  async #allEnd(seconds: number, hurry?: AbortSignal): Promise<boolean> {
    const giveUp = performance.now() + 1000 * seconds;
    while (this.#held.size > 0 && performance.now() < giveUp && !hurry?.aborted) {
      await this.#change(hurry, giveUp - performance.now());
    }
    return this.#held.size === 0;
  }

  /** Waits until a run is out of our hands, the signal comes, or the time is over. */
  async #change(signal?: AbortSignal, milliseconds = 2 ** 30): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.#onChange.push(wake);
    signal?.addEventListener("abort", wake);
    if (!signal?.aborted) await sleep(milliseconds, woken.signal);
    signal?.removeEventListener("abort", wake);
    this.#onChange = this.#onChange.filter((each) => each !== wake);
  }

  #tellChange(): void {
    for (const wake of this.#onChange) wake();
  }
}

/** The beat of each run, and the version of its notes in it. At most what one call may hold: the rest follows next time. */
function beatsOf(runs: Held[]): { beats: t.Beat[]; versions: number[] } {
  const beats: t.Beat[] = [];
  const versions: number[] = [];
  let letters = 0;
  for (const { context, told } of runs) {
    const { version } = context.notes;
    const withNews = version > told && letters < MOST_LETTERS;
    const news = withNews ? context.notes.fields() : {};
    beats.push({ run_id: context.runId, fence: context.fence, ...news });
    versions.push(withNews ? version : told);
    letters += news.log?.length ?? 0;
  }
  return { beats, versions };
}

function words(error: unknown): string {
  return error instanceof Problem ? error.message : String(error);
}

function logToStderr(level: string, message: string): void {
  if (level !== "info") console.error(`belfry worker: ${message}`);
}

const SAMPLE: t.ClaimedRun = {
  run_id: "0".repeat(32),
  attempt_id: `${"0".repeat(32)}-1`,
  attempt: 1,
  fence: 1,
  idempotency_key: "0".repeat(32),
  traceparent: `00-${"0".repeat(31)}1-${"0".repeat(15)}1-00`,
  job_id: "0".repeat(16),
  job_name: "sample",
  job_type: "default",
  tenant_id: "default",
  scheduled_for: "2026-01-01T00:00:00Z",
  lease_until: "2026-01-01T00:00:30Z",
  deadline: "2026-01-01T00:05:00Z",
  stands_for: 1,
  waited_ms: 0,
  target: { kind: "WORKER" },
  payload: null,
};
