// Belfry from Node: a client of the REST API, a worker, and the check of webhooks. No dependencies.
export { Client, VERSION } from "./client.js";
export type { CallOptions, ClientOptions, Reply } from "./client.js";
export { Cancelled, Context, PermanentFailure, RetryLater } from "./context.js";
export type { CancelReason } from "./context.js";
export { Conflict, Invalid, NotFound, Problem, Refused, TimedOut, Unreachable } from "./errors.js";
export type { ProblemKind } from "./errors.js";
export type { ServerEvent } from "./events.js";
export type { Handler } from "./execution.js";
export { WebhookRefused, signWebhook, verifyWebhook } from "./webhook.js";
export type { RefusalReason, WebhookCall } from "./webhook.js";
export { Worker } from "./worker.js";
export type { WorkerOptions } from "./worker.js";
export type * as types from "./types.js";
