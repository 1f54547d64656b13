// Moments in milliseconds since 1970, with fractions.
export const now = () => performance.timeOrigin + performance.now();
export const sleep = (ms) => new Promise((done) => setTimeout(done, Math.max(0, ms)));
export const sleepUntil = (moment) => sleep(moment - now());
export const wholeSecondAfter = (moment) => Math.ceil(moment / 1000) * 1000;

// Looks every `pause` ms until `look` answers something true, and returns it.
export async function waitFor(what, look, { limit = 120_000, pause = 20 } = {}) {
  const end = now() + limit;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (now() > end) throw new Error(`${what}: not within ${Math.round(limit / 1000)} s`);
    await sleep(pause);
  }
}
