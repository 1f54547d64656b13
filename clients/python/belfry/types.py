"""What the API takes and answers, for type checkers: the schemas of its document.

@generated from api/openapi.yaml by generate_types.py; change the document, not this file.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union

# RFC 3339 with a zone, at most six digits of a fraction, between the years 1970 and 2199.
Instant = str

# Whole numbers with the units d, h, m, s and ms, from large to small, each at most once: `90s`, `1h30m`.
Duration = str

# The id of a job, 16 hex digits.
JobId = str

# The id of a run, 32 hex digits, of which the first 16 are its job's. It stays the same over retries.
RunId = str

# Grows with every grant of any run of the job; a caller with a lower one is refused.
Fence = int

# The name of a tenant, which is also its id.
TenantName = str

# `PAUSED` by a person; `CANCELLED` for good; `COMPLETED`: no tick is left.
JobStatus = Literal['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED']

# Live: `READY` waits for a worker, `RUNNING` has one, `RETRYING` failed and waits for its next attempt. Over:
# `SUCCEEDED`, `DEAD` (attempts used up, or failed for good), `CANCELLED`. No run ends as `FAILED` or `TIMED_OUT`:
# these are how attempts end, and the run is then `RETRYING` or `DEAD`.
RunState = Literal['READY', 'RUNNING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'TIMED_OUT']

# Where a run comes from.
RunOrigin = Literal['SCHEDULE', 'MANUAL', 'BACKFILL', 'RETRY']

# Why a tick got no run. Stable words.
SkipReason = Literal['paused', 'cancelled', 'calendar', 'out_of_bounds', 'dst_gap', 'misfire_expired', 'misfire_coalesced', 'misfire_skipped', 'misfire_limit', 'overlap', 'overlap_replaced', 'quota', 'schedule_changed', 'calendar_coalesced', 'commits_lost', 'restored']

# What to send as `cursor` for the next page; null on the last.
NextCursor = Union['str', 'None']

# An empty object.
Nothing = dict[str, Any]

# Up to 64 names (one word of up to 100 bytes, without `=` and `,`) with values of up to 200 bytes.
Labels = dict[str, str]

# Who executes the runs of a job.
Target = Union['WorkerTarget', 'HttpTarget', 'TopicTarget', 'ExecTarget', 'CheckinTarget']

# What became of one job of a batch.
JobBatchItem = Union['RegisteredJob', 'PlannedJob', 'RefusedJob']

# What becomes of the waiting runs of a job that is stopped: `keep` lets them run, `cancel` cancels them.
ReadyRuns = Literal['keep', 'cancel']

# A tick that became a run, or ticks that did not.
Tick = Union['TickRun', 'TickSkip']

# `viewer` reads; `operator` also changes jobs and runs; `admin` also changes the keys, calendars and job types of its
# tenant; `worker` claims runs and reports on them, and nothing else; `metrics` reads /metrics, and nothing else;
# `root` may do everything, for all tenants.
Scope = Literal['viewer', 'operator', 'admin', 'worker', 'metrics', 'root']

# What a key may be used for beside its scope: `exec` is making and changing jobs that run commands.
Permissions = list[Literal['exec']]

# Times at which jobs do not run. Each rule is a date (`2026-12-25`), a stretch of dates (`2026-12-24..2027-01-02`),
# weekdays (`SAT,SUN`), the three day fields of a cron expression (`25 DEC *`), or a window with hours: from one time
# of the week to another (`FRI 18:00..MON 06:00`), on some days or on all (`MON-FRI 09:00..17:00`, `22:00..06:00`),
# the first or last days of a month, quarter or year (`last 3 days of quarter`), or once
# (`2026-12-24T18:00..2026-12-27T06:00`; with `Z` at both ends: instants). A window may name its zone behind it (`FRI
# 18:00..MON 06:00 Europe/Berlin`); without one, and for days, it is the job's. The end of a window lies outside.
CalendarRules = list[str]

# What a rule looks for.
AlertWhen = Literal['failed_in_a_row', 'failures', 'not_started', 'late', 'running', 'missed', 'no_worker', 'dead_letters', 'schedule_broken', 'clock_offset']

# Who is told, and how.
AlertReceiver = Union['AlertWebhook', 'AlertMail', 'TopicTarget']

# A job as it is. Sending it back unchanged changes nothing.
class Job(TypedDict):
    # Never changes.
    job_id: JobId
    # The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other
    # callers name their own or none.
    tenant_id: TenantName
    # Unique within the tenant. One line, no blanks at its ends; up to 200 bytes.
    job_name: str
    # The handler a worker subscribes to; also the name of the queue. One word.
    job_type: str
    # The kind of schedule. If a request leaves it out, the other fields decide.
    schedule_type: Literal['CRON', 'EVERY', 'ONCE']
    # With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H`
    # spreads by the job's name.
    cron_expression: NotRequired[str]
    # The IANA zone the expression is read in.
    timezone: str
    # How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`.
    dialect: Literal['standard', 'quartz']
    # A local time that the clocks jump over: run when the gap ends, or skip it.
    dst_gap: Literal['RUN_AFTER', 'SKIP']
    # A local time that comes twice: run the first time, or both times.
    dst_overlap: Literal['FIRST', 'BOTH']
    # With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970.
    every: NotRequired[Duration]
    # With ONCE: when.
    run_at: NotRequired[Instant]
    # No tick before this.
    start_at: NotRequired[Instant]
    # No tick after this.
    end_at: NotRequired[Instant]
    # Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many
    # jobs spread.
    jitter: NotRequired[Duration]
    # The name of a calendar; on its days and in its windows the job does not run. Empty is none.
    calendar: NotRequired[str]
    # What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of
    # them runs, and stands for the others.
    calendar_policy: Literal['SKIP', 'DELAY']
    # Who executes the runs.
    target: Target
    # Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written.
    payload: Any
    # How many attempts a run gets before it is dead.
    max_attempts: int
    # How long to wait between attempts.
    retry: Retry
    # How long one attempt may take, 100ms to 30d.
    timeout: Duration
    # What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it
    # cancels the others. `QUEUE_ONE`: one may wait.
    concurrency_policy: Literal['FORBID', 'ALLOW', 'REPLACE', 'QUEUE_ONE']
    # With ALLOW: how many runs at once. 0 is no limit, and is left out of answers.
    max_concurrent: NotRequired[int]
    # What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none.
    # `FIRE_ALL`: each, up to `max_missed_firings`.
    misfire_policy: Literal['FIRE_ONCE', 'SKIP', 'FIRE_ALL']
    # Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on
    # time, but a second at least.
    misfire_grace: Duration
    # With FIRE_ALL: how many missed ticks run at most.
    max_missed_firings: int
    # A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d.
    start_within: Duration
    # A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d.
    stop_within: Duration
    # Among runs that are due, the one with the higher priority goes first.
    priority: int
    # For filters.
    labels: Labels
    # For people; up to 10,000 bytes.
    description: str
    # The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise.
    # The job stays where it was created; by default that is the region of the node that was asked.
    home_region: str
    # Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait
    # already keep what they were made with.
    run_in: Literal['home', 'any']
    # Changed by pause, resume and cancel.
    status: JobStatus
    # When it will run next, with the offset of its zone; null if never. Computed when read.
    next_scheduled_run: Instant | None
    # Grows with each change; the ETag begins with it.
    version: int
    # When it was created.
    created_at: Instant
    # When it was changed last.
    updated_at: Instant
    # Its last run that is over, by `scheduled_for`; null if there is none in the history.
    last_run: LastRun | None
    # How many runs have failed since the last success.
    failures_in_a_row: int
    # With status PAUSED: by whom, why, and until when.
    paused: NotRequired[Pause]

# How a job's last run went.
class LastRun(TypedDict):
    # Its id.
    run_id: RunId
    # How it ended.
    state: RunState
    # Its tick; for a run by hand, when it was asked for.
    scheduled_for: Instant
    # When its last attempt began, if one did.
    started_at: Instant | None
    # When it ended.
    finished_at: Instant
    # How long its last attempt took, if there was one.
    duration: Duration | None
    # What went wrong, if something did.
    error: str | None
    # The stable word that the error begins with, for programs; null where there is none.
    code: str | None
    # Why it is a dead letter
    reason: Literal['attempts', 'permanent', 'not_started', 'unknown_handler', 'unstuck', None]

# A job as a list shows it, without target and payload.
class JobSummary(TypedDict):
    # Never changes.
    job_id: JobId
    # The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other
    # callers name their own or none.
    tenant_id: TenantName
    # Unique within the tenant. One line, no blanks at its ends; up to 200 bytes.
    job_name: str
    # The handler a worker subscribes to; also the name of the queue. One word.
    job_type: str
    # The kind of schedule. If a request leaves it out, the other fields decide.
    schedule_type: Literal['CRON', 'EVERY', 'ONCE']
    # With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H`
    # spreads by the job's name.
    cron_expression: NotRequired[str]
    # The IANA zone the expression is read in.
    timezone: str
    # How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`.
    dialect: Literal['standard', 'quartz']
    # A local time that the clocks jump over: run when the gap ends, or skip it.
    dst_gap: Literal['RUN_AFTER', 'SKIP']
    # A local time that comes twice: run the first time, or both times.
    dst_overlap: Literal['FIRST', 'BOTH']
    # With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970.
    every: NotRequired[Duration]
    # With ONCE: when.
    run_at: NotRequired[Instant]
    # No tick before this.
    start_at: NotRequired[Instant]
    # No tick after this.
    end_at: NotRequired[Instant]
    # Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many
    # jobs spread.
    jitter: NotRequired[Duration]
    # The name of a calendar; on its days and in its windows the job does not run. Empty is none.
    calendar: NotRequired[str]
    # What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of
    # them runs, and stands for the others.
    calendar_policy: Literal['SKIP', 'DELAY']
    # How many attempts a run gets before it is dead.
    max_attempts: int
    # How long to wait between attempts.
    retry: Retry
    # How long one attempt may take, 100ms to 30d.
    timeout: Duration
    # What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it
    # cancels the others. `QUEUE_ONE`: one may wait.
    concurrency_policy: Literal['FORBID', 'ALLOW', 'REPLACE', 'QUEUE_ONE']
    # With ALLOW: how many runs at once. 0 is no limit, and is left out of answers.
    max_concurrent: NotRequired[int]
    # What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none.
    # `FIRE_ALL`: each, up to `max_missed_firings`.
    misfire_policy: Literal['FIRE_ONCE', 'SKIP', 'FIRE_ALL']
    # Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on
    # time, but a second at least.
    misfire_grace: Duration
    # With FIRE_ALL: how many missed ticks run at most.
    max_missed_firings: int
    # Among runs that are due, the one with the higher priority goes first.
    priority: int
    # A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d.
    start_within: Duration
    # A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d.
    stop_within: Duration
    # For filters.
    labels: Labels
    # For people; up to 10,000 bytes.
    description: str
    # The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise.
    # The job stays where it was created; by default that is the region of the node that was asked.
    home_region: str
    # Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait
    # already keep what they were made with.
    run_in: Literal['home', 'any']
    # Changed by pause, resume and cancel.
    status: JobStatus
    # When it will run next, with the offset of its zone; null if never. Computed when read.
    next_scheduled_run: Instant | None
    # Grows with each change; the ETag begins with it.
    version: int
    # When it was created.
    created_at: Instant
    # When it was changed last.
    updated_at: Instant
    # Its last run that is over, by `scheduled_for`; null if there is none in the history.
    last_run: LastRun | None
    # How many runs have failed since the last success.
    failures_in_a_row: int
    # With status PAUSED: by whom, why, and until when.
    paused: NotRequired[Pause]

# A page of jobs.
class JobPage(TypedDict):
    # In the order of their names.
    items: list[JobSummary]
    next_cursor: NextCursor

# A job as a user writes it. It needs a schedule: `cron_expression`, `every`, `run_at` or `delay`. Fields that Belfry
# adds (job_id, status, …) are ignored, so that what was read can be sent back.
class JobDefinition(TypedDict):
    # Never changes.
    job_id: NotRequired[JobId]
    # The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other
    # callers name their own or none.
    tenant_id: NotRequired[TenantName]
    # Unique within the tenant. One line, no blanks at its ends; up to 200 bytes.
    job_name: str
    # The handler a worker subscribes to; also the name of the queue. One word.
    job_type: NotRequired[str]
    # The kind of schedule. If a request leaves it out, the other fields decide.
    schedule_type: NotRequired[Literal['CRON', 'EVERY', 'ONCE']]
    # With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H`
    # spreads by the job's name.
    cron_expression: NotRequired[str]
    # The IANA zone the expression is read in.
    timezone: NotRequired[str]
    # How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`.
    dialect: NotRequired[Literal['standard', 'quartz']]
    # A local time that the clocks jump over: run when the gap ends, or skip it.
    dst_gap: NotRequired[Literal['RUN_AFTER', 'SKIP']]
    # A local time that comes twice: run the first time, or both times.
    dst_overlap: NotRequired[Literal['FIRST', 'BOTH']]
    # With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970.
    every: NotRequired[Duration]
    # With ONCE: when.
    run_at: NotRequired[Instant]
    # No tick before this.
    start_at: NotRequired[Instant]
    # No tick after this.
    end_at: NotRequired[Instant]
    # Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many
    # jobs spread.
    jitter: NotRequired[Duration]
    # The name of a calendar; on its days and in its windows the job does not run. Empty is none.
    calendar: NotRequired[str]
    # What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of
    # them runs, and stands for the others.
    calendar_policy: NotRequired[Literal['SKIP', 'DELAY']]
    # Who executes the runs.
    target: NotRequired[Target]
    # Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written.
    payload: NotRequired[Any]
    # How many attempts a run gets before it is dead.
    max_attempts: NotRequired[int]
    # How long to wait between attempts.
    retry: NotRequired[Retry]
    # How long one attempt may take, 100ms to 30d.
    timeout: NotRequired[Duration]
    # What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it
    # cancels the others. `QUEUE_ONE`: one may wait.
    concurrency_policy: NotRequired[Literal['FORBID', 'ALLOW', 'REPLACE', 'QUEUE_ONE']]
    # With ALLOW: how many runs at once. 0 is no limit, and is left out of answers.
    max_concurrent: NotRequired[int]
    # What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none.
    # `FIRE_ALL`: each, up to `max_missed_firings`.
    misfire_policy: NotRequired[Literal['FIRE_ONCE', 'SKIP', 'FIRE_ALL']]
    # Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on
    # time, but a second at least.
    misfire_grace: NotRequired[Duration]
    # With FIRE_ALL: how many missed ticks run at most.
    max_missed_firings: NotRequired[int]
    # A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d.
    start_within: NotRequired[Duration]
    # A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d.
    stop_within: NotRequired[Duration]
    # Among runs that are due, the one with the higher priority goes first.
    priority: NotRequired[int]
    # For filters.
    labels: NotRequired[Labels]
    # For people; up to 10,000 bytes.
    description: NotRequired[str]
    # The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise.
    # The job stays where it was created; by default that is the region of the node that was asked.
    home_region: NotRequired[str]
    # Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait
    # already keep what they were made with.
    run_in: NotRequired[Literal['home', 'any']]
    # Changed by pause, resume and cancel.
    status: NotRequired[JobStatus]
    # When it will run next, with the offset of its zone; null if never. Computed when read.
    next_scheduled_run: NotRequired[Instant | None]
    # Grows with each change; the ETag begins with it.
    version: NotRequired[int]
    # When it was created.
    created_at: NotRequired[Instant]
    # When it was changed last.
    updated_at: NotRequired[Instant]
    # Its last run that is over, by `scheduled_for`; null if there is none in the history.
    last_run: NotRequired[LastRun | None]
    # How many runs have failed since the last success.
    failures_in_a_row: NotRequired[int]
    # With status PAUSED: by whom, why, and until when.
    paused: NotRequired[Pause]
    # With ONCE, instead of `run_at`: how long from now, up to 3660d.
    delay: NotRequired[Duration]
    # Short for `"target": {"kind": "HTTP", "url": …}`.
    handler_url: NotRequired[str]
    # `true` is short for `"concurrency_policy": "ALLOW"`.
    allow_overlap: NotRequired[bool]

# A job as a user writes it, under the name that the path gives.
class JobReplacement(TypedDict):
    # Never changes.
    job_id: NotRequired[JobId]
    # The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other
    # callers name their own or none.
    tenant_id: NotRequired[TenantName]
    # Unique within the tenant. One line, no blanks at its ends; up to 200 bytes.
    job_name: NotRequired[str]
    # The handler a worker subscribes to; also the name of the queue. One word.
    job_type: NotRequired[str]
    # The kind of schedule. If a request leaves it out, the other fields decide.
    schedule_type: NotRequired[Literal['CRON', 'EVERY', 'ONCE']]
    # With CRON: five fields, six (with seconds) or seven (with seconds and year), or a macro such as `@daily`. `H`
    # spreads by the job's name.
    cron_expression: NotRequired[str]
    # The IANA zone the expression is read in.
    timezone: NotRequired[str]
    # How the expression is read; `quartz` counts weekdays from 1 (Sunday) and knows `?`.
    dialect: NotRequired[Literal['standard', 'quartz']]
    # A local time that the clocks jump over: run when the gap ends, or skip it.
    dst_gap: NotRequired[Literal['RUN_AFTER', 'SKIP']]
    # A local time that comes twice: run the first time, or both times.
    dst_overlap: NotRequired[Literal['FIRST', 'BOTH']]
    # With EVERY: the interval, 1s to 3660d in whole seconds, counted from `start_at` or from 1970.
    every: NotRequired[Duration]
    # With ONCE: when.
    run_at: NotRequired[Instant]
    # No tick before this.
    start_at: NotRequired[Instant]
    # No tick after this.
    end_at: NotRequired[Instant]
    # Up to 7d. Moves all ticks later by a part of this that the tenant and the job's name fix, so that many
    # jobs spread.
    jitter: NotRequired[Duration]
    # The name of a calendar; on its days and in its windows the job does not run. Empty is none.
    calendar: NotRequired[str]
    # What becomes of ticks at the times of its calendar: `SKIP`, or `DELAY`: when the calendar opens, the newest of
    # them runs, and stands for the others.
    calendar_policy: NotRequired[Literal['SKIP', 'DELAY']]
    # Who executes the runs.
    target: NotRequired[Target]
    # Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written.
    payload: NotRequired[Any]
    # How many attempts a run gets before it is dead.
    max_attempts: NotRequired[int]
    # How long to wait between attempts.
    retry: NotRequired[Retry]
    # How long one attempt may take, 100ms to 30d.
    timeout: NotRequired[Duration]
    # What a tick does while a run of the job is live. `FORBID`: it is skipped. `ALLOW`: it runs beside. `REPLACE`: it
    # cancels the others. `QUEUE_ONE`: one may wait.
    concurrency_policy: NotRequired[Literal['FORBID', 'ALLOW', 'REPLACE', 'QUEUE_ONE']]
    # With ALLOW: how many runs at once. 0 is no limit, and is left out of answers.
    max_concurrent: NotRequired[int]
    # What becomes of ticks that nobody could decide in time. `FIRE_ONCE`: the newest stands for all. `SKIP`: none.
    # `FIRE_ALL`: each, up to `max_missed_firings`.
    misfire_policy: NotRequired[Literal['FIRE_ONCE', 'SKIP', 'FIRE_ALL']]
    # Ticks older than this are given up, up to 3660d. Below 10s it is also how late a tick may be and still be on
    # time, but a second at least.
    misfire_grace: NotRequired[Duration]
    # With FIRE_ALL: how many missed ticks run at most.
    max_missed_firings: NotRequired[int]
    # A run that nobody has started within this time of being due is a dead letter (`not_started`). From 1s to 3660d.
    start_within: NotRequired[Duration]
    # A cancelled run has this time to stop; then it is taken from its worker. From 1s to 1d.
    stop_within: NotRequired[Duration]
    # Among runs that are due, the one with the higher priority goes first.
    priority: NotRequired[int]
    # For filters.
    labels: NotRequired[Labels]
    # For people; up to 10,000 bytes.
    description: NotRequired[str]
    # The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise.
    # The job stays where it was created; by default that is the region of the node that was asked.
    home_region: NotRequired[str]
    # Whose workers may have its runs: `home` those of its home region, `any` those of any region. Runs that wait
    # already keep what they were made with.
    run_in: NotRequired[Literal['home', 'any']]
    # Changed by pause, resume and cancel.
    status: NotRequired[JobStatus]
    # When it will run next, with the offset of its zone; null if never. Computed when read.
    next_scheduled_run: NotRequired[Instant | None]
    # Grows with each change; the ETag begins with it.
    version: NotRequired[int]
    # When it was created.
    created_at: NotRequired[Instant]
    # When it was changed last.
    updated_at: NotRequired[Instant]
    # Its last run that is over, by `scheduled_for`; null if there is none in the history.
    last_run: NotRequired[LastRun | None]
    # How many runs have failed since the last success.
    failures_in_a_row: NotRequired[int]
    # With status PAUSED: by whom, why, and until when.
    paused: NotRequired[Pause]
    # With ONCE, instead of `run_at`: how long from now, up to 3660d.
    delay: NotRequired[Duration]
    # Short for `"target": {"kind": "HTTP", "url": …}`.
    handler_url: NotRequired[str]
    # `true` is short for `"concurrency_policy": "ALLOW"`.
    allow_overlap: NotRequired[bool]

# A job as it was from one change to the next.
class Revision(TypedDict):
    # Its number.
    version: int
    # When the job became this.
    created_at: Instant
    # The job's status then.
    status: Literal['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED', 'DELETED']
    # The fields that differ from the version before; empty where none is known.
    changed: list[str]
    # What it was; without labels and description if Belfry 0.1 wrote it.
    definition: JobReplacement

# A page of revisions.
class RevisionPage(TypedDict):
    # The newest first.
    items: list[Revision]
    next_cursor: NextCursor

# Some fields of a job; null resets one to its default. Fields that Belfry adds are ignored.
class JobPatch(TypedDict):
    # Never changes.
    job_id: NotRequired[JobId]
    # Changed by pause, resume and cancel.
    status: NotRequired[JobStatus]
    # When it will run next, with the offset of its zone; null if never. Computed when read.
    next_scheduled_run: NotRequired[Instant | None]
    # Grows with each change; the ETag begins with it.
    version: NotRequired[int]
    # When it was created.
    created_at: NotRequired[Instant]
    # When it was changed last.
    updated_at: NotRequired[Instant]
    # Its last run that is over, by `scheduled_for`; null if there is none in the history.
    last_run: NotRequired[LastRun | None]
    # How many runs have failed since the last success.
    failures_in_a_row: NotRequired[int]
    # With status PAUSED: by whom, why, and until when.
    paused: NotRequired[Pause]
    # The tenant the job belongs to. In a request root may name any tenant, the same one in all jobs of a call; other
    # callers name their own or none.
    tenant_id: NotRequired[TenantName]
    # Unique within the tenant. One line, no blanks at its ends; up to 200 bytes.
    job_name: NotRequired[str]
    # The kind of schedule. If a request leaves it out, the other fields decide.
    schedule_type: NotRequired[Literal['CRON', 'EVERY', 'ONCE']]
    job_type: NotRequired[str | None]
    cron_expression: NotRequired[str | None]
    timezone: NotRequired[str | None]
    dialect: NotRequired[Literal['standard', 'quartz'] | None]
    dst_gap: NotRequired[Literal['RUN_AFTER', 'SKIP'] | None]
    dst_overlap: NotRequired[Literal['FIRST', 'BOTH'] | None]
    every: NotRequired[Duration | None]
    run_at: NotRequired[Instant | None]
    delay: NotRequired[Duration | None]
    start_at: NotRequired[Instant | None]
    end_at: NotRequired[Instant | None]
    jitter: NotRequired[Duration | None]
    calendar: NotRequired[str | None]
    calendar_policy: NotRequired[Literal['SKIP', 'DELAY'] | None]
    # Merged into the present target, if the kind stays the same; null resets it to a worker.
    target: NotRequired[dict[str, Any] | None]
    # Short for `"target": {"kind": "HTTP", "url": …}`.
    handler_url: NotRequired[str]
    # Any JSON, up to 64 KiB. Handed to what executes the run, byte for byte as it was written.
    payload: NotRequired[Any]
    max_attempts: NotRequired[int | None]
    retry: NotRequired[Retry | None]
    timeout: NotRequired[Duration | None]
    concurrency_policy: NotRequired[Literal['FORBID', 'ALLOW', 'REPLACE', 'QUEUE_ONE'] | None]
    max_concurrent: NotRequired[int | None]
    # `true` is short for `"concurrency_policy": "ALLOW"`.
    allow_overlap: NotRequired[bool]
    misfire_policy: NotRequired[Literal['FIRE_ONCE', 'SKIP', 'FIRE_ALL'] | None]
    misfire_grace: NotRequired[Duration | None]
    max_missed_firings: NotRequired[int | None]
    priority: NotRequired[int | None]
    start_within: NotRequired[Duration | None]
    stop_within: NotRequired[Duration | None]
    # Merged into the present labels; a label with null is removed.
    labels: NotRequired[dict[str, str | None] | None]
    description: NotRequired[str | None]
    # The region whose nodes decide the job's ticks, and whose workers have its runs unless `run_in` says otherwise.
    # The job stays where it was created; by default that is the region of the node that was asked.
    home_region: NotRequired[str]
    run_in: NotRequired[Literal['home', 'any'] | None]

# Exponential backoff with full jitter: each wait is drawn between 0 and min(cap, base * 2^n).
class Retry(TypedDict):
    # The first wait at most, 1ms to 7d.
    base: NotRequired[Duration]
    # Any wait at most, up to 7d, not below the base.
    cap: NotRequired[Duration]

# Who paused a job, and why.
class Pause(TypedDict):
    # Who did it, as the audit names them.
    by: str
    # What they said.
    note: str
    # When it resumes by itself; null if somebody has to resume it.
    until: Instant | None

# How to pause.
class PauseRequest(TypedDict):
    # Resume by itself then. Not in the past.
    until: NotRequired[Instant]
    # Why, for others to read.
    note: NotRequired[str]

# The work is done elsewhere and reports by a token (`/jobs/{job}/checkin`); silence is a failure. Other defaults:
# `max_attempts` is always 1, `misfire_policy` SKIP, `start_within` 1h, `timeout` 1h.
class CheckinTarget(TypedDict):
    # Always CHECKIN.
    kind: Literal['CHECKIN']

# What is known of the work. All of it may be left out.
class CheckinReport(TypedDict):
    # The run that `start` answered with: its end is then safe to repeat.
    run_id: NotRequired[str]
    # Of the command.
    exit_code: NotRequired[int]
    # Its last lines: the log of the run; of a failure, the last line is in its error.
    output: NotRequired[str]

# To which run the report belongs.
class CheckinAnswer(TypedDict):
    # `TAKEN`: by the run of a tick, or by the one that was started. `EARLY`: it is kept for a tick that is
    # not decided yet (up to a minute away, but at most a quarter of the time between ticks). `EXTRA`: no tick
    # is near, so it is a run of its own, of origin MANUAL. `AGAIN`: the run has started, or is over, already;
    # nothing was changed.
    fate: Literal['TAKEN', 'EARLY', 'EXTRA', 'AGAIN']
    # Null with `EARLY`.
    run_id: str | None

# The token by which a job reports, without itself.
class Checkin(TypedDict):
    # When it was made.
    created_at: Instant
    # By whom.
    created_by: str

# A token that was just made.
class NewCheckin(TypedDict):
    # The token. It is not shown again.
    token: str
    # Where to report: POST to it, or to `/start`, `/ok` and `/fail` below it.
    path: str
    # When it was made.
    created_at: Instant
    # By whom.
    created_by: str

# A worker that claims runs of the job's type.
class WorkerTarget(TypedDict):
    # Always WORKER.
    kind: Literal['WORKER']

# A call by Standard Webhooks. 2xx is success; 202 with `Belfry-Async: true` waits for `runs:complete`; 408, 425, 429
# and 5xx are tried again; other answers are failures for good.
class HttpTarget(TypedDict):
    # Always HTTP.
    kind: Literal['HTTP']
    # Where to call, http or https. What its query gives for a name such as `token` or `api_key` is a secret, shown as
    # `********` like `secret`.
    url: str
    # How to call.
    method: NotRequired[Literal['POST', 'GET', 'PUT', 'PATCH', 'DELETE']]
    # Sent along. Belfry sets those that begin with `webhook-` or `belfry-`, `Idempotency-Key` and `traceparent`
    # itself. Their values are secrets, shown as `********` like `secret`, but for Accept, Accept-Encoding, Accept-
    # Language, Cache-Control, Content-Type, Prefer and User-Agent.
    headers: NotRequired[dict[str, str | SecretRef]]
    # In place of `secret`: the name of a secret that is kept (`PUT /secrets/{secret}`).
    secret_ref: NotRequired[str]
    # Signs the calls (`whsec_…`). Of several, with blanks between them, each signs. Shown as `********`; if that is
    # sent back, the present one is kept.
    secret: NotRequired[str]

# The name of a secret that is kept.
class SecretRef(TypedDict):
    # The secret's name.
    secret_ref: str

# A message (CloudEvents 1.0) on a topic.
class TopicTarget(TypedDict):
    # Always TOPIC.
    kind: Literal['TOPIC']
    # The name of a broker in the server's configuration.
    broker: str
    # Where to publish.
    topic: str

# A program, run by an exec worker.
class ExecTarget(TypedDict):
    # Always EXEC.
    kind: Literal['EXEC']
    # The program and its arguments; no shell is involved.
    command: list[str]

# Many jobs.
class JobBatch(TypedDict):
    # To create, or to replace by name. Each name once.
    jobs: list[JobDefinition]
    # All or nothing; false keeps the good ones.
    atomic: NotRequired[bool]
    # Jobs that are created start paused.
    paused: NotRequired[bool]
    # Check everything, say what would be done or what is wrong, and change nothing.
    dry_run: NotRequired[bool]

# What became of a batch.
class JobBatchResult(TypedDict):
    # How many were created.
    created: int
    # How many were replaced.
    replaced: int
    # How many were already defined just like this.
    unchanged: int
    # How many an earlier request with the same Idempotency-Key had created or replaced.
    repeated: int
    # How many were refused.
    refused: int
    # Whether all of it is only what would be done.
    dry_run: bool
    # For each job of the request, in its order.
    items: list[JobBatchItem]

# A job of a dry run.
class PlannedJob(TypedDict):
    # What would be done with it.
    outcome: Literal['CREATED', 'REPLACED', 'UNCHANGED']
    # Its name.
    job_name: str

# A job of a batch that is there now.
class RegisteredJob(TypedDict):
    # What was done with it.
    outcome: Literal['CREATED', 'REPLACED', 'UNCHANGED', 'REPEATED']
    # Its id.
    job_id: JobId
    # Its name.
    job_name: str
    # Its version now.
    version: int

# A job of a batch that was refused.
class RefusedJob(TypedDict):
    # Always REFUSED.
    outcome: Literal['REFUSED']
    # What is wrong with it.
    errors: list[FieldError]

# How to run a job now.
class TriggerRequest(TypedDict):
    # Any JSON, up to 64 KiB, instead of the job's payload.
    payload: NotRequired[Any]

# Which ticks to make up for.
BackfillRequest = TypedDict(
    "BackfillRequest",
    {
        "from": 'Instant',
        "to": 'Instant',
        "dry_run": 'NotRequired[bool]',
    },
)

# What became of each tick of the window, or would.
class BackfillReport(TypedDict):
    # Whether nothing was written.
    dry_run: bool
    # How many ticks the schedule has there.
    ticks: int
    # How many got a run.
    created: int
    # How many a calendar or a clock change leaves out.
    excluded: int
    # How many the schedule itself will still decide.
    undecided: int
    # Those that have a run already; to run one again, retry it.
    existing: list[ExistingRun]

# A run that exists.
class ExistingRun(TypedDict):
    # Its id.
    run_id: RunId
    # Its tick.
    scheduled_for: Instant

# How to cancel a job.
class CancelRequest(TypedDict):
    # What becomes of its runs that wait.
    ready_runs: NotRequired[ReadyRuns]

# The jobs that match all of it. All jobs are meant only by `{"all":true}`.
class JobSelector(TypedDict):
    # Each `name=value`, `name!=value` (jobs without the label, too) or `name in (one,two)`.
    labels: NotRequired[list[str]]
    # The beginning of the name.
    name_prefix: NotRequired[str]
    # A part of the name; ASCII letters match in either case.
    name_contains: NotRequired[str]
    # The status.
    status: NotRequired[Literal['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED']]
    # The type.
    job_type: NotRequired[str]
    # Only jobs whose last run failed.
    failing: NotRequired[bool]
    # Every job; needed where nothing else is given.
    all: NotRequired[bool]

# What to do to which jobs.
class JobsBulk(TypedDict):
    # What to do.
    action: Literal['pause', 'resume', 'cancel', 'delete', 'trigger', 'label']
    # To which jobs.
    selector: JobSelector
    # With `pause`: when the jobs resume by themselves.
    until: NotRequired[Instant]
    # With `label`: labels to give.
    set: NotRequired[dict[str, str]]
    # With `label`: names of labels to take away.
    remove: NotRequired[list[str]]
    # With `cancel` and `delete`: what becomes of runs that wait.
    ready_runs: NotRequired[ReadyRuns]
    # Why; kept in the audit of each job.
    note: NotRequired[str]
    # Only say how many jobs match.
    dry_run: NotRequired[bool]

# What to do to which runs.
class RunsBulk(TypedDict):
    # What to do: cancel runs that live, retry those that are over.
    action: Literal['cancel', 'retry']
    # To which runs.
    selector: RunSelector
    # Why.
    note: NotRequired[str]
    # Only say how many runs match.
    dry_run: NotRequired[bool]

# The runs that match all of it.
RunSelector = TypedDict(
    "RunSelector",
    {
        "state": "Literal['READY', 'RUNNING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'TIMED_OUT']",
        "job_id": 'NotRequired[str]',
        "from": 'NotRequired[Instant]',
        "to": 'NotRequired[Instant]',
    },
)

# How much a selector means.
class BulkTrial(TypedDict):
    # Always true.
    dry_run: bool
    # How many match now.
    matched: int
    # Whether all were looked at; if not
    exact: bool
    # The first of them.
    samples: list[dict[str, Any]]

# Work on many jobs or runs.
class Bulk(TypedDict):
    # Its id.
    bulk_id: str
    # What it works on.
    object: Literal['jobs', 'runs']
    # What is done.
    action: Literal['pause', 'resume', 'cancel', 'delete', 'trigger', 'label', 'retry']
    # To which of them.
    selector: dict[str, Any]
    # What else was said: `until`, `set`, `remove`, `ready_runs`.
    arguments: dict[str, Any]
    # Whether it goes on.
    state: Literal['RUNNING', 'DONE', 'STOPPED']
    # How many matched when it began.
    total: int
    # Whether that is all; if not, there may be more.
    exact: bool
    # How many were changed.
    done: int
    # How many were as wanted already or are not for this action.
    skipped: int
    # How many could not be changed.
    failed: int
    # Why the first of these could not.
    error: str
    # Why it was asked for.
    note: str
    # Who asked for it.
    created_by: str
    # When it began.
    created_at: Instant
    # When it ended, if it has.
    finished_at: Instant | None

# A page of bulk work.
class BulkPage(TypedDict):
    # The newest first.
    items: list[Bulk]
    next_cursor: NextCursor

# A run.
class Run(TypedDict):
    # Its id.
    run_id: RunId
    # Its job.
    job_id: JobId
    # What the job was called.
    job_name: str
    # The type its worker subscribes to.
    job_type: str
    # The tenant of its job.
    tenant_id: TenantName
    # Where it is in its life.
    state: RunState
    # Where it comes from.
    origin: RunOrigin
    # Its tick; for a run by hand, when it was asked for.
    scheduled_for: Instant
    # When it was made.
    decided_at: Instant
    # Of a live run: when it may be handed out. Otherwise null.
    due_at: Instant | None
    # When its last attempt began, if one did.
    started_at: Instant | None
    # When it was over, if it is.
    finished_at: Instant | None
    # From the start of the last attempt to the end, if it is over.
    duration: Duration | None
    # How many attempts began.
    attempts: int
    # How many there may be.
    max_attempts: int
    # Who has or had it last, if anybody.
    worker: str | None
    # What its worker said it did: any JSON, null if nothing.
    result: Any
    # What went wrong last, if something did.
    error: str | None
    # The stable word that the error begins with, for programs: `exit_3`, `signal_SIGKILL`, `status_503`, `timeout`,
    # `refused`; null where there is none.
    code: str | None
    # Why it is a dead letter: its attempts are used up, its worker said that trying again is useless, nobody started
    # it in time (`start_within`), its worker does not know its type, or somebody took it from its worker. Null if it
    # is none.
    reason: Literal['attempts', 'permanent', 'not_started', 'unknown_handler', 'unstuck', None]
    # The fence of its last attempt; 0 before the first.
    fence: int
    # How many missed ticks it stands for, itself included.
    stands_for: int
    # The version of the job it was made by.
    job_version: int
    # Somebody cancelled it and its worker does not know yet.
    cancel_requested: bool
    # Of a running one: when its worker loses it, unless it beats before.
    lease_until: Instant | None
    # Of a running one: when its attempt times out.
    deadline: Instant | None

# A run with its payload and its attempts.
class RunDetail(TypedDict):
    # Its id.
    run_id: RunId
    # Its job.
    job_id: JobId
    # What the job was called.
    job_name: str
    # The type its worker subscribes to.
    job_type: str
    # The tenant of its job.
    tenant_id: TenantName
    # Where it is in its life.
    state: RunState
    # Where it comes from.
    origin: RunOrigin
    # Its tick; for a run by hand, when it was asked for.
    scheduled_for: Instant
    # When it was made.
    decided_at: Instant
    # Of a live run: when it may be handed out. Otherwise null.
    due_at: Instant | None
    # When its last attempt began, if one did.
    started_at: Instant | None
    # When it was over, if it is.
    finished_at: Instant | None
    # From the start of the last attempt to the end, if it is over.
    duration: Duration | None
    # How many attempts began.
    attempts: int
    # How many there may be.
    max_attempts: int
    # Who has or had it last, if anybody.
    worker: str | None
    # What its worker said it did: any JSON, null if nothing.
    result: Any
    # What went wrong last, if something did.
    error: str | None
    # The stable word that the error begins with, for programs: `exit_3`, `signal_SIGKILL`, `status_503`, `timeout`,
    # `refused`; null where there is none.
    code: str | None
    # Why it is a dead letter: its attempts are used up, its worker said that trying again is useless, nobody started
    # it in time (`start_within`), its worker does not know its type, or somebody took it from its worker. Null if it
    # is none.
    reason: Literal['attempts', 'permanent', 'not_started', 'unknown_handler', 'unstuck', None]
    # The fence of its last attempt; 0 before the first.
    fence: int
    # How many missed ticks it stands for, itself included.
    stands_for: int
    # The version of the job it was made by.
    job_version: int
    # Somebody cancelled it and its worker does not know yet.
    cancel_requested: bool
    # Of a running one: when its worker loses it, unless it beats before.
    lease_until: Instant | None
    # Of a running one: when its attempt times out.
    deadline: Instant | None
    # What is handed to what executes the run: any JSON, byte for byte as it was written.
    payload: Any
    # The node that made it.
    node_id: str
    # The generation of ownership under which it was made.
    epoch: int
    # The attempts that are over, the first one first.
    attempt_history: list[Attempt]

# A page of runs.
class RunPage(TypedDict):
    # The newest first.
    items: list[Run]
    next_cursor: NextCursor

# One try to execute a run.
class Attempt(TypedDict):
    # The run's id, `-`, and the number of the attempt.
    attempt_id: str
    # The number of the attempt, from 1.
    attempt: int
    # Under which it was handed out.
    fence: Fence
    # How it ended. `LEASE_LOST`: its worker sent no more heartbeats.
    outcome: Literal['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'LEASE_LOST', 'CANCELLED']
    # When it began.
    started_at: Instant
    # When it ended.
    finished_at: Instant
    # How long it took.
    duration: Duration
    # Who had it.
    worker: str
    # What went wrong, if something did.
    error: str | None
    # The stable word that the error begins with, for programs: `exit_3`, `signal_SIGKILL`, `status_503`, `timeout`,
    # `refused`; null where there is none.
    code: str | None

# A page of the ledger.
class TickPage(TypedDict):
    # Ticks with their fates.
    items: list[Tick]
    next_cursor: NextCursor

# A tick that became a run.
class TickRun(TypedDict):
    # Always RUN.
    kind: Literal['RUN']
    # The tick.
    scheduled_for: Instant
    # Its run.
    run_id: RunId
    # How far the run is.
    state: RunState
    # Where the run comes from.
    origin: RunOrigin
    # When it was decided.
    decided_at: Instant
    # When the last attempt began, if one did.
    started_at: Instant | None
    # When the run was over, if it is.
    finished_at: Instant | None
    # How many attempts began.
    attempts: int
    # How many missed ticks the run stands for, itself included.
    stands_for: int
    # Who has or had it last, if anybody.
    worker: str | None
    # What went wrong last, if something did.
    error: str | None
    # The version of the job that ticked.
    job_version: int
    # The generation of ownership under which it was decided.
    epoch: int

# Ticks that got no run.
TickSkip = TypedDict(
    "TickSkip",
    {
        "kind": "Literal['SKIP']",
        "from": 'Instant',
        "to": 'Instant',
        "count": 'int',
        "reason": 'SkipReason',
        "epoch": 'int',
    },
)

# Why a job did or did not run at an instant.
class Explanation(TypedDict):
    # The instant in question, with the offset of the job's zone.
    at: Instant
    # `run`: there is a run; its state says the rest. `no_job`: the job did not exist then. `not_matching`: the
    # schedule has no tick there. `not_yet`: it lies in the future. `undecided`: it is due and about to be decided.
    # `forgotten`: it was decided, longer ago than the history is kept. Any other word is the reason of a skip.
    verdict: Literal['run', 'no_job', 'not_matching', 'not_yet', 'undecided', 'forgotten', 'paused', 'cancelled', 'calendar', 'out_of_bounds', 'dst_gap', 'misfire_expired', 'misfire_coalesced', 'misfire_skipped', 'misfire_limit', 'overlap', 'overlap_replaced', 'quota', 'schedule_changed', 'calendar_coalesced', 'commits_lost', 'restored']
    # The verdict in words.
    sentence: str
    # What is behind the verdict, as a stable word: the code of a `Trouble`; of a live run `waiting`, `no_check_in`,
    # `calendar`, `in_line`, `put_off`, `own_run`, `running`, `retrying`, `cancelling` or `lease_over`; of one that is
    # over and did not succeed `attempts`, `permanent`, `not_started`, `unknown_handler`, `unstuck`, `cancelled`,
    # `timed_out` or `overlap_replaced`. Null where the verdict says it all.
    cause: str | None
    # When that began, if it is known.
    since: Instant | None
    # The id of the run that was, or is, in the way.
    blocked_by: str | None
    # What was looked at, in order.
    checks: list[Check]
    # The run, if there is one.
    run: Run | None
    # The skip the instant lies in, if it does.
    skip: TickSkip | None
    # The last tick before the instant, if there is one.
    before: Instant | None
    # The first tick after the instant, if there is one.
    after: Instant | None
    # What is wrong now that concerns this job.
    problems: list[Trouble]

# One thing that was looked at.
class Check(TypedDict):
    # `existed`: the job was there. `matches`: its schedule has a tick there. `active`: it was neither paused nor
    # cancelled. `decided`: the tick got a fate. `run`: the fate was a run. `started`: somebody got the run.
    # `succeeded`: it ended well.
    check: Literal['existed', 'matches', 'active', 'decided', 'run', 'started', 'succeeded']
    # Null where it was not reached or is still open.
    passed: bool | None
    # What was found.
    detail: str
    # What to do about it, where something can be done.
    remedy: NotRequired[str]

# A schedule to look at. The fields of a job's schedule, and what to show.
PreviewRequest = TypedDict(
    "PreviewRequest",
    {
        "job_name": 'NotRequired[str]',
        "schedule_type": "NotRequired[Literal['CRON', 'EVERY', 'ONCE']]",
        "cron_expression": 'NotRequired[str]',
        "timezone": 'NotRequired[str]',
        "dialect": "NotRequired[Literal['standard', 'quartz']]",
        "dst_gap": "NotRequired[Literal['RUN_AFTER', 'SKIP']]",
        "dst_overlap": "NotRequired[Literal['FIRST', 'BOTH']]",
        "every": 'NotRequired[Duration]',
        "run_at": 'NotRequired[Instant]',
        "delay": 'NotRequired[Duration]',
        "start_at": 'NotRequired[Instant]',
        "end_at": 'NotRequired[Instant]',
        "jitter": 'NotRequired[Duration]',
        "calendar": 'NotRequired[str]',
        "calendar_policy": "NotRequired[Literal['SKIP', 'DELAY']]",
        "from": 'NotRequired[Instant]',
        "count": 'NotRequired[int]',
    },
)

# What a schedule means.
class Preview(TypedDict):
    # The schedule in words.
    sentence: str
    # The zone it is read in.
    timezone: str
    # The next instants it will run at, with the offset of the zone; days and windows of its calendar are left out.
    next: list[Instant]
    # Of `next`, those that the calendar delays, with the time that each is for.
    delayed: list[DelayedRun]
    # What its author may not expect, the most serious first.
    warnings: list[Warning]

# A run that waits for its calendar to open.
class DelayedRun(TypedDict):
    # The tick.
    scheduled_for: Instant
    # When it starts.
    starts_at: Instant

# Something legal in a schedule that its author may not expect.
class Warning(TypedDict):
    # A stable word.
    code: Literal['never_fires', 'end_of_schedule', 'both_day_fields', 'some_months_skipped', 'uneven_step', 'every_second', 'sub_minute', 'dst_gap', 'dst_overlap', 'dst_interval']
    # In words.
    message: str
    # The instant it is about, if there is one.
    at: NotRequired[Instant]

# What the author of a job may not expect.
class JobWarnings(TypedDict):
    # Those of its schedule, the most serious first; then those of its target.
    warnings: list[JobWarning]

# Something legal in a job that its author may not expect.
class JobWarning(TypedDict):
    # A stable word: one of those of a schedule, or `no_worker`, `unknown_broker`, `unknown_host`.
    code: str
    # In words.
    message: str
    # The instant it is about, if there is one.
    at: NotRequired[Instant]

# Who takes runs, and what waits for them.
class Workers(TypedDict):
    # The database's clock.
    now: Instant
    # By name.
    workers: list[Worker]
    # Where live runs of the tenant wait, as of a few seconds ago.
    queues: list[QueueState]
    # False: there are more workers, or more runs in their hands, than were looked at.
    exact: bool

# Somebody who takes runs.
class Worker(TypedDict):
    # What it calls itself.
    worker: str
    # Where it works; null, like the next three: it has not asked this node lately.
    region: str | None
    # Whose runs it takes, ten queues at most; empty if it has not asked this node lately.
    takes: list[QueueName]
    # How many runs it wanted when it asked the last time.
    room: int | None
    # When that was.
    asked_at: Instant | None
    # How many runs it holds.
    running: int
    # The newest ten of them.
    runs: list[HeldRun]

# A run in a worker's hands.
class HeldRun(TypedDict):
    # Its id.
    run_id: RunId
    # Its job.
    job_name: str
    # Its type.
    job_type: str
    # When it was handed out.
    started_at: Instant | None

# Where runs wait: those for workers and commands (`EXEC`) by type, messages (`TOPIC`) by broker, webhooks (`HTTP`)
# and check-ins together.
class QueueName(TypedDict):
    # The kind of target.
    kind: Literal['WORKER', 'EXEC', 'HTTP', 'TOPIC', 'CHECKIN']
    # The job type or the broker; empty for webhooks and check-ins.
    name: str

# Where runs wait, and how long.
class QueueState(TypedDict):
    # The kind of target.
    kind: Literal['WORKER', 'EXEC', 'HTTP', 'TOPIC', 'CHECKIN']
    # The job type or the broker; empty for webhooks and check-ins.
    name: str
    # Whose workers may have the runs, if there are several regions and not all of them.
    region: str | None
    # Runs that could start: due, and none of their own job in the way.
    waiting: int
    # When the first of them was due.
    waiting_since: Instant | None
    # Runs in somebody's hands.
    running: int
    # Since when the longest.
    running_since: Instant | None
    # Whether a worker has asked this node for them in the last two minutes.
    asked_for: bool

# What a worker wants.
class ClaimRequest(TypedDict):
    # Who asks, for the history.
    worker_id: str
    # The types whose runs for workers it can work on; runs with other targets are not handed out by type. This or
    # `exec_types` is required.
    job_types: NotRequired[list[str]]
    # The types of jobs whose commands (target `EXEC`) it runs: for exec workers.
    exec_types: NotRequired[list[str]]
    # How many runs at most.
    max_runs: NotRequired[int]
    # How long the runs are the worker's without a heartbeat.
    lease_seconds: NotRequired[int]
    # How long to wait for the first one.
    wait_seconds: NotRequired[int]
    # Where the worker is: it gets runs that may run there (`run_in` of a job). By default the region of the node that
    # is asked; 422 if no node has ever served it.
    region: NotRequired[str]

# Runs to work on.
class ClaimAnswer(TypedDict):
    # Empty if there was nothing to do.
    runs: list[ClaimedRun]

# A run that is the worker's until its lease ends.
class ClaimedRun(TypedDict):
    # Its id.
    run_id: RunId
    # The run's id, `-`, and the number of the attempt.
    attempt_id: str
    # The number of the attempt, from 1.
    attempt: int
    # To be sent with heartbeats and with the report, and to be checked by what the work changes.
    fence: Fence
    # Its job.
    job_id: JobId
    # What the job is called.
    job_name: str
    # The type it was claimed by.
    job_type: str
    # The tenant of its job.
    tenant_id: TenantName
    # Its tick.
    scheduled_for: Instant
    # Send a heartbeat before this.
    lease_until: Instant
    # When the attempt times out whatever happens.
    deadline: Instant
    # How many missed ticks it stands for, itself included.
    stands_for: int
    # What executes the run
    target: Target
    # Any JSON: the job's payload, or the one given for this run.
    payload: Any
    # The same for all attempts of the run: its id.
    idempotency_key: str
    # The attempt's place in the run's trace, as the header of that name (W3C Trace Context) has it: hand it on to
    # whatever the work calls.
    traceparent: str
    # How long the claim had waited when the run was granted. The time from sending the claim to now, less this, is
    # the age of the lease, at most: a worker that finds it older than a third sends a heartbeat before it begins.
    waited_ms: int

# How far a run is.
class Progress(TypedDict):
    # How much is done.
    done: int
    # Of how much; 0: nobody knows.
    total: int

# A heartbeat for one run, with its output and progress so far.
class Beat(TypedDict):
    # Which run.
    run_id: RunId
    # Under which it was handed out.
    fence: Fence
    # All of the attempt's output so far that is to be kept. It replaces what was sent before.
    log: NotRequired[str]
    # How far it is.
    progress: NotRequired[Progress]

# What a worker showed of an attempt.
class RunLog(TypedDict):
    # Which run.
    run_id: RunId
    # The number of the attempt, from 1.
    attempt: int
    # When the worker last sent news of it.
    updated_at: Instant
    # Its output; of a long one the beginning and the end.
    log: str
    # How far it is, if it said so.
    progress: Progress | None

# Runs that are still worked on.
class HeartbeatRequest(TypedDict):
    # Which.
    runs: list[Beat]
    # How long the runs are the worker's without a heartbeat.
    lease_seconds: NotRequired[int]

# What became of the leases.
class HeartbeatAnswer(TypedDict):
    # For each run of the request, in its order.
    results: list[HeartbeatResult]

# What became of one lease.
class HeartbeatResult(TypedDict):
    # Which run.
    run_id: RunId
    # `EXTENDED`: go on. `FENCED`: the run is somebody else's or over; stop. `CANCEL`: stop, and say
    # so with runs:complete.
    answer: Literal['EXTENDED', 'FENCED', 'CANCEL']

# How an attempt ended.
class Completion(TypedDict):
    # Which run.
    run_id: RunId
    # Under which it was handed out.
    fence: Fence
    # How it ended. RETURNED: the work was not done and this worker will not do it, so the run waits again and no
    # attempt is used up; for workers that stop. Always answered OK.
    status: Literal['SUCCEEDED', 'FAILED', 'RETURNED']
    # What was done: any JSON, up to 64 KiB.
    result: NotRequired[Any]
    # With FAILED: what went wrong. Control characters are replaced, not refused: a report must not be lost.
    error: NotRequired[str]
    # With FAILED: false if trying again is no use.
    retryable: NotRequired[bool]
    # With FAILED or RETURNED: try again no sooner.
    retry_after_seconds: NotRequired[int]
    # All of the attempt's output so far that is to be kept. It replaces what was sent before.
    log: NotRequired[str]
    # How far it came.
    progress: NotRequired[Progress]

# Attempts that ended.
class CompleteRequest(TypedDict):
    # Which, and how.
    runs: list[Completion]

# What became of the reports.
class CompleteAnswer(TypedDict):
    # For each run of the request, in its order.
    results: list[CompleteResult]

# What became of one report.
class CompleteResult(TypedDict):
    # Which run.
    run_id: RunId
    # `OK`: the attempt ended as reported. `FENCED`: the run is somebody else's or over, and the report counts for
    # nothing. `RETRY`: not known yet; send the same again.
    answer: Literal['OK', 'FENCED', 'RETRY']
    # With RETRY: what is in the way.
    detail: NotRequired[str]

# How the cluster stands.
class Cluster(TypedDict):
    # The database's clock.
    now: Instant
    # What is wrong, the worst first: all that the caller may know of. Empty: nothing.
    problems: list[Trouble]
    # By name; those that are gone are shown for a while.
    nodes: list[Node]
    # The node that does the chores of the whole cluster; null if there never was one.
    leader: Leader | None
    # The slices of the job space, and whose they are.
    partitions: Partitions

# Something that is wrong, since when, and what to do about it.
class Trouble(TypedDict):
    # A stable word; also the label of `belfry_problems`. docs/concepts/states.md explains each.
    code: Literal['database_away', 'disk_full', 'database_slow', 'loading', 'behind', 'unowned', 'node_lost', 'clock_offset', 'clock_stepped', 'no_worker', 'workers_busy', 'broker_unknown', 'broker_away', 'endpoint_away', 'catching_up', 'type_limit', 'alerts_undelivered', 'ledger_violated', 'commits_lost', 'archive_stuck']
    # A note asks nobody to do anything. What is critical keeps ticks from being decided.
    severity: Literal['note', 'warning', 'critical']
    # What has it: a queue, a broker, a host, a node, a rule of alerts.
    subject: str | None
    # Since when, if that is known.
    since: Instant | None
    # What is wrong.
    sentence: str
    # What to do.
    remedy: str

# A scheduler process.
class Node(TypedDict):
    # Its incarnation, drawn anew at each start.
    node_id: str
    # What it calls itself.
    name: str
    # Where it is.
    region: str
    # When it started.
    started_at: Instant
    # How long it is trusted, unless it renews.
    lease_until: Instant
    # Whether its lease holds now.
    alive: bool
    # How many partitions it owns.
    partitions: int

# The node that does the chores of the whole cluster.
class Leader(TypedDict):
    # Its incarnation, drawn anew at each start.
    node_id: str
    # Grows with each change of leader.
    term: int
    # How long it leads, unless it renews.
    lease_until: Instant
    # Whether its lease holds now.
    alive: bool

# The slices of the job space.
class Partitions(TypedDict):
    # How many there are.
    total: int
    # How many have an owner that is alive.
    owned: int
    # The oldest tick that is due and not decided, if there is one.
    oldest_undecided: Instant | None
    # All of them, by number.
    map: list[Partition]

# One slice of the job space.
class Partition(TypedDict):
    # Its number: 256 times its region, and its slice there.
    partition: int
    # The node that owns it, if one does.
    owner: str | None
    # Grows with each change of owner.
    epoch: int
    # Up to here every tick is decided.
    decided_through: Instant
    # Grows with each change of a job.
    jobs_version: int

# How many ticks each coming minute will have.
Forecast = TypedDict(
    "Forecast",
    {
        "from": 'Instant',
        "hours": 'int',
        "exact": 'bool',
        "minutes": 'list[int]',
    },
)

# The fullest of the coming minutes, and changes that would halve them.
HerdAdvice = TypedDict(
    "HerdAdvice",
    {
        "from": 'Instant',
        "hours": 'int',
        "exact": 'bool',
        "minutes": 'list[HerdMinute]',
        "changes": 'list[HerdChange]',
    },
)

# A minute in which many runs start.
class HerdMinute(TypedDict):
    # When it begins.
    at: Instant
    # Runs that start in it.
    before: int
    # Runs that would start in it with all changes.
    after: int
    # Jobs that have a run in it.
    job_count: int
    # Their names; of many, the first 100.
    jobs: list[str]

# A change of one field of a job that spreads its runs.
class HerdChange(TypedDict):
    # Never changes.
    job_id: JobId
    # Its name.
    job_name: str
    # Of the job that was looked at, for `If-Match`.
    version: int
    # What to change.
    field: Literal['cron_expression', 'jitter']
    # What it is now; null if it is not set.
    before: str | None
    # What it should be.
    after: str

# How many.
class Count(TypedDict):
    # How many.
    value: int
    # False: an estimate, or a lower bound. Counting stops at some 100,000, of failing jobs at 10,000.
    exact: bool

# How much there is of everything.
class Stats(TypedDict):
    # When it was counted.
    now: Instant
    # How the job types stand that have limits.
    types: list[TypeCounts]
    # By status.
    jobs: JobCounts
    # Live ones, by state.
    runs: RunCounts
    # When the run that has waited longest for a worker became due, if one waits.
    oldest_ready_at: Instant | None

# How a job type with limits stands.
class TypeCounts(TypedDict):
    # The type.
    job_type: str
    # Runs in somebody's hands, in the whole cluster.
    running: int
    # Runs that are due; of the first 20,000 live ones.
    waiting: int
    # At this moment none of them may start, because of the limits.
    full: bool

# Jobs by status.
class JobCounts(TypedDict):
    # Jobs that tick.
    active: Count
    # Jobs that are paused.
    paused: Count
    # Jobs that are cancelled.
    cancelled: Count
    # Jobs without any tick left.
    completed: Count
    # Jobs whose last run failed; they are among the others.
    failing: Count

# Live runs by state.
class RunCounts(TypedDict):
    # Wait for a worker.
    ready: Count
    # Have a worker.
    running: Count
    # Wait for their next attempt.
    retrying: Count

# Jobs or runs that changed together, or violations of the ledger that were found together.
class Event(TypedDict):
    # When.
    at: Instant
    # How many changed.
    count: int
    # With `event:` jobs; at most 20 of them.
    jobs: NotRequired[list[JobNews]]
    # With `event:` runs; at most 20 of them.
    runs: NotRequired[list[RunNews]]
    # With `event:` violations; at most 20 of them.
    violations: NotRequired[list[ViolationNews]]

# A job that changed.
class JobNews(TypedDict):
    # Which.
    job_id: JobId
    # Its version now.
    version: int
    # Its status now.
    status: Literal['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED', 'DELETED']

# A run that changed.
class RunNews(TypedDict):
    # Which.
    run_id: RunId
    # Its state now.
    state: RunState

# The ledger is not what the definitions ask for.
class ViolationNews(TypedDict):
    # Whose ledger.
    job_id: JobId
    # As of a `LedgerFlaw`.
    kind: Literal['hole', 'double', 'early', 'stray', 'wrong_fate', 'wrong_count']
    # The first tick concerned.
    tick: Instant

# An owner of jobs.
class Tenant(TypedDict):
    # Its name, which is its id.
    tenant_id: TenantName
    # Its share, where several tenants want the same worker.
    weight: int
    # How many of its runs may be running at a time; 0 is no limit, and the default for the tenant `default`.
    max_in_flight: int
    # How many jobs it may have; 0 is no limit.
    max_jobs: int
    # How many calls a second it may make, each message of a gRPC stream included; 0 is no limit, and the default for
    # the tenant `default`.
    max_requests: int
    # When it was made.
    created_at: Instant

# What a tenant may ask for.
class TenantDefinition(TypedDict):
    # Its share, where several tenants want the same worker.
    weight: NotRequired[int]
    # How many of its runs may be running at a time; 0 is no limit, and the default for the tenant `default`.
    max_in_flight: NotRequired[int]
    # How many jobs it may have; 0 is no limit.
    max_jobs: NotRequired[int]
    # How many calls a second it may make, each message of a gRPC stream included; 0 is no limit, and the default for
    # the tenant `default`.
    max_requests: NotRequired[int]

# A page of tenants.
class TenantPage(TypedDict):
    # In the order of their names.
    items: list[Tenant]
    next_cursor: NextCursor

# Who is calling, and what they may do.
class Session(TypedDict):
    # As the audit names them: a key, or `owner@…`.
    actor: str
    # Whose jobs the call concerns.
    tenant_id: TenantName
    # What they may do.
    scope: Scope
    # What else they may do.
    permissions: Permissions
    # False on a node that has no keys yet and serves only its owner.
    has_key: bool
    # What calls by cookie send as `Belfry-Csrf`; empty where a call shows no key and needs none.
    csrf_token: str

# A link that signs a browser in, once.
class SignInLink(TypedDict):
    # Where to go on this node: a path, and behind its `#` the code.
    path: str
    # Until when.
    expires_at: Instant

# What a link has behind its `#sign-in=`.
class SignInCode(TypedDict):
    # The code.
    code: str

# A key to be made.
class KeyDefinition(TypedDict):
    # For people, and for the audit (`key:NAME`). One valid key of a tenant has it. None of its characters
    # reorders a line.
    name: str
    # What it may be used for.
    scope: Scope
    # What else it may be used for; root has all of them.
    permissions: NotRequired[Permissions]
    # When it expires; never, if left out. Not in the past.
    expires_at: NotRequired[Instant]

# How a key is replaced.
class KeyRotation(TypedDict):
    # How long the old key stays valid, up to 30d.
    overlap: NotRequired[Duration]

# A key, without its secret.
class Key(TypedDict):
    # Its id.
    key_id: str
    # Whose it is.
    tenant_id: TenantName
    # What it is called.
    name: str
    # What it may be used for.
    scope: Scope
    # What else it may be used for.
    permissions: Permissions
    # When it was made.
    created_at: Instant
    # When it expires, if ever.
    expires_at: Instant | None
    # When it was revoked, if it was.
    revoked_at: Instant | None
    # When a new key took its place, if one did.
    replaced_at: Instant | None
    # When it was last used, to the minute, if ever.
    last_used_at: Instant | None
    # Who made it.
    created_by: str

# A key with its secret, which is shown this one time.
class NewKey(TypedDict):
    # Its id.
    key_id: str
    # Whose it is.
    tenant_id: TenantName
    # What it is called.
    name: str
    # What it may be used for.
    scope: Scope
    # What else it may be used for.
    permissions: Permissions
    # When it was made.
    created_at: Instant
    # When it expires, if ever.
    expires_at: Instant | None
    # When it was revoked, if it was.
    revoked_at: Instant | None
    # When a new key took its place, if one did.
    replaced_at: Instant | None
    # When it was last used, to the minute, if ever.
    last_used_at: Instant | None
    # Who made it.
    created_by: str
    # What goes after `Authorization: Bearer`.
    secret: str

# The keys of a tenant.
class KeyPage(TypedDict):
    # The newest first.
    items: list[Key]
    next_cursor: NextCursor

# What jobs of a type have that do not say.
class TypeDefaults(TypedDict):
    # How often a run is tried.
    max_attempts: NotRequired[int]
    # How long an attempt may take; 100ms to 30d.
    timeout: NotRequired[Duration]
    # How long a run waits for somebody to start it; from 1s.
    start_within: NotRequired[Duration]
    # How late a tick may be decided and still run.
    misfire_grace: NotRequired[Duration]

# What holds for all jobs of a type.
class JobTypeDefinition(TypedDict):
    # The type; ignored, as the next two are.
    job_type: NotRequired[str]
    # When it was changed last.
    updated_at: NotRequired[Instant]
    # By whom.
    updated_by: NotRequired[str]
    # How many runs may be in somebody's hands at a time.
    max_concurrent: NotRequired[int]
    # How many may start: `100/s`, `5/m`, `1/h`; at most 1000000. Each attempt is a start.
    rate: NotRequired[str]
    # How many may start at the same moment, after a rest; with a rate. At least what a tenth of a second brings;
    # without it, what a second brings.
    burst: NotRequired[int]
    # What jobs have that do not say.
    defaults: NotRequired[TypeDefaults]

# A job type of which something is said.
class JobType(TypedDict):
    # The type.
    job_type: str
    # How many runs may be in somebody's hands at a time.
    max_concurrent: NotRequired[int]
    # How many may start.
    rate: NotRequired[str]
    # How many may start at the same moment, after a rest.
    burst: NotRequired[int]
    # What jobs have that do not say.
    defaults: TypeDefaults
    # When it was changed last.
    updated_at: Instant
    # By whom.
    updated_by: str

# A page of job types.
class JobTypePage(TypedDict):
    # In the order of their names.
    items: list[JobType]
    next_cursor: NextCursor

# What a calendar holds.
class CalendarDefinition(TypedDict):
    # Its rules; together they are all excluded times.
    rules: CalendarRules

# A call by Standard Webhooks. 2xx is success; 202 with `Belfry-Async: true` waits for `runs:complete`; 408, 425, 429
# and 5xx are tried again; other answers are failures for good.
class AlertWebhook(TypedDict):
    # Always HTTP.
    kind: Literal['HTTP']
    # Where to call, http or https. What its query gives for a name such as `token` or `api_key` is a secret, shown as
    # `********` like `secret`.
    url: str
    # The body that chat services take: {"text": …}.
    form: NotRequired[Literal['slack']]
    # How to call.
    method: NotRequired[Literal['POST', 'GET', 'PUT', 'PATCH', 'DELETE']]
    # Sent along. Belfry sets those that begin with `webhook-` or `belfry-`, `Idempotency-Key` and `traceparent`
    # itself. Their values are secrets, shown as `********` like `secret`, but for Accept, Accept-Encoding, Accept-
    # Language, Cache-Control, Content-Type, Prefer and User-Agent.
    headers: NotRequired[dict[str, str | SecretRef]]
    # In place of `secret`: the name of a secret that is kept (`PUT /secrets/{secret}`).
    secret_ref: NotRequired[str]
    # Signs the calls (`whsec_…`). Of several, with blanks between them, each signs. Shown as `********`; if that is
    # sent back, the present one is kept.
    secret: NotRequired[str]

# A mail, by the server that `--smtp` names.
class AlertMail(TypedDict):
    # Always MAIL.
    kind: Literal['MAIL']
    # Addresses.
    to: list[str]

# A rule that watches jobs.
class AlertRuleDefinition(TypedDict):
    # What it looks for.
    when: AlertWhen
    # Of `failed_in_a_row` and `failures`: how many (3). Of `dead_letters`: more than this many (0).
    count: NotRequired[int]
    # Of `failures`: within this time (1h).
    window: NotRequired[Duration]
    # Of `not_started` (5m), `late` (1m), `no_worker` (1m) and `running`: how long. Of `clock_offset` (2s):
    # how far off.
    after: NotRequired[Duration]
    # Of `running`, in place of `after`: so many times the median of its last runs.
    times_usual: NotRequired[int]
    # Only the job of this name.
    job: NotRequired[str]
    # Only jobs of this type.
    job_type: NotRequired[str]
    # Only jobs with all these labels, each key=value.
    labels: NotRequired[list[str]]
    # Whether receivers are told when it is over.
    recovered: NotRequired[bool]
    # What changes within this time is told in one message (10s).
    group_wait: NotRequired[Duration]
    # In the times of this calendar, in UTC, nothing new is told.
    quiet_calendar: NotRequired[str]
    # Who is told.
    to: list[AlertReceiver]

# A rule that watches jobs, as it is kept.
class AlertRule(TypedDict):
    # What it is called.
    name: str
    # What it looks for.
    when: AlertWhen
    # Of `failed_in_a_row` and `failures`: how many (3). Of `dead_letters`: more than this many (0).
    count: NotRequired[int]
    # Of `failures`: within this time (1h).
    window: NotRequired[Duration]
    # Of `not_started` (5m), `late` (1m), `no_worker` (1m) and `running`: how long. Of `clock_offset` (2s):
    # how far off.
    after: NotRequired[Duration]
    # Of `running`, in place of `after`: so many times the median of its last runs.
    times_usual: NotRequired[int]
    # Only the job of this name.
    job: NotRequired[str]
    # Only jobs of this type.
    job_type: NotRequired[str]
    # Only jobs with all these labels, each key=value.
    labels: NotRequired[list[str]]
    # Whether receivers are told when it is over.
    recovered: bool
    # What changes within this time is told in one message (10s).
    group_wait: Duration
    # In the times of this calendar, in UTC, nothing new is told.
    quiet_calendar: NotRequired[str]
    # Who is told.
    to: list[AlertReceiver]
    # When it was made.
    created_at: Instant
    # When it was changed last.
    updated_at: Instant
    # By whom.
    updated_by: str

# A page of rules.
class AlertRulePage(TypedDict):
    # In the order of their names.
    items: list[AlertRule]
    next_cursor: NextCursor

# Something that is, or was, wrong.
class Alert(TypedDict):
    # Its number.
    id: int
    # The rule that found it.
    rule: str
    # The name of a job, a job type or a node, or `*` for all that the rule watches.
    subject: str
    # Whether it is still so.
    state: Literal['OPEN', 'RESOLVED']
    # What was wrong when it was found.
    sentence: str
    # Whether it began while its job was paused or its rule quiet. Nobody is told before that is over, and only if it
    # is wrong still.
    quiet: bool
    # When it was found.
    opened_at: Instant
    # When it was over.
    resolved_at: Instant | None
    # The job, if it is about one.
    job_id: JobId | None

# A page of alerts.
class AlertPage(TypedDict):
    # The newest first.
    items: list[Alert]
    next_cursor: NextCursor

# What one receiver is told.
class AlertMessage(TypedDict):
    # What receivers see as `webhook-id`, Message-ID or the id of the event.
    id: str
    # The rule.
    rule: str
    # The receiver.
    to: AlertReceiver
    # FAILED is given up.
    state: Literal['WAITING', 'SENT', 'FAILED']
    # How often it was tried.
    attempts: int
    # Why the last attempt failed.
    error: str
    # When it was decided.
    created_at: Instant
    # When it was sent or given up.
    finished_at: Instant | None

# Messages about alerts.
class AlertMessages(TypedDict):
    # The newest first.
    items: list[AlertMessage]

# A while in which nothing is told.
class AlertSilenceDefinition(TypedDict):
    # For how long, up to 90d.
    duration: Duration
    # Only this rule.
    rule: NotRequired[str]
    # Only the job of this name.
    job: NotRequired[str]
    # Only jobs of this type.
    job_type: NotRequired[str]
    # Only jobs with all these labels, each key=value.
    labels: NotRequired[list[str]]
    # Why.
    note: NotRequired[str]

# A while in which nothing is told.
class AlertSilence(TypedDict):
    # Its number.
    id: int
    # Only this rule.
    rule: NotRequired[str]
    # Only the job of this name.
    job: NotRequired[str]
    # Only jobs of this type.
    job_type: NotRequired[str]
    # Only jobs with all these labels, each key=value.
    labels: NotRequired[list[str]]
    # Why.
    note: NotRequired[str]
    # When it is over.
    until: Instant
    # When it was made.
    created_at: Instant
    # By whom.
    created_by: str

# Silences that are not over.
class AlertSilences(TypedDict):
    # In the order of their numbers.
    items: list[AlertSilence]

# A named set of days and windows in which jobs do not run.
class Calendar(TypedDict):
    # What it is called.
    name: str
    # Its rules.
    rules: CalendarRules
    # Grows with each change of the rules.
    version: int
    # When the rules were changed last.
    updated_at: Instant

# A page of calendars.
class CalendarPage(TypedDict):
    # In the order of their names.
    items: list[Calendar]
    next_cursor: NextCursor

# A secret that jobs can name; never its value.
class Secret(TypedDict):
    # What jobs call it.
    name: str
    # When it was kept first.
    created_at: Instant
    # When its value was set last.
    updated_at: Instant
    # Who set it.
    updated_by: str

# A page of secrets.
class SecretPage(TypedDict):
    # By name.
    items: list[Secret]
    next_cursor: NextCursor

# A secret to keep.
class SecretValue(TypedDict):
    # The secret itself; one line.
    value: str

# A step of a rotation.
class RotationStep(TypedDict):
    # `next_cursor` of the step before.
    cursor: NotRequired[str]
    # Begin with a new key, where the server keeps its key itself; otherwise read the configured keys again.
    new_key: NotRequired[bool]

# What a step of a rotation has done.
class Rotation(TypedDict):
    # The key that everything is to be sealed with.
    key_id: str
    # How many values it has sealed.
    resealed: int
    # Go on from here; null when all was looked at.
    next_cursor: str | None

# What a step of a proof has found.
LedgerVerdict = TypedDict(
    "LedgerVerdict",
    {
        "from": 'Instant',
        "to": 'Instant',
        "jobs": 'int',
        "counts": 'dict[str, Any]',
        "flaws": 'list[LedgerFlaw]',
        "unproven": 'list[dict[str, Any]]',
        "undecided": 'str | None',
        "next_cursor": 'str | None',
    },
)

# Ticks whose fate is not what the definition asks for.
class LedgerFlaw(TypedDict):
    # `hole`: no fate. `double`: two. `early`: decided or handed out before its time. `stray`: a fate, and no such
    # tick. `wrong_fate`: one that the definition does not allow. `wrong_count`: a range, or a run that stands for
    # others, counts wrongly.
    kind: Literal['hole', 'double', 'early', 'stray', 'wrong_fate', 'wrong_count']
    # The job.
    job_id: JobId
    # Its name.
    job_name: str
    # The first tick concerned.
    tick: Instant
    # The last one.
    last_tick: Instant
    # How many they are.
    ticks: int
    # The revision in force then; null if there was none.
    revision: int | None
    # What should be there, and what the ledger has.
    evidence: str

# What was found to be wrong with the ledger, and when.
class Violation(TypedDict):
    # As of a `LedgerFlaw`.
    kind: Literal['hole', 'double', 'early', 'stray', 'wrong_fate', 'wrong_count']
    # The job.
    job_id: JobId
    # Its name.
    job_name: str
    # The first tick concerned.
    tick: Instant
    # The last one.
    last_tick: Instant
    # How many they are.
    ticks: int
    # The revision in force then; null if there was none.
    revision: int | None
    # What should be there, and what the ledger has.
    evidence: str
    # When it was found.
    found_at: Instant

# How far the ledger is proven, and statements about days.
class Proofs(TypedDict):
    # Up to when every tick was looked for; null before the first look.
    checked_through: str | None
    # The key that statements are checked with from now on, as PEM; null without a key to sign with.
    public_key: str | None
    # What was found to be wrong, the newest first; at most 100.
    violations: list[Violation]
    # The newest day first.
    items: list[Proof]
    next_cursor: NextCursor

# The statement about a tenant's day.
class Proof(TypedDict):
    # The day, of UTC.
    day: str
    # When it was made.
    sealed_at: Instant
    # What the statement says.
    summary: ProofSummary
    # The summary as it was signed, byte for byte.
    statement: str
    # SHA-256 of the statement; the next day's names it.
    digest: str
    # The key to check it with, as PEM; null: it is not signed.
    public_key: str | None
    # Ed25519, in base64; null: it is not signed.
    signature: str | None

# What is stated about a tenant's day.
ProofSummary = TypedDict(
    "ProofSummary",
    {
        "belfry_proof": 'int',
        "tenant": 'str',
        "day": 'str',
        "from": 'Instant',
        "to": 'Instant',
        "as_of": 'Instant',
        "jobs": 'int',
        "ticks": 'int',
        "runs": 'int',
        "skips": 'dict[str, int]',
        "holes": 'int',
        "doubles": 'int',
        "early": 'int',
        "strays": 'int',
        "wrong_fates": 'int',
        "wrong_counts": 'int',
        "unproven": 'int',
        "ledger_rows": 'int',
        "ledger_digest": 'str',
        "previous": 'str | None',
    },
)

# A row of the ledger.
class ProvenRow(TypedDict):
    # The job.
    job_id: JobId
    # The tick, or the first one of a range.
    tick: Instant
    # `run`, or the reason of a skip.
    fate: str
    # The last tick of the range; it may be of another day.
    last_tick: Instant
    # How many the range has.
    ticks: int
    # When the first of them was decided.
    decided_at: Instant

# A page of rows.
class ProvenRowPage(TypedDict):
    # By job and tick.
    items: list[ProvenRow]
    next_cursor: NextCursor

# What a step of a check has found.
class AuditVerdict(TypedDict):
    # Links that were checked in this step.
    checked: int
    # Rows that are too young to be linked.
    waiting: int
    # What is not as it was written.
    flaws: list[AuditFlaw]
    # The last link checked. Noted elsewhere, and given as `head` later, it shows whether the chain still has it.
    head: dict[str, Any]
    # Go on from here; null when all was checked.
    next_cursor: str | None

# A row or a link that is not as it was written.
class AuditFlaw(TypedDict):
    # What is wrong with it. Of a noted head: the chain ends before it (HEAD_MISSING), has another hash there
    # (HEAD_CHANGED), or begins after it, so that nothing can be told (HEAD_FORGOTTEN).
    kind: Literal['CHANGED', 'MISSING', 'LINK_BROKEN', 'ADDED', 'HEAD_MISSING', 'HEAD_CHANGED', 'HEAD_FORGOTTEN']
    # Its place in the chain; null if it has none.
    position: int | None
    # The row; null if there is none.
    seq: int | None

# Something that was changed, or a call for admins that was refused.
class AuditEntry(TypedDict):
    # Grows with each entry.
    seq: int
    # When.
    at: Instant
    # Whose it is.
    tenant_id: str
    # Who did it: a key, or `owner@…`.
    actor: str
    # What was done, such as `job.create`.
    action: str
    # What it was done to, such as `key:7`.
    object: str
    # More about it: `request_id`, `key_id`, `address`; for changes of jobs what it was `before` and `after`, with
    # secrets hidden. Other fields depend on the action.
    detail: dict[str, Any]

# A page of the audit.
class AuditPage(TypedDict):
    # The newest first.
    items: list[AuditEntry]
    next_cursor: NextCursor

# The process lives.
class Health(TypedDict):
    # Always ok.
    status: Literal['ok']

# The node should get calls.
class Readiness(TypedDict):
    # Always ready.
    status: Literal['ready']
    # What is wrong all the same, as codes: `GET /cluster` tells more to those who may know.
    problems: list[Literal['database_away', 'disk_full', 'database_slow', 'loading', 'behind', 'unowned', 'node_lost', 'clock_offset', 'clock_stepped', 'no_worker', 'workers_busy', 'broker_unknown', 'broker_away', 'endpoint_away', 'catching_up', 'type_limit', 'alerts_undelivered', 'ledger_violated', 'commits_lost', 'archive_stuck']]

# A refusal (RFC 9457).
class Problem(TypedDict):
    # The kind of problem: a page of this node that says what to do about it. Ends with its code.
    type: str
    # The kind in words.
    title: str
    # The status of the answer.
    status: int
    # A stable word for programs.
    code: str
    # What happened here.
    detail: str
    # The id of the request, for the logs.
    instance: NotRequired[str]
    # What is wrong with each field.
    errors: NotRequired[list[FieldError]]

# What is wrong with one field, and where: it has exactly one of `pointer`, `parameter` and `header`.
class FieldError(TypedDict):
    # Where in the body it is wrong, as a JSON pointer: `/retry/base`. Empty: the body as a whole.
    pointer: NotRequired[str]
    # The query parameter that is wrong.
    parameter: NotRequired[str]
    # The request header that is wrong.
    header: NotRequired[str]
    # A stable word: required, unknown_field, unknown_parameter, invalid, out_of_range, too_long, reserved, taken.
    code: str
    # What is wrong.
    message: str
    # What to do instead.
    hint: NotRequired[str]
