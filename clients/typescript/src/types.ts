// @generated from api/openapi.yaml by generate_types.py; change the document, not this file.

/** RFC 3339 with a zone, at most six digits of a fraction, between the years 1970 and 2199. */
export type Instant = string;

/** Whole numbers with the units d, h, m, s and ms, from large to small, each at most once: `90s`, `1h30m`. */
export type Duration = string;

/** The id of a job, 16 hex digits. */
export type JobId = string;

/** The id of a run, 32 hex digits, of which the first 16 are its job's. It stays the same over retries. */
export type RunId = string;

/** Grows with every grant of any run of the job; a caller with a lower one is refused. */
export type Fence = number;

/** The name of a tenant, which is also its id. */
export type TenantName = string;

/** `PAUSED` by a person; `CANCELLED` for good; `COMPLETED`: no tick is left. */
export type JobStatus = "ACTIVE" | "PAUSED" | "CANCELLED" | "COMPLETED";

/** Live: `READY` waits for a worker, `RUNNING` has one, `RETRYING` failed and waits for its next attempt. Over: `SUCCEEDED`, `DEAD` (attempts used up, or failed for good), `CANCELLED`. No run ends as `FAILED` or `TIMED_OUT`: these are how attempts end, and the run is then `RETRYING` or `DEAD`. */
export type RunState = "READY" | "RUNNING" | "RETRYING" | "SUCCEEDED" | "FAILED" | "DEAD" | "CANCELLED" | "TIMED_OUT";

/** Where a run comes from. */
export type RunOrigin = "SCHEDULE" | "MANUAL" | "BACKFILL" | "RETRY";

/** Why a tick got no run. Stable words. */
export type SkipReason = "paused" | "cancelled" | "calendar" | "out_of_bounds" | "dst_gap" | "misfire_expired" | "misfire_coalesced" | "misfire_skipped" | "misfire_limit" | "overlap" | "overlap_replaced" | "quota" | "schedule_changed" | "calendar_coalesced" | "commits_lost" | "restored";

/** What to send as `cursor` for the next page; null on the last. */
export type NextCursor = string | null;

/** An empty object. */
export type Nothing = Record<string, never>;

/** A job as it is. Sending it back unchanged changes nothing. */
export type Job = {
  /** Never changes. */
  job_id: JobId;
  /** The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other callers name their own or none. */
  tenant_id: TenantName;
  /** Unique within the tenant. One line, no blanks at its ends; up to 200 bytes. */
  job_name: string;
  /** The handler a worker subscribes to; also the name of the queue. One word. */
  job_type: string;
  /** The kind of schedule. If a request leaves it out, the other fields decide. */
  schedule_type: "CRON" | "EVERY" | "ONCE";
  /** With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H` spreads by the job's name. */
  cron_expression?: string;
  /** The IANA zone the expression is read in. */
  timezone: string;
  /** How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`. */
  dialect: "standard" | "quartz";
  /** A local time that the clocks jump over: run when the gap ends, or skip it. */
  dst_gap: "RUN_AFTER" | "SKIP";
  /** A local time that comes twice: run the first time, or both times. */
  dst_overlap: "FIRST" | "BOTH";
  /** With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970. */
  every?: Duration;
  /** With ONCE: when. */
  run_at?: Instant;
  /** No tick before this. */
  start_at?: Instant;
  /** No tick after this. */
  end_at?: Instant;
  /** Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many jobs spread. */
  jitter?: Duration;
  /** The name of a calendar; on its days and in its windows the job does not run. Empty is none. */
  calendar?: string;
  /** What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of them runs, and stands for the others. */
  calendar_policy: "SKIP" | "DELAY";
  /** Who executes the runs. */
  target: Target;
  /** Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written. */
  payload: unknown;
  /** How many attempts a run gets before it is dead. */
  max_attempts: number;
  /** How long to wait between attempts. */
  retry: Retry;
  /** How long one attempt may take, 100ms to 30d. */
  timeout: Duration;
  /** What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it cancels the others. `QUEUE_ONE`: one may wait. */
  concurrency_policy: "FORBID" | "ALLOW" | "REPLACE" | "QUEUE_ONE";
  /** With ALLOW: how many runs at once. 0 is no limit, and is left out of answers. */
  max_concurrent?: number;
  /** What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none. `FIRE_ALL`: each, up to `max_missed_firings`. */
  misfire_policy: "FIRE_ONCE" | "SKIP" | "FIRE_ALL";
  /** Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on time, but a second at least. */
  misfire_grace: Duration;
  /** With FIRE_ALL: how many missed ticks run at most. */
  max_missed_firings: number;
  /** A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d. */
  start_within: Duration;
  /** A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d. */
  stop_within: Duration;
  /** Among runs that are due, the one with the higher priority goes first. */
  priority: number;
  /** For filters. */
  labels: Labels;
  /** For people; up to 10,000 bytes. */
  description: string;
  /** The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise. The job stays where it was created; by default that is the region of the node that was asked. */
  home_region: string;
  /** Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait already keep what they were made with. */
  run_in: "home" | "any";
  /** Changed by pause, resume and cancel. */
  status: JobStatus;
  /** When it will run next, with the offset of its zone; null if never. Computed when read. */
  next_scheduled_run: Instant | null;
  /** Grows with each change; the ETag begins with it. */
  version: number;
  /** When it was created. */
  created_at: Instant;
  /** When it was changed last. */
  updated_at: Instant;
  /** Its last run that is over, by `scheduled_for`; null if there is none in the history. */
  last_run: LastRun | null;
  /** How many runs have failed since the last success. */
  failures_in_a_row: number;
  /** With status PAUSED: by whom, why, and until when. */
  paused?: Pause;
};

/** How a job's last run went. */
export type LastRun = {
  /** Its id. */
  run_id: RunId;
  /** How it ended. */
  state: RunState;
  /** Its tick; for a run by hand, when it was asked for. */
  scheduled_for: Instant;
  /** When its last attempt began, if one did. */
  started_at: Instant | null;
  /** When it ended. */
  finished_at: Instant;
  /** How long its last attempt took, if there was one. */
  duration: Duration | null;
  /** What went wrong, if something did. */
  error: string | null;
  /** The stable word that the error begins with, for programs; null where there is none. */
  code: string | null;
  /** Why it is a dead letter */
  reason: "attempts" | "permanent" | "not_started" | "unknown_handler" | "unstuck" | null;
};

/** A job as a list shows it, without target and payload. */
export type JobSummary = {
  /** Never changes. */
  job_id: JobId;
  /** The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other callers name their own or none. */
  tenant_id: TenantName;
  /** Unique within the tenant. One line, no blanks at its ends; up to 200 bytes. */
  job_name: string;
  /** The handler a worker subscribes to; also the name of the queue. One word. */
  job_type: string;
  /** The kind of schedule. If a request leaves it out, the other fields decide. */
  schedule_type: "CRON" | "EVERY" | "ONCE";
  /** With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H` spreads by the job's name. */
  cron_expression?: string;
  /** The IANA zone the expression is read in. */
  timezone: string;
  /** How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`. */
  dialect: "standard" | "quartz";
  /** A local time that the clocks jump over: run when the gap ends, or skip it. */
  dst_gap: "RUN_AFTER" | "SKIP";
  /** A local time that comes twice: run the first time, or both times. */
  dst_overlap: "FIRST" | "BOTH";
  /** With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970. */
  every?: Duration;
  /** With ONCE: when. */
  run_at?: Instant;
  /** No tick before this. */
  start_at?: Instant;
  /** No tick after this. */
  end_at?: Instant;
  /** Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many jobs spread. */
  jitter?: Duration;
  /** The name of a calendar; on its days and in its windows the job does not run. Empty is none. */
  calendar?: string;
  /** What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of them runs, and stands for the others. */
  calendar_policy: "SKIP" | "DELAY";
  /** How many attempts a run gets before it is dead. */
  max_attempts: number;
  /** How long to wait between attempts. */
  retry: Retry;
  /** How long one attempt may take, 100ms to 30d. */
  timeout: Duration;
  /** What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it cancels the others. `QUEUE_ONE`: one may wait. */
  concurrency_policy: "FORBID" | "ALLOW" | "REPLACE" | "QUEUE_ONE";
  /** With ALLOW: how many runs at once. 0 is no limit, and is left out of answers. */
  max_concurrent?: number;
  /** What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none. `FIRE_ALL`: each, up to `max_missed_firings`. */
  misfire_policy: "FIRE_ONCE" | "SKIP" | "FIRE_ALL";
  /** Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on time, but a second at least. */
  misfire_grace: Duration;
  /** With FIRE_ALL: how many missed ticks run at most. */
  max_missed_firings: number;
  /** Among runs that are due, the one with the higher priority goes first. */
  priority: number;
  /** A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d. */
  start_within: Duration;
  /** A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d. */
  stop_within: Duration;
  /** For filters. */
  labels: Labels;
  /** For people; up to 10,000 bytes. */
  description: string;
  /** The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise. The job stays where it was created; by default that is the region of the node that was asked. */
  home_region: string;
  /** Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait already keep what they were made with. */
  run_in: "home" | "any";
  /** Changed by pause, resume and cancel. */
  status: JobStatus;
  /** When it will run next, with the offset of its zone; null if never. Computed when read. */
  next_scheduled_run: Instant | null;
  /** Grows with each change; the ETag begins with it. */
  version: number;
  /** When it was created. */
  created_at: Instant;
  /** When it was changed last. */
  updated_at: Instant;
  /** Its last run that is over, by `scheduled_for`; null if there is none in the history. */
  last_run: LastRun | null;
  /** How many runs have failed since the last success. */
  failures_in_a_row: number;
  /** With status PAUSED: by whom, why, and until when. */
  paused?: Pause;
};

/** A page of jobs. */
export type JobPage = {
  /** In the order of their names. */
  items: JobSummary[];
  next_cursor: NextCursor;
};

