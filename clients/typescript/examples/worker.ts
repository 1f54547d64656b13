// A worker that greets. Try it beside `./dev run`, after `npm ci && npm run build`:
//   node clients/typescript/dist/examples/worker.js
//   build/belfry add greet --every 5s --type greet --payload '{"name": "you"}'
import { Client, PermanentFailure, Worker } from "../src/index.js";

const worker = new Worker(Client.fromEnv(), { log: (level, message) => console.error(level, message) });

worker.handle("greet", (run, payload) => {
  if (!payload?.name) throw new PermanentFailure("the payload has no name");
  console.log(`hello ${payload.name}, it is ${run.scheduledFor.toISOString()} (attempt ${run.attempt})`);
  return { greeted: payload.name };
});

await worker.run();
process.exit(0);
