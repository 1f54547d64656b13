// Runs clients/scenarios.json with the TypeScript client against a server: scenarios.js SCENARIOS SERVER [NAME-PART]
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

import { Client, Problem, WebhookRefused, verifyWebhook } from "../src/index.js";

const PATIENCE = 60_000; // milliseconds; a limit for broken tests

interface Parts {
  path: Record<string, string>;
  query?: any;
  body?: any;
  key?: string;
  version?: number;
  create_only?: boolean;
}
interface Step {
  do?: string;
  list?: string;
  watch?: Step[];
  with?: Parts;
  expect?: unknown;
  refused?: unknown;
  save?: Record<string, string>;
  within?: number;
  page?: number;
  after?: string;
  token?: string;
  server?: string;
}

const job = (w: Parts): string => w.path["job"] ?? "";
const run = (w: Parts): string => w.path["run"] ?? "";
const CALLS: Record<string, (c: Client, w: Parts) => Promise<unknown>> = {
  createJob: (c, w) => c.createJob(w.body, { idempotencyKey: w.key }),
  putJobs: (c, w) => c.putJobs(w.body),
  getJob: (c, w) => c.getJob(job(w)),
  putJob: (c, w) => c.putJob(job(w), w.body, { version: w.version, createOnly: w.create_only ?? false }),
  patchJob: (c, w) => c.patchJob(job(w), w.body, { version: w.version }),
  deleteJob: (c, w) => c.deleteJob(job(w)),
  pauseJob: (c, w) => c.pauseJob(job(w), w.body),
  resumeJob: (c, w) => c.resumeJob(job(w)),
  cancelJob: (c, w) => c.cancelJob(job(w)),
  triggerJob: (c, w) => c.triggerJob(job(w), w.body, { idempotencyKey: w.key }),
  backfillJob: (c, w) => c.backfillJob(job(w), w.body),
  explainJob: (c, w) => c.explainJob(job(w)),
  restoreRevision: (c, w) => c.restoreRevision(job(w), Number(w.path.version)),
  nextTicks: (c, w) => c.nextTicks(job(w), w.query),
  previewSchedule: (c, w) => c.previewSchedule(w.body),
  getRun: (c, w) => c.getRun(run(w)),
  getRunLog: (c, w) => c.getRunLog(run(w)),
  cancelRun: (c, w) => c.cancelRun(run(w)),
  unstickRun: (c, w) => c.unstickRun(run(w), w.body as { note?: string }),
  retryRun: (c, w) => c.retryRun(run(w)),
  claimRuns: (c, w) => c.claimRuns(w.body),
  beatRuns: (c, w) => c.beatRuns(w.body),
  completeRuns: (c, w) => c.completeRuns(w.body),
  getCluster: (c) => c.getCluster(),
  getForecast: (c, w) => c.getForecast(w.query),
  getForecastAdvice: (c, w) => c.getForecastAdvice(w.query),
  getStats: (c) => c.getStats(),
  getWorkers: (c) => c.getWorkers(),
  jobWarnings: (c, w) => c.jobWarnings(job(w)),
};
const LISTS: Record<string, (c: Client, w: Parts, page?: number) => AsyncIterable<unknown>> = {
  listJobs: (c, w, page) => c.listJobs({ ...w.query, page }),
  listRuns: (c, w, page) => c.listRuns({ ...w.query, page }),
  listJobRuns: (c, w, page) => c.listJobRuns(job(w), { ...w.query, page }),
  listRevisions: (c, w, page) => c.listRevisions(job(w), { page }),
  listJobTicks: (c, w, page) => c.listJobTicks(job(w), { ...w.query, page }),
};

class Mismatch extends Error {}

/** The value with each ${name} replaced; a text that is only a variable becomes its value. */
function fill(value: unknown, variables: Map<string, unknown>): unknown {
  const get = (name: string): unknown => {
    if (!variables.has(name)) throw new Error(`no variable ${name}`);
    return variables.get(name);
  };
  if (Array.isArray(value)) return value.map((each) => fill(each, variables));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, variables)]));
  }
  if (typeof value !== "string") return value;
  const whole = /^\$\{(\w+)\}$/.exec(value);
  return whole?.[1] ? get(whole[1]) : value.replace(/\$\{(\w+)\}/g, (_, name: string) => String(get(name)));
}

function match(expected: unknown, got: any, place = ""): void {
  const complain = (why: string): never => {
    throw new Mismatch(`${place || "/"}: ${why}; got ${JSON.stringify(got)}`);
  };
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) complain(`expected ${expected.length} entries`);
    expected.forEach((each, index) => match(each, got[index], `${place}/${index}`));
  } else if (typeof expected === "object" && expected !== null) {
    const entries = Object.entries(expected);
    const first = entries[0];
    if (entries.length === 1 && first?.[0].startsWith("$")) {
      if (!holds(first[0], first[1], got)) complain(`expected ${JSON.stringify(expected)}`);
      return;
    }
    if (typeof got !== "object" || got === null) complain("expected an object");
    for (const [name, each] of entries) match(each, got[name], `${place}/${name}`);
  } else if ((got ?? null) !== expected) {
    complain(`expected ${JSON.stringify(expected)}`);
  }
}