/** A job as a user writes it. It needs a schedule: `cron_expression`, `every`, `run_at` or `delay`. Fields that Belfry adds (job_id, status, …) are ignored, so that what was read can be sent back. */
export type JobDefinition = {
  /** Never changes. */
  job_id?: JobId;
  /** The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other callers name their own or none. */
  tenant_id?: TenantName;
  /** Unique within the tenant. One line, no blanks at its ends; up to 200 bytes. */
  job_name: string;
  /** The handler a worker subscribes to; also the name of the queue. One word. */
  job_type?: string;
  /** The kind of schedule. If a request leaves it out, the other fields decide. */
  schedule_type?: "CRON" | "EVERY" | "ONCE";
  /** With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H` spreads by the job's name. */
  cron_expression?: string;
  /** The IANA zone the expression is read in. */
  timezone?: string;
  /** How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`. */
  dialect?: "standard" | "quartz";
  /** A local time that the clocks jump over: run when the gap ends, or skip it. */
  dst_gap?: "RUN_AFTER" | "SKIP";
  /** A local time that comes twice: run the first time, or both times. */
  dst_overlap?: "FIRST" | "BOTH";
  /** With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970. */
  every?: Duration;
  /** With ONCE: when. */
  run_at?: Instant;
  /** No tick before this. */
  start_at?: Instant;
  /** No tick after this. */
  end_at?: Instant;
  /** Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many jobs spread. */
  jitter?: Duration;
  /** The name of a calendar; on its days and in its windows the job does not run. Empty is none. */
  calendar?: string;
  /** What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of them runs, and stands for the others. */
  calendar_policy?: "SKIP" | "DELAY";
  /** Who executes the runs. */
  target?: Target;
  /** Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written. */
  payload?: unknown;
  /** How many attempts a run gets before it is dead. */
  max_attempts?: number;
  /** How long to wait between attempts. */
  retry?: Retry;
  /** How long one attempt may take, 100ms to 30d. */
  timeout?: Duration;
  /** What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it cancels the others. `QUEUE_ONE`: one may wait. */
  concurrency_policy?: "FORBID" | "ALLOW" | "REPLACE" | "QUEUE_ONE";
  /** With ALLOW: how many runs at once. 0 is no limit, and is left out of answers. */
  max_concurrent?: number;
  /** What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none. `FIRE_ALL`: each, up to `max_missed_firings`. */
  misfire_policy?: "FIRE_ONCE" | "SKIP" | "FIRE_ALL";
  /** Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on time, but a second at least. */
  misfire_grace?: Duration;
  /** With FIRE_ALL: how many missed ticks run at most. */
  max_missed_firings?: number;
  /** A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d. */
  start_within?: Duration;
  /** A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d. */
  stop_within?: Duration;
  /** Among runs that are due, the one with the higher priority goes first. */
  priority?: number;
  /** For filters. */
  labels?: Labels;
  /** For people; up to 10,000 bytes. */
  description?: string;
  /** The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise. The job stays where it was created; by default that is the region of the node that was asked. */
  home_region?: string;
  /** Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait already keep what they were made with. */
  run_in?: "home" | "any";
  /** Changed by pause, resume and cancel. */
  status?: JobStatus;
  /** When it will run next, with the offset of its zone; null if never. Computed when read. */
  next_scheduled_run?: Instant | null;
  /** Grows with each change; the ETag begins with it. */
  version?: number;
  /** When it was created. */
  created_at?: Instant;
  /** When it was changed last. */
  updated_at?: Instant;
  /** Its last run that is over, by `scheduled_for`; null if there is none in the history. */
  last_run?: LastRun | null;
  /** How many runs have failed since the last success. */
  failures_in_a_row?: number;
  /** With status PAUSED: by whom, why, and until when. */
  paused?: Pause;
  /** With ONCE, instead of `run_at`: how long from now, up to 3660d. */
  delay?: Duration;
  /** Short for `"target": {"kind": "HTTP", "url": …}`. */
  handler_url?: string;
  /** `true` is short for `"concurrency_policy": "ALLOW"`. */
  allow_overlap?: boolean;
};

/** A job as a user writes it, under the name that the path gives. */
export type JobReplacement = {
  /** Never changes. */
  job_id?: JobId;
  /** The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other callers name their own or none. */
  tenant_id?: TenantName;
  /** Unique within the tenant. One line, no blanks at its ends; up to 200 bytes. */
  job_name?: string;
  /** The handler a worker subscribes to; also the name of the queue. One word. */
  job_type?: string;
  /** The kind of schedule. If a request leaves it out, the other fields decide. */
  schedule_type?: "CRON" | "EVERY" | "ONCE";
  /** With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H` spreads by the job's name. */
  cron_expression?: string;
  /** The IANA zone the expression is read in. */
  timezone?: string;
  /** How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`. */
  dialect?: "standard" | "quartz";
  /** A local time that the clocks jump over: run when the gap ends, or skip it. */
  dst_gap?: "RUN_AFTER" | "SKIP";
  /** A local time that comes twice: run the first time, or both times. */
  dst_overlap?: "FIRST" | "BOTH";
  /** With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970. */
  every?: Duration;
  /** With ONCE: when. */
  run_at?: Instant;
  /** No tick before this. */
  start_at?: Instant;
  /** No tick after this. */
  end_at?: Instant;
  /** Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many jobs spread. */
  jitter?: Duration;
  /** The name of a calendar; on its days and in its windows the job does not run. Empty is none. */
  calendar?: string;
  /** What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of them runs, and stands for the others. */
  calendar_policy?: "SKIP" | "DELAY";
  /** Who executes the runs. */
  target?: Target;
  /** Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written. */
  payload?: unknown;
  /** How many attempts a run gets before it is dead. */
  max_attempts?: number;
  /** How long to wait between attempts. */
  retry?: Retry;
  /** How long one attempt may take, 100ms to 30d. */
  timeout?: Duration;
  /** What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it cancels the others. `QUEUE_ONE`: one may wait. */
  concurrency_policy?: "FORBID" | "ALLOW" | "REPLACE" | "QUEUE_ONE";
  /** With ALLOW: how many runs at once. 0 is no limit, and is left out of answers. */
  max_concurrent?: number;
  /** What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none. `FIRE_ALL`: each, up to `max_missed_firings`. */
  misfire_policy?: "FIRE_ONCE" | "SKIP" | "FIRE_ALL";
  /** Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on time, but a second at least. */
  misfire_grace?: Duration;
  /** With FIRE_ALL: how many missed ticks run at most. */
  max_missed_firings?: number;
  /** A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d. */
  start_within?: Duration;
  /** A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d. */
  stop_within?: Duration;
  /** Among runs that are due, the one with the higher priority goes first. */
  priority?: number;
  /** For filters. */
  labels?: Labels;
  /** For people; up to 10,000 bytes. */
  description?: string;
  /** The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise. The job stays where it was created; by default that is the region of the node that was asked. */
  home_region?: string;
  /** Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait already keep what they were made with. */
  run_in?: "home" | "any";
  /** Changed by pause, resume and cancel. */
  status?: JobStatus;
  /** When it will run next, with the offset of its zone; null if never. Computed when read. */
  next_scheduled_run?: Instant | null;
  /** Grows with each change; the ETag begins with it. */
  version?: number;
  /** When it was created. */
  created_at?: Instant;
  /** When it was changed last. */
  updated_at?: Instant;
  /** Its last run that is over, by `scheduled_for`; null if there is none in the history. */
  last_run?: LastRun | null;
  /** How many runs have failed since the last success. */
  failures_in_a_row?: number;
  /** With status PAUSED: by whom, why, and until when. */
  paused?: Pause;
  /** With ONCE, instead of `run_at`: how long from now, up to 3660d. */
  delay?: Duration;
  /** Short for `"target": {"kind": "HTTP", "url": …}`. */
  handler_url?: string;
  /** `true` is short for `"concurrency_policy": "ALLOW"`. */
  allow_overlap?: boolean;
};

/** A job as it was from one change to the next. */
export type Revision = {
  /** Its number. */
  version: number;
  /** When the job became this. */
  created_at: Instant;
  /** The job's status then. */
  status: "ACTIVE" | "PAUSED" | "CANCELLED" | "COMPLETED" | "DELETED";
  /** The fields that differ from the version before; empty where none is known. */
  changed: string[];
  /** What it was; without labels and description if Belfry 0.1 wrote it. */
  definition: JobReplacement;
};

/** A page of revisions. */
export type RevisionPage = {
  /** The newest first. */
  items: Revision[];
  next_cursor: NextCursor;
};

/** Some fields of a job; null resets one to its default. Fields that Belfry adds are ignored. */
export type JobPatch = {
  /** Never changes. */
  job_id?: JobId;
  /** Changed by pause, resume and cancel. */
  status?: JobStatus;
  /** When it will run next, with the offset of its zone; null if never. Computed when read. */
  next_scheduled_run?: Instant | null;
  /** Grows with each change; the ETag begins with it. */
  version?: number;
  /** When it was created. */
  created_at?: Instant;
  /** When it was changed last. */
  updated_at?: Instant;
  /** Its last run that is over, by `scheduled_for`; null if there is none in the history. */
  last_run?: LastRun | null;
  /** How many runs have failed since the last success. */
  failures_in_a_row?: number;
  /** With status PAUSED: by whom, why, and until when. */
  paused?: Pause;
  /** The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other callers name their own or none. */
  tenant_id?: TenantName;
  /** Unique within the tenant. One line, no blanks at its ends; up to 200 bytes. */
  job_name?: string;
  /** The kind of schedule. If a request leaves it out, the other fields decide. */
  schedule_type?: "CRON" | "EVERY" | "ONCE";
  job_type?: string | null;
  cron_expression?: string | null;
  timezone?: string | null;
  dialect?: "standard" | "quartz" | null;
  dst_gap?: "RUN_AFTER" | "SKIP" | null;
  dst_overlap?: "FIRST" | "BOTH" | null;
  every?: Duration | null;
  run_at?: Instant | null;
  delay?: Duration | null;
  start_at?: Instant | null;
  end_at?: Instant | null;
  jitter?: Duration | null;
  calendar?: string | null;
  calendar_policy?: "SKIP" | "DELAY" | null;
  /** Merged into the present target, if the kind stays the same; null resets it to a worker. */
  target?: Record<string, unknown> | null;
  /** Short for `"target": {"kind": "HTTP", "url": …}`. */
  handler_url?: string;
  /** Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written. */
  payload?: unknown;
  max_attempts?: number | null;
  retry?: Retry | null;
  timeout?: Duration | null;
  concurrency_policy?: "FORBID" | "ALLOW" | "REPLACE" | "QUEUE_ONE" | null;
  max_concurrent?: number | null;
  /** `true` is short for `"concurrency_policy": "ALLOW"`. */
  allow_overlap?: boolean;
  misfire_policy?: "FIRE_ONCE" | "SKIP" | "FIRE_ALL" | null;
  misfire_grace?: Duration | null;
  max_missed_firings?: number | null;
  priority?: number | null;
  start_within?: Duration | null;
  stop_within?: Duration | null;
  /** Merged into the present labels; a label with null is removed. */
  labels?: Record<string, string | null> | null;
  description?: string | null;
  /** The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise. The job stays where it was created; by default that is the region of the node that was asked. */
  home_region?: string;
  run_in?: "home" | "any" | null;
};

