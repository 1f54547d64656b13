"""All that is known of a run of the rig. Times are microseconds since the epoch; None means never."""

from dataclasses import dataclass, field

STATES = ("READY", "RUNNING", "RETRYING", "SUCCEEDED", "FAILED", "DEAD", "CANCELLED", "TIMED_OUT")
LIVE = STATES[:3]
OUTCOMES = ("SUCCEEDED", "FAILED", "TIMED_OUT", "LEASE_LOST", "CANCELLED")
ORIGINS = ("schedule", "manual", "backfill", "retry")
STATUSES = ("ACTIVE", "PAUSED", "CANCELLED", "COMPLETED", "DELETED")
REASONS = ("paused", "cancelled", "calendar", "out_of_bounds", "dst_gap", "misfire_expired", "misfire_coalesced",
           "misfire_skipped", "misfire_limit", "overlap", "overlap_replaced", "quota", "schedule_changed", "calendar_coalesced",
           "commits_lost", "restored")
SECOND = 1_000_000


@dataclass(frozen=True)
class Revision:
    """What a job was from `effective_from` until the next revision."""

    job: int
    number: int
    effective_from: int
    status: str
    name: str
    kind: str  # job type
    schedule: dict[str, object]
    overlap: str = "ALLOW"
    misfire: str = "FIRE_ALL"
    max_attempts: int = 1
    paused_until: int | None = None


@dataclass(frozen=True)
class Run:
    job: int
    key: int
    origin: str
    state: str
    scheduled_for: int
    decided_at: int
    started_at: int | None
    finished_at: int | None
    attempt: int
    fence: int
    partition: int
    epoch: int
    node: str
    revision: int
    lease_until: int | None = None
    due_at: int | None = None

    @property
    def id(self) -> str:
        return f"{self.job:016x}{self.key & (1 << 64) - 1:016x}"


@dataclass(frozen=True)
class Skip:
    job: int
    first: int
    last: int
    count: int
    reason: str
    epoch: int


@dataclass(frozen=True)
class Attempt:
    run: str
    attempt: int
    fence: int
    outcome: str
    worker: str
    started_at: int
    finished_at: int


@dataclass(frozen=True)
class Cursor:
    """A partition's row after a change, in the order of commits."""

    partition: int
    epoch: int
    owner: str
    before: int
    through: int


@dataclass(frozen=True)
class Grant:
    run: str
    job: int
    fence: int
    attempt: int
    at: int


@dataclass(frozen=True)
class End:
    run: str
    state: str
    fence: int
    at: int


@dataclass(frozen=True)
class Seen:
    """What a worker wrote down: begin, end, gave_up, answer."""

    event: str
    at: int
    run: str
    fence: int
    worker: str
    job: str = ""
    tenant: str = "default"
    answer: str = ""
    status: str = ""


@dataclass(frozen=True)
class Effect:
    at: int
    run: str
    fence: int
    accepted: bool


@dataclass(frozen=True)
class Receipt:
    """A webhook or a message that arrived."""

    at: int
    run: str
    job: str
    way: str
    said: str = "ok"


@dataclass(frozen=True)
class Call:
    """What a user asked for: `answered` says whether it was answered well, refused, or not at all."""

    at: int
    action: str
    name: str
    answered: str  # yes, no, unknown
    run: str = ""
    schedule: dict[str, object] = field(default_factory=dict)
    batch: str = ""


@dataclass(frozen=True)
class Fault:
    kind: str
    target: str
    begin: int
    end: int


@dataclass(frozen=True)
class Partition:
    id: int
    owner: str
    epoch: int
    through: int  # all ticks until here are decided


@dataclass
class History:
    begin: int
    horizon: int  # ticks until here are judged
    end: int  # when the ledger was read
    revisions: list[Revision] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    cursors: list[Cursor] = field(default_factory=list)
    grants: list[Grant] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    writable: list[int] = field(default_factory=list)  # when a new primary of the database first took a write
    partitions: list[Partition] = field(default_factory=list)
    live_nodes: list[str] = field(default_factory=list)  # incarnations with a lease, at the end
    problems: list[str] = field(default_factory=list)  # codes of what nodes said was wrong, at the end


@dataclass(frozen=True)
class Violation:
    property: str
    what: str
