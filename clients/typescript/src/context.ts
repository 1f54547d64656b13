// What a handler knows about its run, and the ways it can end other than by returning.
import { sleep } from "./http.js";
import { Notes } from "./notes.js";
import type * as t from "./types.js";

/** Thrown by a handler: trying again is useless. The run goes to the dead letters. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure";
}

/** Thrown by a handler: try again, but only after this many seconds (a day at most). */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  constructor(message: string, readonly after: number) {
    super(message);
  }
}

/** Thrown by `Context.check`: the handler should stop; nobody waits for its result. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

export type CancelReason = "requested" | "lease_lost" | "deadline" | "stopping";

/**
 * One attempt of a run, as its handler sees it. A run may be attempted more than once: check `idempotencyKey` (the same for all
 * attempts), or pass `fence` to the system that the work changes, so that it can refuse a lower one.
 */
export class Context {
  readonly runId: string;
  readonly attemptId: string;
  /** From 1. */
  readonly attempt: number;
  readonly fence: number;
  readonly idempotencyKey: string;
  readonly jobId: string;
  readonly jobName: string;
  readonly jobType: string;
  readonly tenantId: string;
  /** The attempt's place in the run's trace (W3C Trace Context), to be handed on. */
  readonly traceparent: string;
  readonly scheduledFor: Date;
  /** Missed ticks that the run stands for, including its own. */
  readonly standsFor: number;
  readonly target: t.Target;
  readonly payload: unknown;
  /** When the attempt times out, by the server's clock. */
  readonly deadline: Date;
  readonly notes = new Notes();
  readonly #ends: number;
  readonly #controller = new AbortController();
  #reason: CancelReason | undefined;

  constructor(run: t.ClaimedRun, leaseSeconds = 30) {
    this.runId = run.run_id;
    this.attemptId = run.attempt_id;
    this.attempt = run.attempt;
    this.fence = run.fence;
    this.idempotencyKey = run.idempotency_key;
    this.traceparent = run.traceparent;
    this.jobId = run.job_id;
    this.jobName = run.job_name;
    this.jobType = run.job_type;
    this.tenantId = run.tenant_id;
    this.scheduledFor = new Date(run.scheduled_for);
    this.standsFor = run.stands_for;
    this.target = run.target;
    this.payload = run.payload;
    this.deadline = new Date(run.deadline);
    // Our clock may differ from the server's, so only lengths of time are taken from it.
    const granted = new Date(run.lease_until).getTime() - 1000 * leaseSeconds;
    this.#ends = performance.now() + this.deadline.getTime() - granted;
  }

  /** Aborts when the handler should stop; pass it to fetch and the like. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get cancelReason(): CancelReason | undefined {
    return this.#reason;
  }

  /** Adds a line to the run's output, which others see while it runs. */
  log(line: string): void {
    this.notes.log(line);
  }

  /** Says how far the work is; a total of 0 means unknown. */
  progress(done: number, total = 0): void {
    this.notes.progress(done, total);
  }

  /** Seconds until the attempt times out; negative once it has. */
  remaining(): number {
    return (this.#ends - performance.now()) / 1000;
  }

  /** Throws Cancelled once the handler should stop: the run was cancelled, its time or lease is over, or the worker ends. */
  check(): void {
    if (this.#reason) throw new Cancelled(this.#reason);
  }

  /** Waits; throws Cancelled as soon as the handler should stop. */
  async wait(seconds: number): Promise<void> {
    await sleep(1000 * seconds, this.signal);
    this.check();
  }

  /** For the worker to call; the first reason stays. */
  cancel(reason: CancelReason): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller.abort(new Cancelled(reason));
  }
}