/** Exponential backoff with full jitter: each wait is drawn between 0 and min(cap, base * 2^n). */
export type Retry = {
  /** The first wait at most, 1ms to 7d. */
  base?: Duration;
  /** Any wait at most, up to 7d, not below the base. */
  cap?: Duration;
};

/** Up to 64 names (one word of up to 100 bytes, without `=` and `,`) with values of up to 200 bytes. */
export type Labels = Record<string, string>;

/** Who paused a job, and why. */
export type Pause = {
  /** Who did it, as the audit names them. */
  by: string;
  /** What they said. */
  note: string;
  /** When it resumes by itself; null if somebody has to resume it. */
  until: Instant | null;
};

/** How to pause. */
export type PauseRequest = {
  /** Resume by itself then. Not in the past. */
  until?: Instant;
  /** Why, for others to read. */
  note?: string;
};

/** Who executes the runs of a job. */
export type Target = WorkerTarget | HttpTarget | TopicTarget | ExecTarget | CheckinTarget;

/** The work is done elsewhere and reports by a token (`/jobs/{job}/checkin`); silence is a failure. Other defaults: `max_attempts` is always 1, `misfire_policy` SKIP, `start_within` 1h, `timeout` 1h. */
export type CheckinTarget = {
  /** Always CHECKIN. */
  kind: "CHECKIN";
};

/** What is known of the work. All of it may be left out. */
export type CheckinReport = {
  /** The run that `start` answered with: its end is then safe to repeat. */
  run_id?: string;
  /** Of the command. */
  exit_code?: number;
  /** Its last lines: the log of the run; of a failure, the last line is in its error. */
  output?: string;
};

/** To which run the report belongs. */
export type CheckinAnswer = {
  /** `TAKEN`: by the run of a tick, or by the one that was started. `EARLY`: it is kept for a tick that is not decided yet (up to a minute away, but at most a quarter of the time between ticks). `EXTRA`: no tick is near, so it is a run of its own, of origin MANUAL. `AGAIN`: the run has started, or is over, already; nothing was changed. */
  fate: "TAKEN" | "EARLY" | "EXTRA" | "AGAIN";
  /** Null with `EARLY`. */
  run_id: string | null;
};

/** The token by which a job reports, without itself. */
export type Checkin = {
  /** When it was made. */
  created_at: Instant;
  /** By whom. */
  created_by: string;
};

/** A token that was just made. */
export type NewCheckin = {
  /** The token. It is not shown again. */
  token: string;
  /** Where to report: POST to it, or to `/start`, `/ok` and `/fail` below it. */
  path: string;
  /** When it was made. */
  created_at: Instant;
  /** By whom. */
  created_by: string;
};

/** A worker that claims runs of the job's type. */
export type WorkerTarget = {
  /** Always WORKER. */
  kind: "WORKER";
};

/** A call by Standard Webhooks. 2xx is success; 202 with `Belfry-Async: true` waits for `runs:complete`; 408, 425, 429 and 5xx are tried again; other answers are failures for good. */
export type HttpTarget = {
  /** Always HTTP. */
  kind: "HTTP";
  /** Where to call, http or https. What its query gives for a name such as `token` or `api_key` is a secret, shown as `********` like `secret`. */
  url: string;
  /** How to call. */
  method?: "POST" | "GET" | "PUT" | "PATCH" | "DELETE";
  /** Sent along. Belfry sets those that begin with `webhook-` or `belfry-`, `Idempotency-Key` and `traceparent` itself. Their values are secrets, shown as `********` like `secret`, but for Accept, Accept-Encoding, Accept-Language, Cache-Control, Content-Type, Prefer and User-Agent. */
  headers?: Record<string, string | SecretRef>;
  /** In place of `secret`: the name of a secret that is kept (`PUT /secrets/{secret}`). */
  secret_ref?: string;
  /** Signs the calls (`whsec_…`). Of several, with blanks between them, each signs. Shown as `********`; if that is sent back, the present one is kept. */
  secret?: string;
};

/** The name of a secret that is kept. */
export type SecretRef = {
  /** The secret's name. */
  secret_ref: string;
};

/** A message (CloudEvents 1.0) on a topic. */
export type TopicTarget = {
  /** Always TOPIC. */
  kind: "TOPIC";
  /** The name of a broker in the server's configuration. */
  broker: string;
  /** Where to publish. */
  topic: string;
};

/** A program, run by an exec worker. */
export type ExecTarget = {
  /** Always EXEC. */
  kind: "EXEC";
  /** The program and its arguments; no shell is involved. */
  command: string[];
};

/** Many jobs. */
export type JobBatch = {
  /** To create, or to replace by name. Each name once. */
  jobs: JobDefinition[];
  /** All or nothing; false keeps the good ones. */
  atomic?: boolean;
  /** Jobs that are created start paused. */
  paused?: boolean;
  /** Check everything, say what would be done or what is wrong, and change nothing. */
  dry_run?: boolean;
};

/** What became of a batch. */
export type JobBatchResult = {
  /** How many were created. */
  created: number;
  /** How many were replaced. */
  replaced: number;
  /** How many were already defined just like this. */
  unchanged: number;
  /** How many an earlier request with the same Idempotency-Key had created or replaced. */
  repeated: number;
  /** How many were refused. */
  refused: number;
  /** Whether all of it is only what would be done. */
  dry_run: boolean;
  /** For each job of the request, in its order. */
  items: JobBatchItem[];
};

/** What became of one job of a batch. */
export type JobBatchItem = RegisteredJob | PlannedJob | RefusedJob;

/** A job of a dry run. */
export type PlannedJob = {
  /** What would be done with it. */
  outcome: "CREATED" | "REPLACED" | "UNCHANGED";
  /** Its name. */
  job_name: string;
};

/** A job of a batch that is there now. */
export type RegisteredJob = {
  /** What was done with it. */
  outcome: "CREATED" | "REPLACED" | "UNCHANGED" | "REPEATED";
  /** Its id. */
  job_id: JobId;
  /** Its name. */
  job_name: string;
  /** Its version now. */
  version: number;
};

/** A job of a batch that was refused. */
export type RefusedJob = {
  /** Always REFUSED. */
  outcome: "REFUSED";
  /** What is wrong with it. */
  errors: FieldError[];
};

/** How to run a job now. */
export type TriggerRequest = {
  /** Any JSON, up to 64 KiB, instead of the job's payload. */
  payload?: unknown;
};

/** Which ticks to make up for. */
export type BackfillRequest = {
  /** The first instant. */
  from: Instant;
  /** The last instant, included; not before `from`. */
  to: Instant;
  /** Only say what would be done. */
  dry_run?: boolean;
};

/** What became of each tick of the window, or would. */
export type BackfillReport = {
  /** Whether nothing was written. */
  dry_run: boolean;
  /** How many ticks the schedule has there. */
  ticks: number;
  /** How many got a run. */
  created: number;
  /** How many a calendar or a clock change leaves out. */
  excluded: number;
  /** How many the schedule itself will still decide. */
  undecided: number;
  /** Those that have a run already; to run one again, retry it. */
  existing: ExistingRun[];
};

/** A run that exists. */
export type ExistingRun = {
  /** Its id. */
  run_id: RunId;
  /** Its tick. */
  scheduled_for: Instant;
};

/** What becomes of the waiting runs of a job that is stopped: `keep` lets them run, `cancel` cancels them. */
export type ReadyRuns = "keep" | "cancel";

/** How to cancel a job. */
export type CancelRequest = {
  /** What becomes of its runs that wait. */
  ready_runs?: ReadyRuns;
};

/** The jobs that match all of it. All jobs are meant only by `{"all":true}`. */
export type JobSelector = {
  /** Each `name=value`, `name!=value` (jobs without the label, too) or `name in (one,two)`. */
  labels?: string[];
  /** The beginning of the name. */
  name_prefix?: string;
  /** A part of the name; ASCII letters match in either case. */
  name_contains?: string;
  /** The status. */
  status?: "ACTIVE" | "PAUSED" | "CANCELLED" | "COMPLETED";
  /** The type. */
  job_type?: string;
  /** Only jobs whose last run failed. */
  failing?: boolean;
  /** Every job; needed where nothing else is given. */
  all?: boolean;
};

/** What to do to which jobs. */
export type JobsBulk = {
  /** What to do. */
  action: "pause" | "resume" | "cancel" | "delete" | "trigger" | "label";
  /** To which jobs. */
  selector: JobSelector;
  /** With `pause`: when the jobs resume by themselves. */
  until?: Instant;
  /** With `label`: labels to give. */
  set?: Record<string, string>;
  /** With `label`: names of labels to take away. */
  remove?: string[];
  /** With `cancel` and `delete`: what becomes of runs that wait. */
  ready_runs?: ReadyRuns;
  /** Why; kept in the audit of each job. */
  note?: string;
  /** Only say how many jobs match. */
  dry_run?: boolean;
};

/** What to do to which runs. */
export type RunsBulk = {
  /** What to do: cancel runs that live, retry those that are over. */
  action: "cancel" | "retry";
  /** To which runs. */
  selector: RunSelector;
  /** Why. */
  note?: string;
  /** Only say how many runs match. */
  dry_run?: boolean;
};

/** The runs that match all of it. */
export type RunSelector = {
  /** Their state. */
  state: "READY" | "RUNNING" | "RETRYING" | "SUCCEEDED" | "FAILED" | "DEAD" | "CANCELLED" | "TIMED_OUT";
  /** Only runs of this job. */
  job_id?: string;
  /** Not earlier: `scheduled_for` of live runs and of a job's, else `finished_at`. */
  from?: Instant;
  /** Earlier than this. */
  to?: Instant;
};

/** How much a selector means. */
export type BulkTrial = {
  /** Always true. */
  dry_run: boolean;
  /** How many match now. */
  matched: number;
  /** Whether all were looked at; if not */
  exact: boolean;
  /** The first of them. */
  samples: {
    /** The job. */
    job_id?: JobId;
    /** The run. */
    run_id?: RunId;
    /** The job's name. */
    job_name: string;
  }[];
};

