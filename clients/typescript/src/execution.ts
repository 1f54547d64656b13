// One run in the hands of a handler, and the report of its end: no timers, no server.
import { inspect } from "node:util";

import { Cancelled, PermanentFailure, RetryLater, type Context } from "./context.js";
import type { Completion } from "./types.js";

/** What it returns is the run's result: any JSON, or nothing. */
export type Handler = (context: Context, payload: any) => unknown;

const LONGEST_ERROR = 60_000; // bytes; the server takes 64 KiB
const LONGEST_RETRY = 86_400;

/** Calls the handler; returns what to send with `completeRuns`. */
export async function execute(handler: Handler, context: Context): Promise<Completion> {
  try {
    const result: unknown = (await handler(context, context.payload)) ?? null;
    if (JSON.stringify(result) === undefined) throw new TypeError("the handler's result is not JSON");
    return { run_id: context.runId, fence: context.fence, status: "SUCCEEDED", result, ...context.notes.fields() };
  } catch (error) {
    if (error instanceof RetryLater) return failed(context, error.message, true, error.after);
    if (error instanceof PermanentFailure) return failed(context, error.message, false);
    if (error instanceof Cancelled || context.signal.aborted) return stoppedReport(context, words(error));
    logTrace(context, error);
    return failed(context, words(error));
  }
}

/** The end of a stopped attempt. Reported at once, so that others continue without waiting for the lease to end. */
export function stoppedReport(context: Context, why = ""): Completion {
  if (context.cancelReason === "stopping") { // nobody's fault, so no attempt is used up
    return { run_id: context.runId, fence: context.fence, status: "RETURNED", ...context.notes.fields() };
  }
  return failed(context, `stopped: ${context.cancelReason ?? (why || "by its handler")}`);
}

/** The server refused the result: it is too large, for example. It would refuse it again. */
export function refusedReport(context: Context, why: string): Completion {
  return failed(context, `the result was refused: ${why}`, false);
}

function failed(context: Context, error: string, retryable = true, after?: number): Completion {
  const cut = new TextDecoder().decode(Buffer.from(error).subarray(0, LONGEST_ERROR));
  const report: Completion = { run_id: context.runId, fence: context.fence, status: "FAILED", error: cut, retryable, ...context.notes.fields() };
  if (after !== undefined) report.retry_after_seconds = Math.min(Math.max(Math.ceil(after), 0), LONGEST_RETRY);
  return report;
}

/** Where it happened and what caused it, for the run's output. */
function logTrace(context: Context, error: unknown): void {
  for (const line of inspect(error).split("\n")) context.log(line);
}

function words(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
