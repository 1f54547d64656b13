// Checks that a call really comes from your Belfry server: Standard Webhooks 1.0 signatures.
import { createHmac, timingSafeEqual } from "node:crypto";

/** Seconds a timestamp may be off, either way. */
export const TOLERANCE = 300;
const PREFIX = "whsec_";

export type RefusalReason = "missing_header" | "bad_timestamp" | "bad_signature";

/** The call cannot be trusted: answer 401 and do nothing. */
export class WebhookRefused extends Error {
  constructor(readonly reason: RefusalReason, detail: string) {
    super(detail);
    this.name = "WebhookRefused";
  }
}

/** A verified call. */
export interface WebhookCall {
  /** The run's id: the idempotency key, the same for all attempts. */
  id: string;
  /** When it was sent, seconds since 1970. */
  timestamp: number;
  body: Buffer;
  /** Which attempt of the run. */
  attempt: number | undefined;
  /** Refuse a call with a lower one than you have seen for this job. */
  fence: number | undefined;
  /** The tick, RFC 3339. */
  scheduledFor: string | undefined;
}

export type HeaderSource = Record<string, string | string[] | undefined> | Iterable<[string, string]>;

export interface VerifyOptions {
  tolerance?: number;
  /** Seconds since 1970, for tests. */
  now?: number;
}

/**
 * Returns the call if one of the secrets signed it, just now; throws WebhookRefused otherwise. `body` must be as it came, not
 * parsed and written again. Give several secrets while you change them.
 */
export function verifyWebhook(headers: HeaderSource, body: string | Uint8Array, secret: string | readonly string[], options: VerifyOptions = {}): WebhookCall {
  const found = lowered(headers);
  const id = found.get("webhook-id");
  const stamp = found.get("webhook-timestamp");
  const signatures = found.get("webhook-signature");
  if (!id || !stamp || !signatures) {
    throw new WebhookRefused("missing_header", "webhook-id, webhook-timestamp and webhook-signature are needed");
  }
  if (!/^[0-9]{1,12}$/.test(stamp)) throw new WebhookRefused("bad_timestamp", "webhook-timestamp is not a number of seconds");
  const raw = Buffer.from(body as Uint8Array);
  const signed = Buffer.concat([Buffer.from(`${id}.${stamp}.`), raw]);
  const keys = (typeof secret === "string" ? [secret] : secret).map(keyOf);
  if (!isSigned(signed, signatures, keys)) throw new WebhookRefused("bad_signature", "no signature fits the body and the secret");
  const age = Math.abs((options.now ?? Date.now() / 1000) - Number(stamp));
  if (age > (options.tolerance ?? TOLERANCE)) {
    throw new WebhookRefused("bad_timestamp", `webhook-timestamp is ${Math.round(age)} s off; a replay, or a wrong clock`);
  }
  const scheduledFor = found.get("belfry-scheduled-for");
  return { id, timestamp: Number(stamp), body: raw, attempt: numberOf(found.get("belfry-attempt")), fence: numberOf(found.get("belfry-fence")), scheduledFor };
}

/** The signature of a call, for tests of your receiver. */
export function signWebhook(secret: string, id: string, timestamp: number, body: string | Uint8Array): string {
  return "v1," + mac(keyOf(secret), Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body as Uint8Array)]));
}

function mac(key: Buffer, signed: Buffer): string {
  return createHmac("sha256", key).update(signed).digest("base64");
}

/** Checks all of them, so that the time it takes reveals nothing. */
function isSigned(signed: Buffer, signatures: string, keys: Buffer[]): boolean {
  let good = false;
  for (const each of signatures.split(" ")) {
    const comma = each.indexOf(",");
    if (comma < 0 || each.slice(0, comma) !== "v1") continue;
    const given = Buffer.from(each.slice(comma + 1));
    for (const key of keys) {
      const right = Buffer.from(mac(key, signed));
      if (given.length === right.length && timingSafeEqual(given, right)) good = true;
    }
  }
  return good;
}

/** `whsec_` and base64, as Standard Webhooks has it; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  if (!secret) throw new TypeError("the secret of the webhook is empty; is the setting that holds it missing?");
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret);
  const text = secret.slice(PREFIX.length);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new TypeError("what follows `whsec_` in the secret is not base64");
  }
  return Buffer.from(text, "base64");
}

function lowered(headers: HeaderSource): Map<string, string> {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const found = new Map<string, string>();
  for (const [name, value] of entries) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) found.set(name.toLowerCase(), text);
  }
  return found;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined;
}