/** Work on many jobs or runs. */
export type Bulk = {
  /** Its id. */
  bulk_id: string;
  /** What it works on. */
  object: "jobs" | "runs";
  /** What is done. */
  action: "pause" | "resume" | "cancel" | "delete" | "trigger" | "label" | "retry";
  /** To which of them. */
  selector: Record<string, never>;
  /** What else was said: `until`, `set`, `remove`, `ready_runs`. */
  arguments: Record<string, never>;
  /** Whether it goes on. */
  state: "RUNNING" | "DONE" | "STOPPED";
  /** How many matched when it began. */
  total: number;
  /** Whether that is all; if not, there may be more. */
  exact: boolean;
  /** How many were changed. */
  done: number;
  /** How many were as wanted already or are not for this action. */
  skipped: number;
  /** How many could not be changed. */
  failed: number;
  /** Why the first of these could not. */
  error: string;
  /** Why it was asked for. */
  note: string;
  /** Who asked for it. */
  created_by: string;
  /** When it began. */
  created_at: Instant;
  /** When it ended, if it has. */
  finished_at: Instant | null;
};

/** A page of bulk work. */
export type BulkPage = {
  /** The newest first. */
  items: Bulk[];
  next_cursor: NextCursor;
};

/** A run. */
export type Run = {
  /** Its id. */
  run_id: RunId;
  /** Its job. */
  job_id: JobId;
  /** What the job was called. */
  job_name: string;
  /** The type its worker subscribes to. */
  job_type: string;
  /** The tenant of its job. */
  tenant_id: TenantName;
  /** Where it is in its life. */
  state: RunState;
  /** Where it comes from. */
  origin: RunOrigin;
  /** Its tick; for a run by hand, when it was asked for. */
  scheduled_for: Instant;
  /** When it was made. */
  decided_at: Instant;
  /** Of a live run: when it may be handed out. Otherwise null. */
  due_at: Instant | null;
  /** When its last attempt began, if one did. */
  started_at: Instant | null;
  /** When it was over, if it is. */
  finished_at: Instant | null;
  /** From the start of the last attempt to the end, if it is over. */
  duration: Duration | null;
  /** How many attempts began. */
  attempts: number;
  /** How many there may be. */
  max_attempts: number;
  /** Who has or had it last, if anybody. */
  worker: string | null;
  /** What its worker said it did: any JSON, null if nothing. */
  result: unknown;
  /** What went wrong last, if something did. */
  error: string | null;
  /** The stable word that the error begins with, for programs: `exit_3`, `signal_SIGKILL`, `status_503`, `timeout`, `refused`; null where there is none. */
  code: string | null;
  /** Why it is a dead letter: its attempts are used up, its worker said that trying again is useless, nobody started it in time (`start_within`), its worker does not know its type, or somebody took it from its worker. Null if it is none. */
  reason: "attempts" | "permanent" | "not_started" | "unknown_handler" | "unstuck" | null;
  /** The fence of its last attempt; 0 before the first. */
  fence: number;
  /** How many missed ticks it stands for, itself included. */
  stands_for: number;
  /** The version of the job it was made by. */
  job_version: number;
  /** Somebody cancelled it and its worker does not know yet. */
  cancel_requested: boolean;
  /** Of a running one: when its worker loses it, unless it beats before. */
  lease_until: Instant | null;
  /** Of a running one: when its attempt times out. */
  deadline: Instant | null;
};

/** A run with its payload and its attempts. */
export type RunDetail = {
  /** Its id. */
  run_id: RunId;
  /** Its job. */
  job_id: JobId;
  /** What the job was called. */
  job_name: string;
  /** The type its worker subscribes to. */
  job_type: string;
  /** The tenant of its job. */
  tenant_id: TenantName;
  /** Where it is in its life. */
  state: RunState;
  /** Where it comes from. */
  origin: RunOrigin;
  /** Its tick; for a run by hand, when it was asked for. */
  scheduled_for: Instant;
  /** When it was made. */
  decided_at: Instant;
  /** Of a live run: when it may be handed out. Otherwise null. */
  due_at: Instant | null;
  /** When its last attempt began, if one did. */
  started_at: Instant | null;
  /** When it was over, if it is. */
  finished_at: Instant | null;
  /** From the start of the last attempt to the end, if it is over. */
  duration: Duration | null;
  /** How many attempts began. */
  attempts: number;
  /** How many there may be. */
  max_attempts: number;
  /** Who has or had it last, if anybody. */
  worker: string | null;
  /** What its worker said it did: any JSON, null if nothing. */
  result: unknown;
  /** What went wrong last, if something did. */
  error: string | null;
  /** The stable word that the error begins with, for programs: `exit_3`, `signal_SIGKILL`, `status_503`, `timeout`, `refused`; null where there is none. */
  code: string | null;
  /** Why it is a dead letter: its attempts are used up, its worker said that trying again is useless, nobody started it in time (`start_within`), its worker does not know its type, or somebody took it from its worker. Null if it is none. */
  reason: "attempts" | "permanent" | "not_started" | "unknown_handler" | "unstuck" | null;
  /** The fence of its last attempt; 0 before the first. */
  fence: number;
  /** How many missed ticks it stands for, itself included. */
  stands_for: number;
  /** The version of the job it was made by. */
  job_version: number;
  /** Somebody cancelled it and its worker does not know yet. */
  cancel_requested: boolean;
  /** Of a running one: when its worker loses it, unless it beats before. */
  lease_until: Instant | null;
  /** Of a running one: when its attempt times out. */
  deadline: Instant | null;
  /** What is handed to what executes the run: any JSON, byte for byte as it was written. */
  payload: unknown;
  /** The node that made it. */
  node_id: string;
  /** The generation of ownership under which it was made. */
  epoch: number;
  /** The attempts that are over, the first one first. */
  attempt_history: Attempt[];
};

/** A page of runs. */
export type RunPage = {
  /** The newest first. */
  items: Run[];
  next_cursor: NextCursor;
};

/** One try to execute a run. */
export type Attempt = {
  /** The run's id, `-`, and the number of the attempt. */
  attempt_id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Under which it was handed out. */
  fence: Fence;
  /** How it ended. `LEASE_LOST`: its worker sent no more heartbeats. */
  outcome: "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "LEASE_LOST" | "CANCELLED";
  /** When it began. */
  started_at: Instant;
  /** When it ended. */
  finished_at: Instant;
  /** How long it took. */
  duration: Duration;
  /** Who had it. */
  worker: string;
  /** What went wrong, if something did. */
  error: string | null;
  /** The stable word that the error begins with, for programs: `exit_3`, `signal_SIGKILL`, `status_503`, `timeout`, `refused`; null where there is none. */
  code: string | null;
};

/** A page of the ledger. */
export type TickPage = {
  /** Ticks with their fates. */
  items: Tick[];
  next_cursor: NextCursor;
};

/** A tick that became a run, or ticks that did not. */
export type Tick = TickRun | TickSkip;

/** A tick that became a run. */
export type TickRun = {
  /** Always RUN. */
  kind: "RUN";
  /** The tick. */
  scheduled_for: Instant;
  /** Its run. */
  run_id: RunId;
  /** How far the run is. */
  state: RunState;
  /** Where the run comes from. */
  origin: RunOrigin;
  /** When it was decided. */
  decided_at: Instant;
  /** When the last attempt began, if one did. */
  started_at: Instant | null;
  /** When the run was over, if it is. */
  finished_at: Instant | null;
  /** How many attempts began. */
  attempts: number;
  /** How many missed ticks the run stands for, itself included. */
  stands_for: number;
  /** Who has or had it last, if anybody. */
  worker: string | null;
  /** What went wrong last, if something did. */
  error: string | null;
  /** The version of the job that ticked. */
  job_version: number;
  /** The generation of ownership under which it was decided. */
  epoch: number;
};

/** Ticks that got no run. */
export type TickSkip = {
  /** Always SKIP. */
  kind: "SKIP";
  /** The first tick. */
  from: Instant;
  /** The last tick. */
  to: Instant;
  /** How many ticks. */
  count: number;
  /** Why. */
  reason: SkipReason;
  /** The generation of ownership under which it was decided. */
  epoch: number;
};

/** Why a job did or did not run at an instant. */
export type Explanation = {
  /** The instant in question, with the offset of the job's zone. */
  at: Instant;
  /** `run`: there is a run; its state says the rest. `no_job`: the job did not exist then. `not_matching`: the schedule has no tick there. `not_yet`: it lies in the future. `undecided`: it is due and about to be decided. `forgotten`: it was decided, longer ago than the history is kept. Any other word is the reason of a skip. */
  verdict: "run" | "no_job" | "not_matching" | "not_yet" | "undecided" | "forgotten" | "paused" | "cancelled" | "calendar" | "out_of_bounds" | "dst_gap" | "misfire_expired" | "misfire_coalesced" | "misfire_skipped" | "misfire_limit" | "overlap" | "overlap_replaced" | "quota" | "schedule_changed" | "calendar_coalesced" | "commits_lost" | "restored";
  /** The verdict in words. */
  sentence: string;
  /** What is behind the verdict, as a stable word: the code of a `Trouble`; of a live run `waiting`, `no_check_in`, `calendar`, `in_line`, `put_off`, `own_run`, `running`, `retrying`, `cancelling` or `lease_over`; of one that is over and did not succeed `attempts`, `permanent`, `not_started`, `unknown_handler`, `unstuck`, `cancelled`, `timed_out` or `overlap_replaced`. Null where the verdict says it all. */
  cause: string | null;
  /** When that began, if it is known. */
  since: Instant | null;
  /** The id of the run that was, or is, in the way. */
  blocked_by: string | null;
  /** What was looked at, in order. */
  checks: Check[];
  /** The run, if there is one. */
  run: Run | null;
  /** The skip the instant lies in, if it does. */
  skip: TickSkip | null;
  /** The last tick before the instant, if there is one. */
  before: Instant | null;
  /** The first tick after the instant, if there is one. */
  after: Instant | null;
  /** What is wrong now that concerns this job. */
  problems: Trouble[];
};

/** One thing that was looked at. */
export type Check = {
  /** `existed`: the job was there. `matches`: its schedule has a tick there. `active`: it was neither paused nor cancelled. `decided`: the tick got a fate. `run`: the fate was a run. `started`: somebody got the run. `succeeded`: it ended well. */
  check: "existed" | "matches" | "active" | "decided" | "run" | "started" | "succeeded";
  /** Null where it was not reached or is still open. */
  passed: boolean | null;
  /** What was found. */
  detail: string;
  /** What to do about it, where something can be done. */
  remedy?: string;
};

