// What can go wrong with a call. One class for each kind of trouble that a program handles differently; `code` is the
// server's stable word for it.
import type { FieldError, Problem as ProblemBody } from "./types.js";

export type ProblemKind = "failed" | "invalid" | "not_found" | "conflict" | "refused" | "unreachable" | "timed_out";

export interface ProblemFacts {
  status?: number;
  code?: string;
  title?: string;
  errors?: FieldError[];
  requestId?: string;
  retryAfter?: number;
  cause?: unknown;
}

/** Why a request to a server failed. Thrown as one of the classes below. */
export class Problem extends Error {
  readonly kind: ProblemKind = "failed";
  /** 0: no answer came. */
  readonly status: number;
  /** Empty: the server gave none, or is not a Belfry server. */
  readonly code: string;
  readonly title: string;
  readonly errors: readonly FieldError[];
  /** For the server's logs. */
  readonly requestId: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(detail: string, facts: ProblemFacts = {}) {
    super(facts.errors?.length ? facts.errors.map(words).join("; ") : detail, { cause: facts.cause });
    this.name = new.target.name;
    this.status = facts.status ?? 0;
    this.code = facts.code ?? "";
    this.title = facts.title ?? "";
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId ?? "";
    this.retryAfter = facts.retryAfter;
  }
}

/** The same call will be refused again; `errors` names each bad field. */
export class Invalid extends Problem {
  override readonly kind = "invalid";
}

/** There is no such thing, or it is somebody else's. */
export class NotFound extends Problem {
  override readonly kind = "not_found";
}

/** It contradicts what is there: a name is taken, a version is outdated, a run is over. */
export class Conflict extends Problem {
  override readonly kind = "conflict";
}

/** The key, its scope or a limit does not allow it. */
export class Refused extends Problem {
  override readonly kind = "refused";
}

/** No server answered, or it cannot serve just now; nothing was changed. */
export class Unreachable extends Problem {
  override readonly kind = "unreachable";
}

/** No answer in time: it may or may not have been done. */
export class TimedOut extends Problem {
  override readonly kind = "timed_out";
}

function words(error: FieldError): string {
  const place = error.parameter ?? error.header ?? (error.pointer ?? "").replace(/^\//, "");
  const text = place ? `${place}: ${error.message}` : error.message;
  return error.hint ? `${text}; ${error.hint}` : text;
}

const CLASSES: Record<number, typeof Problem> = {
  401: Refused, 403: Refused, 404: NotFound, 409: Conflict, 412: Conflict, 429: Refused, 504: TimedOut,
};

/** The problem in an answer of status 400 or above, even when the answer is not problem+json. */
export function problemOf(status: number, text: string, retryAfter?: number): Problem {
  const Kind = CLASSES[status] ?? (status < 500 ? Invalid : Unreachable);
  let told: Partial<ProblemBody> | null = null;
  try {
    told = JSON.parse(text) as Partial<ProblemBody> | null;
  } catch {
    // not how Belfry answers
  }
  if (typeof told !== "object" || told === null || !told.code) {
    return new Kind(`the server answered ${status}, and not as Belfry does: check its address`, { status });
  }
  return new Kind(told.detail || told.title || told.code, {
    status,
    code: told.code,
    title: told.title ?? "",
    errors: told.errors ?? [],
    requestId: told.instance ?? "",
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
