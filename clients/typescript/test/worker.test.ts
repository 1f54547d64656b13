// The worker against a fake client, and handlers without any server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, Invalid, PermanentFailure, RetryLater, Unreachable, Worker, type Context, type Handler, type WorkerOptions, type types } from "../src/index.js";

const RUN: types.ClaimedRun = {
  run_id: "1".repeat(32), attempt_id: "1", attempt: 1, fence: 7, idempotency_key: "k", job_id: "1", job_name: "j", job_type: "t", tenant_id: "d",
  scheduled_for: "2026-01-01T00:00:00Z", lease_until: "2026-01-01T00:00:30Z", deadline: "2026-01-01T00:05:00Z", stands_for: 1, target: { kind: "WORKER" }, payload: "p",
  traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-00`, waited_ms: 0,
};

/** Hands out one run; answers as a test says. */
class FakeClient extends Client {
  readonly reports: types.Completion[] = [];
  beaten = 0;
  late = 0; // milliseconds that the answer to the claim takes
  onReport: () => void = () => undefined;
  #claims = 0;

  constructor(private readonly beats: "EXTENDED" | "FENCED" | "CANCEL" | "down", private readonly ends: ("OK" | "RETRY" | Error)[] = ["OK"]) {
    super();
  }

  readonly regions = new Set<string | undefined>();

  override async claimRuns(request: types.ClaimRequest): Promise<types.ClaimedRun[]> {
    this.#claims += 1;
    this.regions.add(request.region);
    if (this.#claims === 1) {
      if (this.late > 0) await new Promise((resolve) => setTimeout(resolve, this.late));
      return [RUN];
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    return [];
  }

  override async beatRuns(request: types.HeartbeatRequest): Promise<types.HeartbeatResult[]> {
    const { beats } = this;
    this.beaten += 1;
    if (beats === "down") throw new Unreachable("down");
    return request.runs.map(({ run_id }) => ({ run_id, answer: beats }));
  }

  override async completeRuns(request: types.CompleteRequest): Promise<types.CompleteResult[]> {
    this.reports.push(...request.runs);
    const end = (this.ends.length > 1 ? this.ends.shift() : this.ends[0]) ?? "OK";
    if (end instanceof Error) throw end;
    if (end === "OK") this.onReport();
    return request.runs.map(({ run_id }) => ({ run_id, answer: end }));
  }
}

async function report(handler: Handler, payload: unknown = null, facts: Partial<types.ClaimedRun> = {}): Promise<object> {
  const { run_id, fence, ...rest } = await new Worker(new Client()).handle("t", handler).tryOut("t", payload, facts);
  assert.deepEqual([run_id, fence], ["0".repeat(32), 1]);
  return rest;
}

const throws = (error: unknown): Handler => () => {
  throw error;
};

/** Works until `end` is called. */
async function work(client: FakeClient, options: WorkerOptions, handler: (run: Context, end: () => void) => unknown): Promise<void> {
  const worker = new Worker(client, { log: () => undefined, ...options });
  worker.handle("t", (run) => handler(run, () => worker.stop()));
  client.onReport = () => worker.stop();
  await worker.run({ signals: false });
}

function cancelled(run: Context): Promise<void> {
  const anchor = setInterval(() => undefined, 1000);
  return new Promise((resolve) => run.signal.addEventListener("abort", () => (clearInterval(anchor), resolve())));
}

test("returning is success", async () => {
  assert.deepEqual(await report((run, payload) => [payload, run.attempt], 3, { attempt: 2 }), { status: "SUCCEEDED", result: [3, 2] });
  assert.deepEqual(await report(() => undefined), { status: "SUCCEEDED", result: null });
});

test("errors", async () => {
  const failed = { status: "FAILED", retryable: true };
  assert.deepEqual(await report(throws("text")), { ...failed, error: "text", log: "'text'\n" });
  assert.deepEqual(await report(throws(new PermanentFailure("no"))), { status: "FAILED", retryable: false, error: "no" });
  assert.deepEqual(await report(throws(new RetryLater("busy", 1.2))), { ...failed, error: "busy", retry_after_seconds: 2 });
  assert.equal((await report(throws(new RetryLater("never", 1e9))) as types.Completion).retry_after_seconds, 86400);
  assert.ok(Buffer.byteLength((await report(throws("ü".repeat(100_000))) as types.Completion).error ?? "") <= 65536);
  assert.equal((await report(() => () => undefined) as types.Completion).status, "FAILED");
});

test("stacks and causes reach the log", async () => {
  const cause = new RangeError("no such file");
  const { error, log = "" } = (await report(throws(new TypeError("no settings", { cause })))) as types.Completion;
  assert.equal(error, "TypeError: no settings");
  assert.match(log, /^TypeError: no settings\n +at .*worker\.test\.js/);
  assert.match(log, /\[cause\]: RangeError: no such file\n +at /);
  assert.equal(((await report(throws(new PermanentFailure("no")))) as types.Completion).log, undefined);
});

test("what is shown is reported, without the middle of too much", async () => {
  const chatty: Handler = (run) => {
    for (let number = 0; number < 10_000; ++number) run.log(`line ${number}`);
    run.progress(2, 3);
  };
  const { log = "", progress } = (await report(chatty)) as types.Completion;
  assert.ok(Buffer.byteLength(log) < 65536 && log.startsWith("line 0\n") && log.endsWith("line 9999\n"));
  assert.match(log, /lines left out/);
  assert.deepEqual(progress, { done: 2, total: 3 });
});

test("what is shown is what the server takes", async () => {
  const odd: Handler = (run) => {
    run.log(`${"x".repeat(1_999)}😀`); // cut in the middle of it
    run.log("\ud83d");
    run.progress(0.5, Number.NaN);
  };
  const { log = "", progress } = (await report(odd)) as types.Completion;
  assert.equal(Buffer.from(log).toString(), log);
  assert.deepEqual(progress, { done: 0, total: 0 });
});

test("a lost lease cancels and nothing is reported", async () => {
  for (const beats of ["FENCED", "down"] as const) {
    const client = new FakeClient(beats);
    let reason: unknown;
    await work(client, { lease: 1 }, async (run, end) => {
      await cancelled(run);
      reason = run.cancelReason;
      end();
      return "nobody wants it";
    });
    assert.deepEqual([reason, client.reports], ["lease_lost", []], beats);
  }
});

test("it says where it is if it was told", async () => {
  for (const [options, said] of [[{}, undefined], [{ region: "eu" }, "eu"]] as const) {
    const client = new FakeClient("EXTENDED");
    await work(client, options, () => undefined);
    assert.deepEqual([...client.regions], [said]);
  }
});

test("a run that comes late beats before it begins", async () => {
  const client = new FakeClient("EXTENDED");
  client.late = 1_050; // a third of the lease is a second
  let beaten = 0;
  await work(client, { lease: 3 }, () => {
    beaten = client.beaten;
  });
  assert.ok(beaten > 0 && client.reports.length === 1);
});

test("a run that comes late and is somebody else's does not begin", async () => {
  for (const beats of ["FENCED", "down"] as const) {
    const client = new FakeClient(beats);
    client.late = 1_050;
    let begun = 0;
    const worker = new Worker(client, { log: (_, message) => (/lost/.test(message) ? worker.stop() : undefined), lease: 3 });
    worker.handle("t", () => {
      begun += 1;
    });
    await worker.run({ signals: false });
    assert.deepEqual([begun, client.reports], [0, []], beats);
  }
});

test("a cancelled run is reported", async () => {
  const client = new FakeClient("CANCEL");
  await work(client, { lease: 9 }, async (run) => {
    await cancelled(run);
    run.check();
  });
  assert.deepEqual(client.reports.map(({ status, error }) => [status, error]), [["FAILED", "stopped: requested"]]);
});

test("a report is repeated until it is answered", async () => {
  const client = new FakeClient("EXTENDED", [new Unreachable("down"), "RETRY", "OK"]);
  await work(client, {}, (run) => run.payload);
  assert.deepEqual(client.reports.map(({ result }) => result), ["p", "p", "p"]);
});

test("a refused report is said in other words once", async () => {
  const client = new FakeClient("EXTENDED", [new Invalid("too large"), "OK"]);
  await work(client, {}, () => "result");
  assert.deepEqual(client.reports.map(({ status, retryable }) => [status, retryable]), [["SUCCEEDED", undefined], ["FAILED", false]]);
});

test("time left does not depend on our clock", async () => {
  let left = 0;
  await report((run) => (left = run.remaining())); // from January 2026, whatever day it is
  assert.ok(left > 200 && left <= 300);
});

test("bad settings are refused", async () => {
  for (const options of [{ lease: 0 }, { lease: 3601 }, { concurrency: 0 }, { claimWait: 61 }]) {
    assert.throws(() => new Worker(new Client(), options), RangeError);
  }
  await assert.rejects(new Worker(new Client()).run());
});