/** A schedule to look at. The fields of a job's schedule, and what to show. */
export type PreviewRequest = {
  /** Fixes what `H` and jitter draw; a job of this name draws the same. */
  job_name?: string;
  /** The kind of schedule. If a request leaves it out, the other fields decide. */
  schedule_type?: "CRON" | "EVERY" | "ONCE";
  /** With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H` spreads by the job's name. */
  cron_expression?: string;
  /** The IANA zone the expression is read in. */
  timezone?: string;
  /** How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`. */
  dialect?: "standard" | "quartz";
  /** A local time that the clocks jump over: run when the gap ends, or skip it. */
  dst_gap?: "RUN_AFTER" | "SKIP";
  /** A local time that comes twice: run the first time, or both times. */
  dst_overlap?: "FIRST" | "BOTH";
  /** With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970. */
  every?: Duration;
  /** With ONCE: when. */
  run_at?: Instant;
  /** With ONCE, instead of `run_at`: how long from now, up to 3660d. */
  delay?: Duration;
  /** No tick before this. */
  start_at?: Instant;
  /** No tick after this. */
  end_at?: Instant;
  /** Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many jobs spread. */
  jitter?: Duration;
  /** The name of a calendar; on its days and in its windows the job does not run. Empty is none. */
  calendar?: string;
  /** What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of them runs, and stands for the others. */
  calendar_policy?: "SKIP" | "DELAY";
  /** Show instants after this; now if left out. */
  from?: Instant;
  /** How many instants to show. */
  count?: number;
};

/** What a schedule means. */
export type Preview = {
  /** The schedule in words. */
  sentence: string;
  /** The zone it is read in. */
  timezone: string;
  /** The next instants it will run at, with the offset of the zone; days and windows of its calendar are left out. */
  next: Instant[];
  /** Of `next`, those that the calendar delays, with the time that each is for. */
  delayed: DelayedRun[];
  /** What its author may not expect, the most serious first. */
  warnings: Warning[];
};

/** A run that waits for its calendar to open. */
export type DelayedRun = {
  /** The tick. */
  scheduled_for: Instant;
  /** When it starts. */
  starts_at: Instant;
};

/** Something legal in a schedule that its author may not expect. */
export type Warning = {
  /** A stable word. */
  code: "never_fires" | "end_of_schedule" | "both_day_fields" | "some_months_skipped" | "uneven_step" | "every_second" | "sub_minute" | "dst_gap" | "dst_overlap" | "dst_interval";
  /** In words. */
  message: string;
  /** The instant it is about, if there is one. */
  at?: Instant;
};

/** What the author of a job may not expect. */
export type JobWarnings = {
  /** Those of its schedule, the most serious first; then those of its target. */
  warnings: JobWarning[];
};

/** Something legal in a job that its author may not expect. */
export type JobWarning = {
  /** A stable word: one of those of a schedule, or `no_worker`, `unknown_broker`, `unknown_host`. */
  code: string;
  /** In words. */
  message: string;
  /** The instant it is about, if there is one. */
  at?: Instant;
};

/** Who takes runs, and what waits for them. */
export type Workers = {
  /** The database's clock. */
  now: Instant;
  /** By name. */
  workers: Worker[];
  /** Where live runs of the tenant wait, as of a few seconds ago. */
  queues: QueueState[];
  /** False: there are more workers, or more runs in their hands, than were looked at. */
  exact: boolean;
};

/** Somebody who takes runs. */
export type Worker = {
  /** What it calls itself. */
  worker: string;
  /** Where it works; null, like the next three: it has not asked this node lately. */
  region: string | null;
  /** Whose runs it takes, ten queues at most; empty if it has not asked this node lately. */
  takes: QueueName[];
  /** How many runs it wanted when it asked the last time. */
  room: number | null;
  /** When that was. */
  asked_at: Instant | null;
  /** How many runs it holds. */
  running: number;
  /** The newest ten of them. */
  runs: HeldRun[];
};

/** A run in a worker's hands. */
export type HeldRun = {
  /** Its id. */
  run_id: RunId;
  /** Its job. */
  job_name: string;
  /** Its type. */
  job_type: string;
  /** When it was handed out. */
  started_at: Instant | null;
};

/** Where runs wait: those for workers and commands (`EXEC`) by type, messages (`TOPIC`) by broker, webhooks (`HTTP`) and check-ins together. */
export type QueueName = {
  /** The kind of target. */
  kind: "WORKER" | "EXEC" | "HTTP" | "TOPIC" | "CHECKIN";
  /** The job type or the broker; empty for webhooks and check-ins. */
  name: string;
};

/** Where runs wait, and how long. */
export type QueueState = {
  /** The kind of target. */
  kind: "WORKER" | "EXEC" | "HTTP" | "TOPIC" | "CHECKIN";
  /** The job type or the broker; empty for webhooks and check-ins. */
  name: string;
  /** Whose workers may have the runs, if there are several regions and not all of them. */
  region: string | null;
  /** Runs that could start: due, and none of their own job in the way. */
  waiting: number;
  /** When the first of them was due. */
  waiting_since: Instant | null;
  /** Runs in somebody's hands. */
  running: number;
  /** Since when the longest. */
  running_since: Instant | null;
  /** Whether a worker has asked this node for them in the last two minutes. */
  asked_for: boolean;
};

/** What a worker wants. */
export type ClaimRequest = {
  /** Who asks, for the history. */
  worker_id: string;
  /** The types whose runs for workers it can work on; runs with other targets are not handed out by type. This or `exec_types` is required. */
  job_types?: string[];
  /** The types of jobs whose commands (target `EXEC`) it runs: for exec workers. */
  exec_types?: string[];
  /** How many runs at most. */
  max_runs?: number;
  /** How long the runs are the worker's without a heartbeat. */
  lease_seconds?: number;
  /** How long to wait for the first one. */
  wait_seconds?: number;
  /** Where the worker is: it gets runs that may run there (`run_in` of a job). By default the region of the node that is asked; 422 if no node has ever served it. */
  region?: string;
};

/** Runs to work on. */
export type ClaimAnswer = {
  /** Empty if there was nothing to do. */
  runs: ClaimedRun[];
};

/** A run that is the worker's until its lease ends. */
export type ClaimedRun = {
  /** Its id. */
  run_id: RunId;
  /** The run's id, `-`, and the number of the attempt. */
  attempt_id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** To be sent with heartbeats and with the report, and to be checked by what the work changes. */
  fence: Fence;
  /** Its job. */
  job_id: JobId;
  /** What the job is called. */
  job_name: string;
  /** The type it was claimed by. */
  job_type: string;
  /** The tenant of its job. */
  tenant_id: TenantName;
  /** Its tick. */
  scheduled_for: Instant;
  /** Send a heartbeat before this. */
  lease_until: Instant;
  /** When the attempt times out whatever happens. */
  deadline: Instant;
  /** How many missed ticks it stands for, itself included. */
  stands_for: number;
  /** What executes the run */
  target: Target;
  /** Any JSON: the job's payload, or the one given for this run. */
  payload: unknown;
  /** The same for all attempts of the run: its id. */
  idempotency_key: string;
  /** The attempt's place in the run's trace, as the header of that name (W3C Trace Context) has it: hand it on to whatever the work calls. */
  traceparent: string;
  /** How long the claim had waited when the run was granted. The time from sending the claim to now, less this, is the age of the lease, at most: a worker that finds it older than a third sends a heartbeat before it begins. */
  waited_ms: number;
};

/** How far a run is. */
export type Progress = {
  /** How much is done. */
  done: number;
  /** Of how much; 0: nobody knows. */
  total: number;
};

/** A heartbeat for one run, with its output and progress so far. */
export type Beat = {
  /** Which run. */
  run_id: RunId;
  /** Under which it was handed out. */
  fence: Fence;
  /** All of the attempt's output so far that is to be kept. It replaces what was sent before. */
  log?: string;
  /** How far it is. */
  progress?: Progress;
};

/** What a worker showed of an attempt. */
export type RunLog = {
  /** Which run. */
  run_id: RunId;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** When the worker last sent news of it. */
  updated_at: Instant;
  /** Its output; of a long one the beginning and the end. */
  log: string;
  /** How far it is, if it said so. */
  progress: Progress | null;
};

/** Runs that are still worked on. */
export type HeartbeatRequest = {
  /** Which. */
  runs: Beat[];
  /** How long the runs are the worker's without a heartbeat. */
  lease_seconds?: number;
};

/** What became of the leases. */
export type HeartbeatAnswer = {
  /** For each run of the request, in its order. */
  results: HeartbeatResult[];
};

/** What became of one lease. */
export type HeartbeatResult = {
  /** Which run. */
  run_id: RunId;
  /** `EXTENDED`: go on. `FENCED`: the run is somebody else's or over; stop. `CANCEL`: stop, and say so with runs:complete. */
  answer: "EXTENDED" | "FENCED" | "CANCEL";
};

/** How an attempt ended. */
export type Completion = {
  /** Which run. */
  run_id: RunId;
  /** Under which it was handed out. */
  fence: Fence;
  /** How it ended. RETURNED: the work was not done and this worker will not do it, so the run waits again and no attempt is used up; for workers that stop. Always answered OK. */
  status: "SUCCEEDED" | "FAILED" | "RETURNED";
  /** What was done: any JSON, up to 64 KiB. */
  result?: unknown;
  /** With FAILED: what went wrong. Control characters are replaced, not refused: a report must not be lost. */
  error?: string;
  /** With FAILED: false if trying again is no use. */
  retryable?: boolean;
  /** With FAILED or RETURNED: try again no sooner. */
  retry_after_seconds?: number;
  /** All of the attempt's output so far that is to be kept. It replaces what was sent before. */
  log?: string;
  /** How far it came. */
  progress?: Progress;
};

/** Attempts that ended. */
export type CompleteRequest = {
  /** Which, and how. */
  runs: Completion[];
};

/** What became of the reports. */
export type CompleteAnswer = {
  /** For each run of the request, in its order. */
  results: CompleteResult[];
};

/** What became of one report. */
export type CompleteResult = {
  /** Which run. */
  run_id: RunId;
  /** `OK`: the attempt ended as reported. `FENCED`: the run is somebody else's or over, and the report counts for nothing. `RETRY`: not known yet; send the same again. */
  answer: "OK" | "FENCED" | "RETRY";
  /** With RETRY: what is in the way. */
  detail?: string;
};

