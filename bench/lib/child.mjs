// A measurement in a process of its own: nothing that it leaves in memory touches the next one.
import './processes.mjs';

process.once('message', async ({ module, call, args, scene }) => {
  let reply;
  try {
    const measures = await import(module);
    reply = { value: await measures[call](scene, args) };
  } catch (error) {
    reply = { error: `${error?.stack ?? error}` };
  }
  process.send(reply, () => process.exit(0));
});
