// The client against a server that answers as a test tells it to.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { inspect } from "node:util";

import { Client, Conflict, Invalid, NotFound, Refused, TimedOut, Unreachable, type ClientOptions } from "../src/index.js";
import { jobPath, runPath } from "../src/paths.js";

type Say = (response: ServerResponse) => void;
interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
}
const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

async function serve(...answers: Say[]): Promise<{ url: string; requests: Seen[] }> {
  const requests: Seen[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    const say = answers.length > 1 ? answers.shift() : answers[0];
    request.resume().on("end", () => say?.(response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function says(status: number, body: unknown, headers: Record<string, string> = {}): Say {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return (response) => response.writeHead(status, { "Content-Type": type, Connection: "close", ...headers }).end(JSON.stringify(body));
}

function streams(...lines: string[]): Say {
  return (response) => response.writeHead(200, { "Content-Type": "text/event-stream", Connection: "close" }).end(lines.join("\n") + "\n");
}

const hangsUp: Say = (response) => response.socket?.destroy();

async function pair(options: ClientOptions, ...answers: Say[]): Promise<{ client: Client; requests: Seen[] }> {
  const { url, requests } = await serve(...answers);
  return { client: new Client({ server: url, ...options }), requests };
}

test("says who it is and tells nobody else", async () => {
  const { client, requests } = await pair({ token: "bf_secret", tenant: "acme" }, says(200, {}));
  await client.getStats();
  assert.equal(requests[0]?.headers.authorization, "Bearer bf_secret");
  assert.equal(requests[0]?.headers["belfry-tenant"], "acme");
  assert.doesNotMatch(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client), /bf_secret/);
  assert.throws(() => new Client({ server: "http://user:bf_secret@host" }), (error: Error) => error instanceof Invalid && !error.message.includes("bf_secret"));
});

test("follows no redirect", async () => {
  const other = await serve(says(200, {}));
  const { client } = await pair({ token: "bf_secret" }, says(307, {}, { Location: other.url }));
  await assert.rejects(client.getStats(), Invalid);
  assert.deepEqual(other.requests, []);
});

test("names are encoded and ids are not names", () => {
  assert.equal(jobPath("0000000000012a3b"), "/jobs/0000000000012a3b");
  assert.equal(jobPath("name:0000000000012a3b"), "/jobs/name:0000000000012a3b");
  assert.equal(jobPath("a/b ?", "/next"), "/jobs/name:a%2Fb%20%3F/next");
  assert.equal(runPath("../jobs"), "/runs/..%2Fjobs");
  assert.throws(() => jobPath(""), Invalid);
});

test("waits for a server that says not now", async () => {
  const busy = says(503, { code: "busy" }, { "Retry-After": "0" });
  const { client, requests } = await pair({}, busy, busy, says(200, { runs: [] }));
  assert.deepEqual(await client.claimRuns({ worker_id: "w", job_types: ["t"] }), []);
  assert.equal(requests.length, 3);
  await assert.rejects((await pair({ patience: 0 }, busy)).client.getStats(), Unreachable);
});

test("repeats what may be repeated under the same key", async () => {
  const { client, requests } = await pair({}, hangsUp, says(201, { job_id: "1" }));
  await client.createJob({ job_name: "a" });
  const keys = requests.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(keys.length, 2);
  assert.ok(keys[0]);
  assert.equal(keys[0], keys[1]);
});

test("does not repeat a claim", async () => {
  const { client, requests } = await pair({}, hangsUp);
  await assert.rejects(client.claimRuns({ worker_id: "w", job_types: ["t"] }), TimedOut);
  assert.equal(requests.length, 1);
});

test("problems are told by kind", async () => {
  const kinds = [[401, Refused], [403, Refused], [404, NotFound], [409, Conflict], [412, Conflict], [422, Invalid], [504, TimedOut]] as const;
  for (const [status, kind] of kinds) {
    const { client } = await pair({ patience: 0 }, says(status, { code: "word", detail: "why", instance: "q-1" }));
    await assert.rejects(client.triggerJob("a"), (problem: Conflict) => {
      assert.ok(problem instanceof kind);
      assert.deepEqual([problem.status, problem.code, problem.message, problem.requestId], [status, "word", "why", "q-1"]);
      return true;
    });
  }
});

test("bad fields are told one by one", async () => {
  const errors = [{ pointer: "/every", code: "invalid", message: "is no duration", hint: "write 90s" }];
  const { client } = await pair({}, says(422, { code: "invalid", detail: "1 field", errors }));
  await assert.rejects(client.createJob({ job_name: "a" }), { message: "every: is no duration; write 90s" });
});

test("what is no Belfry is told so", async () => {
  const { client } = await pair({}, says(404, "<html>"));
  await assert.rejects(client.getStats(), /check its address/);
});

test("pages are read to the end even when one is empty", async () => {
  const pages = [{ items: [1, 2], next_cursor: "b" }, { items: [], next_cursor: "c" }, { items: [3], next_cursor: null }];
  const { client, requests } = await pair({}, ...pages.map((page) => says(200, page)));
  const seen = [];
  for await (const entry of client.listJobs({ label: ["a=1", "b=2"], page: 2 })) seen.push(entry);
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(requests[0]?.url, "/api/v1/jobs?label=a%3D1&label=b%3D2&limit=2");
  assert.match(requests[2]?.url ?? "", /cursor=c/);
});

test("events go on where they broke off", async () => {
  const first = streams(": welcome", "", "id: 1-1", "event: runs", 'data: {"a":', "data: 1}", "", "id: 1-2", "event: jobs");
  const { client, requests } = await pair({}, first, streams("what: is this", "id: 2-1", "event: jobs", "data: {}", ""));
  let opened = 0;
  const seen = [];
  for await (const event of client.events({ after: "0-1", onOpen: () => (opened += 1) })) {
    seen.push(event);
    if (seen.length === 2) break;
  }
  assert.deepEqual(seen, [{ id: "1-1", name: "runs", data: { a: 1 } }, { id: "2-1", name: "jobs", data: {} }]);
  assert.deepEqual(requests.map(({ headers }) => headers["last-event-id"]), ["0-1", "1-1"]);
  assert.equal(opened, 2);
});