/** How the cluster stands. */
export type Cluster = {
  /** The database's clock. */
  now: Instant;
  /** What is wrong, the worst first: all that the caller may know of. Empty: nothing. */
  problems: Trouble[];
  /** By name; those that are gone are shown for a while. */
  nodes: Node[];
  /** The node that does the chores of the whole cluster; null if there never was one. */
  leader: Leader | null;
  /** The slices of the job space, and whose they are. */
  partitions: Partitions;
};

/** Something that is wrong, since when, and what to do about it. */
export type Trouble = {
  /** A stable word; also the label of `belfry_problems`. docs/concepts/states.md explains each. */
  code: "database_away" | "disk_full" | "database_slow" | "loading" | "behind" | "unowned" | "node_lost" | "clock_offset" | "clock_stepped" | "no_worker" | "workers_busy" | "broker_unknown" | "broker_away" | "endpoint_away" | "catching_up" | "type_limit" | "alerts_undelivered" | "ledger_violated" | "commits_lost" | "archive_stuck";
  /** A note asks nobody to do anything. What is critical keeps ticks from being decided. */
  severity: "note" | "warning" | "critical";
  /** What has it: a queue, a broker, a host, a node, a rule of alerts. */
  subject: string | null;
  /** Since when, if that is known. */
  since: Instant | null;
  /** What is wrong. */
  sentence: string;
  /** What to do. */
  remedy: string;
};

/** A scheduler process. */
export type Node = {
  /** Its incarnation, drawn anew at each start. */
  node_id: string;
  /** What it calls itself. */
  name: string;
  /** Where it is. */
  region: string;
  /** When it started. */
  started_at: Instant;
  /** How long it is trusted, unless it renews. */
  lease_until: Instant;
  /** Whether its lease holds now. */
  alive: boolean;
  /** How many partitions it owns. */
  partitions: number;
};

/** The node that does the chores of the whole cluster. */
export type Leader = {
  /** Its incarnation, drawn anew at each start. */
  node_id: string;
  /** Grows with each change of leader. */
  term: number;
  /** How long it leads, unless it renews. */
  lease_until: Instant;
  /** Whether its lease holds now. */
  alive: boolean;
};

/** The slices of the job space. */
export type Partitions = {
  /** How many there are. */
  total: number;
  /** How many have an owner that is alive. */
  owned: number;
  /** The oldest tick that is due and not decided, if there is one. */
  oldest_undecided: Instant | null;
  /** All of them, by number. */
  map: Partition[];
};

/** One slice of the job space. */
export type Partition = {
  /** Its number: 256 times its region, and its slice there. */
  partition: number;
  /** The node that owns it, if one does. */
  owner: string | null;
  /** Grows with each change of owner. */
  epoch: number;
  /** Up to here every tick is decided. */
  decided_through: Instant;
  /** Grows with each change of a job. */
  jobs_version: number;
};

/** How many ticks each coming minute will have. */
export type Forecast = {
  /** The first minute, a full one. */
  from: Instant;
  /** How far it looks. */
  hours: number;
  /** False where not all jobs were counted, or some ticks only estimated. */
  exact: boolean;
  /** For each minute from `from` on, how many ticks. */
  minutes: number[];
};

/** The fullest of the coming minutes, and changes that would halve them. */
export type HerdAdvice = {
  /** The first minute that was looked at, a full one. */
  from: Instant;
  /** How far it looks. */
  hours: number;
  /** False where not all jobs were looked at. */
  exact: boolean;
  /** At most five, the fullest first. None has fewer than two runs. */
  minutes: HerdMinute[];
  /** What to change; empty where nothing can be spread. */
  changes: HerdChange[];
};

/** A minute in which many runs start. */
export type HerdMinute = {
  /** When it begins. */
  at: Instant;
  /** Runs that start in it. */
  before: number;
  /** Runs that would start in it with all changes. */
  after: number;
  /** Jobs that have a run in it. */
  job_count: number;
  /** Their names; of many, the first 100. */
  jobs: string[];
};

/** A change of one field of a job that spreads its runs. */
export type HerdChange = {
  /** Never changes. */
  job_id: JobId;
  /** Its name. */
  job_name: string;
  /** Of the job that was looked at, for `If-Match`. */
  version: number;
  /** What to change. */
  field: "cron_expression" | "jitter";
  /** What it is now; null if it is not set. */
  before: string | null;
  /** What it should be. */
  after: string;
};

/** How many. */
export type Count = {
  /** How many. */
  value: number;
  /** False: an estimate, or a lower bound. Counting stops at some 100,000, of failing jobs at 10,000. */
  exact: boolean;
};

/** How much there is of everything. */
export type Stats = {
  /** When it was counted. */
  now: Instant;
  /** How the job types stand that have limits. */
  types: TypeCounts[];
  /** By status. */
  jobs: JobCounts;
  /** Live ones, by state. */
  runs: RunCounts;
  /** When the run that has waited longest for a worker became due, if one waits. */
  oldest_ready_at: Instant | null;
};

/** How a job type with limits stands. */
export type TypeCounts = {
  /** The type. */
  job_type: string;
  /** Runs in somebody's hands, in the whole cluster. */
  running: number;
  /** Runs that are due; of the first 20,000 live ones. */
  waiting: number;
  /** At this moment none of them may start, because of the limits. */
  full: boolean;
};

/** Jobs by status. */
export type JobCounts = {
  /** Jobs that tick. */
  active: Count;
  /** Jobs that are paused. */
  paused: Count;
  /** Jobs that are cancelled. */
  cancelled: Count;
  /** Jobs without any tick left. */
  completed: Count;
  /** Jobs whose last run failed; they are among the others. */
  failing: Count;
};

/** Live runs by state. */
export type RunCounts = {
  /** Wait for a worker. */
  ready: Count;
  /** Have a worker. */
  running: Count;
  /** Wait for their next attempt. */
  retrying: Count;
};

/** Jobs or runs that changed together, or violations of the ledger that were found together. */
export type Event = {
  /** When. */
  at: Instant;
  /** How many changed. */
  count: number;
  /** With `event:` jobs; at most 20 of them. */
  jobs?: JobNews[];
  /** With `event:` runs; at most 20 of them. */
  runs?: RunNews[];
  /** With `event:` violations; at most 20 of them. */
  violations?: ViolationNews[];
};

/** A job that changed. */
export type JobNews = {
  /** Which. */
  job_id: JobId;
  /** Its version now. */
  version: number;
  /** Its status now. */
  status: "ACTIVE" | "PAUSED" | "CANCELLED" | "COMPLETED" | "DELETED";
};

/** A run that changed. */
export type RunNews = {
  /** Which. */
  run_id: RunId;
  /** Its state now. */
  state: RunState;
};

/** The ledger is not what the definitions ask for. */
export type ViolationNews = {
  /** Whose ledger. */
  job_id: JobId;
  /** As of a `LedgerFlaw`. */
  kind: "hole" | "double" | "early" | "stray" | "wrong_fate" | "wrong_count";
  /** The first tick concerned. */
  tick: Instant;
};

/** An owner of jobs. */
export type Tenant = {
  /** Its name, which is its id. */
  tenant_id: TenantName;
  /** Its share, where several tenants want the same worker. */
  weight: number;
  /** How many of its runs may be running at a time; 0 is no limit, and the default for the tenant `default`. */
  max_in_flight: number;
  /** How many jobs it may have; 0 is no limit. */
  max_jobs: number;
  /** How many calls a second it may make, each message of a gRPC stream included; 0 is no limit, and the default for the tenant `default`. */
  max_requests: number;
  /** When it was made. */
  created_at: Instant;
};

/** What a tenant may ask for. */
export type TenantDefinition = {
  /** Its share, where several tenants want the same worker. */
  weight?: number;
  /** How many of its runs may be running at a time; 0 is no limit, and the default for the tenant `default`. */
  max_in_flight?: number;
  /** How many jobs it may have; 0 is no limit. */
  max_jobs?: number;
  /** How many calls a second it may make, each message of a gRPC stream included; 0 is no limit, and the default for the tenant `default`. */
  max_requests?: number;
};

/** A page of tenants. */
export type TenantPage = {
  /** In the order of their names. */
  items: Tenant[];
  next_cursor: NextCursor;
};

/** `viewer` reads; `operator` also changes jobs and runs; `admin` also changes the keys, calendars and job types of its tenant; `worker` claims runs and reports on them, and nothing else; `metrics` reads /metrics, and nothing else; `root` may do everything, for all tenants. */
export type Scope = "viewer" | "operator" | "admin" | "worker" | "metrics" | "root";

/** What a key may be used for beside its scope: `exec` is making and changing jobs that run commands. */
export type Permissions = "exec"[];

/** Who is calling, and what they may do. */
export type Session = {
  /** As the audit names them: a key, or `owner@…`. */
  actor: string;
  /** Whose jobs the call concerns. */
  tenant_id: TenantName;
  /** What they may do. */
  scope: Scope;
  /** What else they may do. */
  permissions: Permissions;
  /** False on a node that has no keys yet and serves only its owner. */
  has_key: boolean;
  /** What calls by cookie send as `Belfry-Csrf`; empty where a call shows no key and needs none. */
  csrf_token: string;
};

/** A link that signs a browser in, once. */
export type SignInLink = {
  /** Where to go on this node: a path, and behind its `#` the code. */
  path: string;
  /** Until when. */
  expires_at: Instant;
};

/** What a link has behind its `#sign-in=`. */
export type SignInCode = {
  /** The code. */
  code: string;
};

/** A key to be made. */
export type KeyDefinition = {
  /** For people, and for the audit (`key:NAME`). One valid key of a tenant has it. None of its characters reorders a line. */
  name: string;
  /** What it may be used for. */
  scope: Scope;
  /** What else it may be used for; root has all of them. */
  permissions?: Permissions;
  /** When it expires; never, if left out. Not in the past. */
  expires_at?: Instant;
};

/** How a key is replaced. */
export type KeyRotation = {
  /** How long the old key stays valid, up to 30d. */
  overlap?: Duration;
};

