// The TypeScript client's worker, with a journal: node typescript_worker.mjs SETTINGS-AS-JSON
//
// SETTINGS are those of rest_worker; it stays with the first of the servers.
import { fdatasyncSync, openSync, writeSync } from "node:fs";

import { Client, Worker } from "../../clients/typescript/dist/src/index.js";

const settings = JSON.parse(process.argv[2] ?? "{}");
const journal = openSync(settings.journal, "a");

function note(event, facts) {
  writeSync(journal, JSON.stringify({ event, at: Math.floor((performance.timeOrigin + performance.now()) * 1000), ...facts }) + "\n");
  fdatasyncSync(journal);
}

async function effect(run) {
  try {
    const body = JSON.stringify({ run: run.runId, fence: run.fence, worker: settings.name });
    return (await fetch(settings.sink, { method: "POST", body })).ok;
  } catch {
    return null;
  }
}

const worker = new Worker(new Client({ server: settings.servers[0] }), {
  workerId: settings.name,
  lease: settings.lease,
  concurrency: settings.threads,
  log: () => undefined,
});

for (const kind of settings.types) {
  worker.handle(kind, async (run) => {
    const facts = { run: run.runId, fence: run.fence, worker: settings.name, job: run.jobName, attempt: run.attempt };
    note("begin", facts);
    try {
      await run.wait(Number(run.payload?.takes ?? 0));
      run.check();
    } catch (error) {
      note("gave_up", facts);
      throw error;
    }
    note("end", { ...facts, accepted: await effect(run) });
  });
}

await worker.run();