function holds(rule: string, wanted: any, got: any): boolean {
  switch (rule) {
    case "$any": return got !== undefined && got !== null;
    case "$none": return got === undefined || got === null;
    case "$more_than": return typeof got === "number" && got > wanted;
    case "$not": return !fits(wanted, got);
    case "$size": return Array.isArray(got) && got.length === wanted;
    case "$some": return Array.isArray(got) && got.some((each) => fits(wanted, each));
    default: throw new Error(`no rule ${rule}`);
  }
}

function fits(expected: unknown, got: unknown): boolean {
  try {
    match(expected, got);
    return true;
  } catch (error) {
    if (error instanceof Mismatch) return false;
    throw error;
  }
}

function pick(body: any, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce((each, part) => each[part], body);
}

class Runner {
  readonly #variables = new Map<string, unknown>([["id", `s-${randomUUID().slice(0, 13)}`]]);

  constructor(private readonly server: string) {}

  async step(step: Step): Promise<void> {
    const giveUp = performance.now() + 1000 * (step.within ?? 0);
    const { watch, ...rest } = step;
    const filled = fill(rest, this.#variables) as Step;
    let got: unknown;
    for (;;) {
      try {
        got = await this.#check(filled, watch);
        break;
      } catch (error) {
        if (!(error instanceof Mismatch) || performance.now() >= giveUp) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    for (const [name, pointer] of Object.entries(step.save ?? {})) this.#variables.set(name, pick(got, pointer));
  }

  async #check(step: Step, watched: Step[] | undefined): Promise<unknown> {
    const client = new Client({ server: step.server ?? this.server, token: step.token, patience: step.server ? 1 : 5 });
    if (watched) return this.#watch(client, step, watched);
    let got: unknown;
    try {
      got = await this.#ask(client, step);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const told = { kind: error.kind, code: error.code, fields: error.errors.map((each) => each.pointer) };
      if (step.refused === undefined) throw new Mismatch(`${JSON.stringify(told)}: ${error.message}`);
      match(step.refused, told);
      return undefined;
    }
    if (step.refused !== undefined) throw new Mismatch(`expected to be refused, got ${JSON.stringify(got)}`);
    if (step.expect !== undefined) match(step.expect, got);
    return got;
  }

  async #ask(client: Client, step: Step): Promise<unknown> {
    const parts = step.with ?? { path: {} };
    if (step.list === undefined) return CALLS[step.do ?? ""]!(client, parts);
    const entries = [];
    for await (const entry of LISTS[step.list]!(client, parts, step.page)) entries.push(entry);
    return entries;
  }

  /** Does the steps while it listens, until the event comes. */
  async #watch(client: Client, step: Step, watched: Step[]): Promise<unknown> {
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), PATIENCE);
    let done: Promise<void> | undefined;
    const onOpen = (): void => {
      done ??= watched.reduce((before, each) => before.then(() => this.step(each)), Promise.resolve());
      done.catch(() => ended.abort());
    };
    try {
      for await (const event of client.events({ after: step.after, signal: ended.signal, onOpen })) {
        if (fits(step.expect, event)) return event;
      }
    } finally {
      clearTimeout(timer);
      ended.abort();
      await done;
    }
    throw new Mismatch(`no such event: ${JSON.stringify(step.expect)}`);
  }
}

async function runScenario(server: string, scenario: { name: string; steps: Step[] }): Promise<boolean> {
  const runner = new Runner(server);
  for (const [index, step] of scenario.steps.entries()) {
    try {
      await runner.step(step);
    } catch (error) {
      const why = error instanceof Mismatch ? error.message : error instanceof Error ? error.stack : error;
      console.log(`FAILED  ${scenario.name}\n  step ${index + 1}: ${JSON.stringify(step).slice(0, 300)}\n  ${why}`);
      return false;
    }
  }
  console.log(`ok      ${scenario.name}`);
  return true;
}

/** Whether the verdict on a call is the expected one: a reason, or none. */
function runWebhook(vector: { name: string; headers: Record<string, string>; body: string; secrets: string[]; now: number; refused: string | null }): boolean {
  let verdict: string | null = null;
  try {
    verifyWebhook(vector.headers, vector.body, vector.secrets, { now: vector.now });
  } catch (error) {
    verdict = error instanceof WebhookRefused ? error.reason : String(error);
  }
  const good = verdict === vector.refused;
  console.log(`${good ? "ok    " : "FAILED"}  webhook: ${vector.name}${good ? "" : `: ${verdict}, expected ${vector.refused}`}`);
  return good;
}

const [file = "", server = "", part = ""] = process.argv.slice(2);
const all = JSON.parse(readFileSync(file, "utf8"));
const named = (each: { name: string }): boolean => each.name.includes(part);
const results: boolean[] = [];
for (const scenario of all.scenarios.filter(named)) results.push(await runScenario(server, scenario));
results.push(...all.webhooks.filter(named).map(runWebhook));
console.log(`${results.filter(Boolean).length} of ${results.length} passed`);
process.exit(results.length > 0 && results.every(Boolean) ? 0 : 1);