/** A key, without its secret. */
export type Key = {
  /** Its id. */
  key_id: string;
  /** Whose it is. */
  tenant_id: TenantName;
  /** What it is called. */
  name: string;
  /** What it may be used for. */
  scope: Scope;
  /** What else it may be used for. */
  permissions: Permissions;
  /** When it was made. */
  created_at: Instant;
  /** When it expires, if ever. */
  expires_at: Instant | null;
  /** When it was revoked, if it was. */
  revoked_at: Instant | null;
  /** When a new key took its place, if one did. */
  replaced_at: Instant | null;
  /** When it was last used, to the minute, if ever. */
  last_used_at: Instant | null;
  /** Who made it. */
  created_by: string;
};

/** A key with its secret, which is shown this one time. */
export type NewKey = {
  /** Its id. */
  key_id: string;
  /** Whose it is. */
  tenant_id: TenantName;
  /** What it is called. */
  name: string;
  /** What it may be used for. */
  scope: Scope;
  /** What else it may be used for. */
  permissions: Permissions;
  /** When it was made. */
  created_at: Instant;
  /** When it expires, if ever. */
  expires_at: Instant | null;
  /** When it was revoked, if it was. */
  revoked_at: Instant | null;
  /** When a new key took its place, if one did. */
  replaced_at: Instant | null;
  /** When it was last used, to the minute, if ever. */
  last_used_at: Instant | null;
  /** Who made it. */
  created_by: string;
  /** What goes after `Authorization: Bearer`. */
  secret: string;
};

/** The keys of a tenant. */
export type KeyPage = {
  /** The newest first. */
  items: Key[];
  next_cursor: NextCursor;
};

/** What jobs of a type have that do not say. */
export type TypeDefaults = {
  /** How often a run is tried. */
  max_attempts?: number;
  /** How long an attempt may take; 100ms to 30d. */
  timeout?: Duration;
  /** How long a run waits for somebody to start it; from 1s. */
  start_within?: Duration;
  /** How late a tick may be decided and still run. */
  misfire_grace?: Duration;
};

/** What holds for all jobs of a type. */
export type JobTypeDefinition = {
  /** The type; ignored, as the next two are. */
  job_type?: string;
  /** When it was changed last. */
  updated_at?: Instant;
  /** By whom. */
  updated_by?: string;
  /** How many runs may be in somebody's hands at a time. */
  max_concurrent?: number;
  /** How many may start: `100/s`, `5/m`, `1/h`; at most 1000000. Each attempt is a start. */
  rate?: string;
  /** How many may start at the same moment, after a rest; with a rate. At least what a tenth of a second brings; without it, what a second brings. */
  burst?: number;
  /** What jobs have that do not say. */
  defaults?: TypeDefaults;
};

/** A job type of which something is said. */
export type JobType = {
  /** The type. */
  job_type: string;
  /** How many runs may be in somebody's hands at a time. */
  max_concurrent?: number;
  /** How many may start. */
  rate?: string;
  /** How many may start at the same moment, after a rest. */
  burst?: number;
  /** What jobs have that do not say. */
  defaults: TypeDefaults;
  /** When it was changed last. */
  updated_at: Instant;
  /** By whom. */
  updated_by: string;
};

/** A page of job types. */
export type JobTypePage = {
  /** In the order of their names. */
  items: JobType[];
  next_cursor: NextCursor;
};

/** Times at which jobs do not run. Each rule is a date (`2026-12-25`), a stretch of dates (`2026-12-24..2027-01-02`), weekdays (`SAT,SUN`), the three day fields of a cron expression (`25 DEC *`), or a window with hours: from one time of the week to another (`FRI 18:00..MON 06:00`), on some days or on all (`MON-FRI 09:00..17:00`, `22:00..06:00`), the first or last days of a month, quarter or year (`last 3 days of quarter`), or once (`2026-12-24T18:00..2026-12-27T06:00`; with `Z` at both ends: instants). A window may name its zone behind it (`FRI 18:00..MON 06:00 Europe/Berlin`); without one, and for days, it is the job's. The end of a window lies outside. */
export type CalendarRules = string[];

/** What a calendar holds. */
export type CalendarDefinition = {
  /** Its rules; together they are all excluded times. */
  rules: CalendarRules;
};

/** What a rule looks for. */
export type AlertWhen = "failed_in_a_row" | "failures" | "not_started" | "late" | "running" | "missed" | "no_worker" | "dead_letters" | "schedule_broken" | "clock_offset";

/** A call by Standard Webhooks. 2xx is success; 202 with `Belfry-Async: true` waits for `runs:complete`; 408, 425, 429 and 5xx are tried again; other answers are failures for good. */
export type AlertWebhook = {
  /** Always HTTP. */
  kind: "HTTP";
  /** Where to call, http or https. What its query gives for a name such as `token` or `api_key` is a secret, shown as `********` like `secret`. */
  url: string;
  /** The body that chat services take: {"text": …}. */
  form?: "slack";
  /** How to call. */
  method?: "POST" | "GET" | "PUT" | "PATCH" | "DELETE";
  /** Sent along. Belfry sets those that begin with `webhook-` or `belfry-`, `Idempotency-Key` and `traceparent` itself. Their values are secrets, shown as `********` like `secret`, but for Accept, Accept-Encoding, Accept-Language, Cache-Control, Content-Type, Prefer and User-Agent. */
  headers?: Record<string, string | SecretRef>;
  /** In place of `secret`: the name of a secret that is kept (`PUT /secrets/{secret}`). */
  secret_ref?: string;
  /** Signs the calls (`whsec_…`). Of several, with blanks between them, each signs. Shown as `********`; if that is sent back, the present one is kept. */
  secret?: string;
};

/** A mail, by the server that `--smtp` names. */
export type AlertMail = {
  /** Always MAIL. */
  kind: "MAIL";
  /** Addresses. */
  to: string[];
};

/** Who is told, and how. */
export type AlertReceiver = AlertWebhook | AlertMail | TopicTarget;

/** A rule that watches jobs. */
export type AlertRuleDefinition = {
  /** What it looks for. */
  when: AlertWhen;
  /** Of `failed_in_a_row` and `failures`: how many (3). Of `dead_letters`: more than this many (0). */
  count?: number;
  /** Of `failures`: within this time (1h). */
  window?: Duration;
  /** Of `not_started` (5m), `late` (1m), `no_worker` (1m) and `running`: how long. Of `clock_offset` (2s): how far off. */
  after?: Duration;
  /** Of `running`, in place of `after`: so many times the median of its last runs. */
  times_usual?: number;
  /** Only the job of this name. */
  job?: string;
  /** Only jobs of this type. */
  job_type?: string;
  /** Only jobs with all these labels, each key=value. */
  labels?: string[];
  /** Whether receivers are told when it is over. */
  recovered?: boolean;
  /** What changes within this time is told in one message (10s). */
  group_wait?: Duration;
  /** In the times of this calendar, in UTC, nothing new is told. */
  quiet_calendar?: string;
  /** Who is told. */
  to: AlertReceiver[];
};

/** A rule that watches jobs, as it is kept. */
export type AlertRule = {
  /** What it is called. */
  name: string;
  /** What it looks for. */
  when: AlertWhen;
  /** Of `failed_in_a_row` and `failures`: how many (3). Of `dead_letters`: more than this many (0). */
  count?: number;
  /** Of `failures`: within this time (1h). */
  window?: Duration;
  /** Of `not_started` (5m), `late` (1m), `no_worker` (1m) and `running`: how long. Of `clock_offset` (2s): how far off. */
  after?: Duration;
  /** Of `running`, in place of `after`: so many times the median of its last runs. */
  times_usual?: number;
  /** Only the job of this name. */
  job?: string;
  /** Only jobs of this type. */
  job_type?: string;
  /** Only jobs with all these labels, each key=value. */
  labels?: string[];
  /** Whether receivers are told when it is over. */
  recovered: boolean;
  /** What changes within this time is told in one message (10s). */
  group_wait: Duration;
  /** In the times of this calendar, in UTC, nothing new is told. */
  quiet_calendar?: string;
  /** Who is told. */
  to: AlertReceiver[];
  /** When it was made. */
  created_at: Instant;
  /** When it was changed last. */
  updated_at: Instant;
  /** By whom. */
  updated_by: string;
};

/** A page of rules. */
export type AlertRulePage = {
  /** In the order of their names. */
  items: AlertRule[];
  next_cursor: NextCursor;
};

/** Something that is, or was, wrong. */
export type Alert = {
  /** Its number. */
  id: number;
  /** The rule that found it. */
  rule: string;
  /** The name of a job, a job type or a node, or `*` for all that the rule watches. */
  subject: string;
  /** Whether it is still so. */
  state: "OPEN" | "RESOLVED";
  /** What was wrong when it was found. */
  sentence: string;
  /** Whether it began while its job was paused or its rule quiet. Nobody is told before that is over, and only if it is wrong still. */
  quiet: boolean;
  /** When it was found. */
  opened_at: Instant;
  /** When it was over. */
  resolved_at: Instant | null;
  /** The job, if it is about one. */
  job_id: JobId | null;
};

/** A page of alerts. */
export type AlertPage = {
  /** The newest first. */
  items: Alert[];
  next_cursor: NextCursor;
};

/** What one receiver is told. */
export type AlertMessage = {
  /** What receivers see as `webhook-id`, Message-ID or the id of the event. */
  id: string;
  /** The rule. */
  rule: string;
  /** The receiver. */
  to: AlertReceiver;
  /** FAILED is given up. */
  state: "WAITING" | "SENT" | "FAILED";
  /** How often it was tried. */
  attempts: number;
  /** Why the last attempt failed. */
  error: string;
  /** When it was decided. */
  created_at: Instant;
  /** When it was sent or given up. */
  finished_at: Instant | null;
};

/** Messages about alerts. */
export type AlertMessages = {
  /** The newest first. */
  items: AlertMessage[];
};

/** A while in which nothing is told. */
export type AlertSilenceDefinition = {
  /** For how long, up to 90d. */
  duration: Duration;
  /** Only this rule. */
  rule?: string;
  /** Only the job of this name. */
  job?: string;
  /** Only jobs of this type. */
  job_type?: string;
  /** Only jobs with all these labels, each key=value. */
  labels?: string[];
  /** Why. */
  note?: string;
};

/** A while in which nothing is told. */
export type AlertSilence = {
  /** Its number. */
  id: number;
  /** Only this rule. */
  rule?: string;
  /** Only the job of this name. */
  job?: string;
  /** Only jobs of this type. */
  job_type?: string;
  /** Only jobs with all these labels, each key=value. */
  labels?: string[];
  /** Why. */
  note?: string;
  /** When it is over. */
  until: Instant;
  /** When it was made. */
  created_at: Instant;
  /** By whom. */
  created_by: string;
};

