// The worker that tests/clients/test_workers.py drives: e2e_worker.js '{"server": …, "worker_id": …, "prefix": …, "sink": …, …}'
//
// Each handler's type is the prefix and its name. Events are written to standard output, one JSON object per line.
import { existsSync, writeSync } from "node:fs";

import { Cancelled, Client, PermanentFailure, RetryLater, Worker, type Context } from "../src/index.js";

const settings = JSON.parse(process.argv[2] ?? "{}");
const client = new Client({ server: settings.server });
const worker = new Worker(client, {
  workerId: settings.worker_id,
  lease: settings.lease ?? 30,
  concurrency: settings.concurrency ?? 8,
  grace: settings.grace ?? 30,
  log: (_level, message) => tell("log", undefined, { message }),
});
let active = 0;

function tell(event: string, run?: Context, facts: object = {}): void {
  const known = run ? { run: run.runId, fence: run.fence, attempt: run.attempt } : {};
  writeSync(1, JSON.stringify({ event, ...facts, ...known }) + "\n");
}

function handler(name: string, work: (run: Context) => unknown): void {
  worker.handle(settings.prefix + name, (run) => {
    tell("started", run);
    return work(run);
  });
}

/** Changes something that checks fences; returns the status of the answer. */
async function effect(run: Context): Promise<number> {
  return (await fetch(settings.sink, { method: "POST", body: JSON.stringify({ fence: run.fence }) })).status;
}

handler("ok", (run) => ({ payload: run.payload }));

handler("fail", (run) => {
  throw new Error(`attempt ${run.attempt} failed`);
});

handler("permanent", () => {
  throw new PermanentFailure("no such customer");
});

handler("later", (run) => {
  if (run.attempt === 1) throw new RetryLater("busy", 1);
});

handler("large", () => "x".repeat(100_000));

handler("count", async (run) => {
  const seen = ++active;
  await run.wait(0.1);
  --active;
  return seen;
});

handler("long", async (run) => {
  await run.wait(Number(run.payload));
  return "done";
});

handler("gate", async (run) => {
  run.log("at the gate");
  run.progress(1, 2);
  while (!existsSync(String(run.payload))) await run.wait(0.05);
  run.log("through");
  return "passed";
});

// The first attempt runs until it is stopped, and then does not obey; later ones end well.
handler("hold", async (run) => {
  if (run.attempt > 1) return { by: worker.workerId, effect: await effect(run) };
  const anchor = setInterval(() => undefined, 1000); // an abort event alone does not keep the process alive
  await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
  clearInterval(anchor);
  tell("cancelled", run, { reason: run.cancelReason });
  if (run.cancelReason === "lease_lost") {
    const report = { run_id: run.runId, fence: run.fence, status: "SUCCEEDED" as const, result: "too late" };
    const [answer] = await client.completeRuns({ runs: [report] });
    tell("late", run, { answer: answer?.answer, effect: await effect(run) });
  }
  throw new Cancelled(run.cancelReason);
});

await worker.run();
tell("ended");