/** Silences that are not over. */
export type AlertSilences = {
  /** In the order of their numbers. */
  items: AlertSilence[];
};

/** A named set of days and windows in which jobs do not run. */
export type Calendar = {
  /** What it is called. */
  name: string;
  /** Its rules. */
  rules: CalendarRules;
  /** Grows with each change of the rules. */
  version: number;
  /** When the rules were changed last. */
  updated_at: Instant;
};

/** A page of calendars. */
export type CalendarPage = {
  /** In the order of their names. */
  items: Calendar[];
  next_cursor: NextCursor;
};

/** A secret that jobs can name; never its value. */
export type Secret = {
  /** What jobs call it. */
  name: string;
  /** When it was kept first. */
  created_at: Instant;
  /** When its value was set last. */
  updated_at: Instant;
  /** Who set it. */
  updated_by: string;
};

/** A page of secrets. */
export type SecretPage = {
  /** By name. */
  items: Secret[];
  next_cursor: NextCursor;
};

/** A secret to keep. */
export type SecretValue = {
  /** The secret itself; one line. */
  value: string;
};

/** A step of a rotation. */
export type RotationStep = {
  /** `next_cursor` of the step before. */
  cursor?: string;
  /** Begin with a new key, where the server keeps its key itself; otherwise read the configured keys again. */
  new_key?: boolean;
};

/** What a step of a rotation has done. */
export type Rotation = {
  /** The key that everything is to be sealed with. */
  key_id: string;
  /** How many values it has sealed. */
  resealed: number;
  /** Go on from here; null when all was looked at. */
  next_cursor: string | null;
};

/** What a step of a proof has found. */
export type LedgerVerdict = {
  /** The first instant that was looked at. */
  from: Instant;
  /** The last one. */
  to: Instant;
  /** Jobs whose proof ended in this step. */
  jobs: number;
  /** The ticks that were looked at. */
  counts: {
    /** All of them. */
    ticks: number;
    /** Those that became runs. */
    runs: number;
    /** Those that were skipped, by reason. */
    skips: Record<string, number>;
  };
  /** Ticks without exactly one fate, or with one that the definition does not allow. */
  flaws: LedgerFlaw[];
  /** What cannot be said, and why. */
  unproven: {
    /** The job. */
    job_id: JobId;
    /** Its name. */
    job_name: string;
    /** Ticks after this. */
    after: Instant;
    /** Up to this one. */
    through: Instant;
    /** The reason. */
    why: string;
  }[];
  /** The first tick that is due and not decided yet; what follows it in its job was not looked at. */
  undecided: string | null;
  /** Go on from here; null when all was looked at. */
  next_cursor: string | null;
};

/** Ticks whose fate is not what the definition asks for. */
export type LedgerFlaw = {
  /** `hole`: no fate. `double`: two. `early`: decided or handed out before its time. `stray`: a fate, and no such tick. `wrong_fate`: one that the definition does not allow. `wrong_count`: a range, or a run that stands for others, counts wrongly. */
  kind: "hole" | "double" | "early" | "stray" | "wrong_fate" | "wrong_count";
  /** The job. */
  job_id: JobId;
  /** Its name. */
  job_name: string;
  /** The first tick concerned. */
  tick: Instant;
  /** The last one. */
  last_tick: Instant;
  /** How many they are. */
  ticks: number;
  /** The revision in force then; null if there was none. */
  revision: number | null;
  /** What should be there, and what the ledger has. */
  evidence: string;
};

/** What was found to be wrong with the ledger, and when. */
export type Violation = {
  /** As of a `LedgerFlaw`. */
  kind: "hole" | "double" | "early" | "stray" | "wrong_fate" | "wrong_count";
  /** The job. */
  job_id: JobId;
  /** Its name. */
  job_name: string;
  /** The first tick concerned. */
  tick: Instant;
  /** The last one. */
  last_tick: Instant;
  /** How many they are. */
  ticks: number;
  /** The revision in force then; null if there was none. */
  revision: number | null;
  /** What should be there, and what the ledger has. */
  evidence: string;
  /** When it was found. */
  found_at: Instant;
};

/** How far the ledger is proven, and statements about days. */
export type Proofs = {
  /** Up to when every tick was looked for; null before the first look. */
  checked_through: string | null;
  /** The key that statements are checked with from now on, as PEM; null without a key to sign with. */
  public_key: string | null;
  /** What was found to be wrong, the newest first; at most 100. */
  violations: Violation[];
  /** The newest day first. */
  items: Proof[];
  next_cursor: NextCursor;
};

/** The statement about a tenant's day. */
export type Proof = {
  /** The day, of UTC. */
  day: string;
  /** When it was made. */
  sealed_at: Instant;
  /** What the statement says. */
  summary: ProofSummary;
  /** The summary as it was signed, byte for byte. */
  statement: string;
  /** SHA-256 of the statement; the next day's names it. */
  digest: string;
  /** The key to check it with, as PEM; null: it is not signed. */
  public_key: string | null;
  /** Ed25519, in base64; null: it is not signed. */
  signature: string | null;
};

/** What is stated about a tenant's day. */
export type ProofSummary = {
  /** The form of the statement. */
  belfry_proof: number;
  /** Whose day. */
  tenant: string;
  /** The day, of UTC. */
  day: string;
  /** Its first instant; later on the day the proof began. */
  from: Instant;
  /** Its last one. */
  to: Instant;
  /** Rows that were decided later are not in the digest. */
  as_of: Instant;
  /** Jobs that were looked at. */
  jobs: number;
  /** Ticks that were decided. */
  ticks: number;
  /** Those that became runs. */
  runs: number;
  /** Those that were skipped, by reason. */
  skips: Record<string, number>;
  /** Ticks without a fate. */
  holes: number;
  /** Ticks with two. */
  doubles: number;
  /** Ticks decided or handed out before their time. */
  early: number;
  /** Fates, and no such ticks. */
  strays: number;
  /** Fates that the definition does not allow. */
  wrong_fates: number;
  /** Ticks of ranges that count wrongly. */
  wrong_counts: number;
  /** Stretches of jobs of which nothing can be said. */
  unproven: number;
  /** Rows in the digest. */
  ledger_rows: number;
  /** The digest of the ledger. */
  ledger_digest: string;
  /** The digest of the statement before; null on the first. */
  previous: string | null;
};

/** A row of the ledger. */
export type ProvenRow = {
  /** The job. */
  job_id: JobId;
  /** The tick, or the first one of a range. */
  tick: Instant;
  /** `run`, or the reason of a skip. */
  fate: string;
  /** The last tick of the range; it may be of another day. */
  last_tick: Instant;
  /** How many the range has. */
  ticks: number;
  /** When the first of them was decided. */
  decided_at: Instant;
};

/** A page of rows. */
export type ProvenRowPage = {
  /** By job and tick. */
  items: ProvenRow[];
  next_cursor: NextCursor;
};

/** What a step of a check has found. */
export type AuditVerdict = {
  /** Links that were checked in this step. */
  checked: number;
  /** Rows that are too young to be linked. */
  waiting: number;
  /** What is not as it was written. */
  flaws: AuditFlaw[];
  /** The last link checked. Noted elsewhere, and given as `head` later, it shows whether the chain still has it. */
  head: {
    /** Its place in the chain. */
    position: number;
    /** Its hash. */
    hash: string;
  };
  /** Go on from here; null when all was checked. */
  next_cursor: string | null;
};

/** A row or a link that is not as it was written. */
export type AuditFlaw = {
  /** What is wrong with it. Of a noted head: the chain ends before it (HEAD_MISSING), has another hash there (HEAD_CHANGED), or begins after it, so that nothing can be told (HEAD_FORGOTTEN). */
  kind: "CHANGED" | "MISSING" | "LINK_BROKEN" | "ADDED" | "HEAD_MISSING" | "HEAD_CHANGED" | "HEAD_FORGOTTEN";
  /** Its place in the chain; null if it has none. */
  position: number | null;
  /** The row; null if there is none. */
  seq: number | null;
};

/** Something that was changed, or a call for admins that was refused. */
export type AuditEntry = {
  /** Grows with each entry. */
  seq: number;
  /** When. */
  at: Instant;
  /** Whose it is. */
  tenant_id: string;
  /** Who did it: a key, or `owner@…`. */
  actor: string;
  /** What was done, such as `job.create`. */
  action: string;
  /** What it was done to, such as `key:7`. */
  object: string;
  /** More about it: `request_id`, `key_id`, `address`; for changes of jobs what it was `before` and `after`, with secrets hidden. Other fields depend on the action. */
  detail: Record<string, unknown>;
};

/** A page of the audit. */
export type AuditPage = {
  /** The newest first. */
  items: AuditEntry[];
  next_cursor: NextCursor;
};

/** The process lives. */
export type Health = {
  /** Always ok. */
  status: "ok";
};

/** The node should get calls. */
export type Readiness = {
  /** Always ready. */
  status: "ready";
  /** What is wrong all the same, as codes: `GET /cluster` tells more to those who may know. */
  problems: ("database_away" | "disk_full" | "database_slow" | "loading" | "behind" | "unowned" | "node_lost" | "clock_offset" | "clock_stepped" | "no_worker" | "workers_busy" | "broker_unknown" | "broker_away" | "endpoint_away" | "catching_up" | "type_limit" | "alerts_undelivered" | "ledger_violated" | "commits_lost" | "archive_stuck")[];
};

/** A refusal (RFC 9457). */
export type Problem = {
  /** The kind of problem: a page of this node that says what to do about it. Ends with its code. */
  type: string;
  /** The kind in words. */
  title: string;
  /** The status of the answer. */
  status: number;
  /** A stable word for programs. */
  code: string;
  /** What happened here. */
  detail: string;
  /** The id of the request, for the logs. */
  instance?: string;
  /** What is wrong with each field. */
  errors?: FieldError[];
};

/** What is wrong with one field, and where: it has exactly one of `pointer`, `parameter` and `header`. */
export type FieldError = {
  /** Where in the body it is wrong, as a JSON pointer: `/retry/base`. Empty: the body as a whole. */
  pointer?: string;
  /** The query parameter that is wrong. */
  parameter?: string;
  /** The request header that is wrong. */
  header?: string;
  /** A stable word: required, unknown_field, unknown_parameter, invalid, out_of_range, too_long, reserved, taken. */
  code: string;
  /** What is wrong. */
  message: string;
  /** What to do instead. */
  hint?: string;
};
