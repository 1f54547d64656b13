"""S4, S5, S6, S11: nothing early; a run ends once, by its highest fence; fences grow; attempts are bounded.

Also counts runs that ended badly although nobody ever began them: `untried`."""

from collections import Counter, defaultdict

from chaos.checker.history import LIVE, SECOND, History, Run, Violation
from chaos.checker.ticks import by_job
from chaos.checker.windows import fate

EARLY = SECOND // 5  # what clocks of one machine may differ by
SIDE_BY_SIDE = 5 * SECOND  # longer than any statement may take
WITH_JOURNAL = ("rest", "python", "typescript", "grpc")


def check(history: History, trust_database_clock: bool = True) -> tuple[list[Violation], Counter[str]]:
    figures: Counter[str] = Counter()
    violations: list[Violation] = []
    for found in (_early(history, trust_database_clock), _ends(history), _answers(history), _fences(history), _bounds(history), _untried(history)):
        for kind, violation in found:
            figures[kind] += 1
            violations.append(violation)
    return violations, figures


Found = list[tuple[str, Violation]]


def _runs(history: History) -> dict[str, Run]:
    return {run.id: run for run in history.runs}


def redrives(history: History) -> Counter[str]:
    """How often somebody asked for a run to be run again; whether an unanswered call counts is not known."""
    return Counter(call.run for call in history.calls if call.action == "retry" and call.answered != "no")


def starts_of(history: History, asked: Counter[str]) -> dict[str, int]:
    """When runs that their calendars delay may start, unless somebody asked for them."""
    windows = {job: revisions for job, revisions in by_job(history).items() if any(r.schedule.get("windows") for r in revisions)}
    starts: dict[str, int] = {}
    for run in history.runs:
        for law in [r for r in windows.get(run.job, []) if r.effective_from < run.scheduled_for][-1:]:
            if run.origin == "schedule" and not asked[run.id]:
                starts[run.id] = fate(law.schedule, run.scheduled_for)[1]
    return starts


def _early(history: History, trust_database_clock: bool) -> Found:
    found: Found = []
    runs = _runs(history)
    starts = starts_of(history, redrives(history))
    for run in history.runs:
        opens = starts.get(run.id, run.scheduled_for)
        if trust_database_clock and run.started_at is not None and run.attempt <= 1 and run.scheduled_for <= run.started_at < opens:
            found.append(("early", Violation("S4", f"run {run.id} was started {opens - run.started_at} µs before its calendar opened")))
    for run in history.runs:
        if run.origin != "schedule" or not trust_database_clock:
            continue
        for what, at in (("decided", run.decided_at), ("started", run.started_at)):
            if at is not None and at < run.scheduled_for:
                found.append(("early", Violation("S4", f"run {run.id} was {what} {run.scheduled_for - at} µs early")))
    for seen in history.seen:
        run_of = runs.get(seen.run)
        if seen.event == "begin" and run_of and run_of.origin == "schedule" and seen.at < run_of.scheduled_for - EARLY:
            found.append(("early", Violation("S4", f"{seen.worker} began {seen.run} {run_of.scheduled_for - seen.at} µs early")))
    return found


def _ends(history: History) -> Found:
    found: Found = []
    ends: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for end in history.ends:
        ends[end.run].append((end.state, end.fence))
    again = redrives(history)
    for run in history.runs:
        times = len(ends[run.id])
        if times > 1 + again[run.id]:
            found.append(("ended_twice", Violation("S5", f"run {run.id} ended {times} times: {ends[run.id]}")))
        if run.state not in LIVE and not times and history.ends:
            found.append(("ended_unseen", Violation("S5", f"run {run.id} is over, but its end was never written")))
    highest: dict[str, int] = {}
    for grant in history.grants:
        highest[grant.run] = max(grant.fence, highest.get(grant.run, 0))
    for run in history.runs:
        if run.id in highest and run.fence != highest[run.id]:
            found.append(("fence", Violation("S5", f"run {run.id} has fence {run.fence}, but {highest[run.id]} was granted")))
    begun = Counter((seen.run, seen.fence) for seen in history.seen if seen.event == "begin")
    for (run_id, fence), times in begun.items():
        if times > 1:
            found.append(("begun_twice", Violation("S5", f"run {run_id} was begun {times} times under fence {fence}")))
    return found


def _answers(history: History) -> Found:
    """Who was told OK is in the ledger; who was told FENCED is not; who is in the ledger has said so."""
    found: Found = []
    outcomes = {(each.run, each.fence): each.outcome for each in history.attempts}
    reported = {(seen.run, seen.fence) for seen in history.seen if seen.event == "end"}
    for seen in history.seen:
        if seen.event != "answer":
            continue
        outcome = outcomes.get((seen.run, seen.fence))
        if seen.answer == "OK" and outcome != seen.status:
            found.append(("unkept", Violation("S5", f"{seen.worker} was told OK for {seen.status} of {seen.run}; the ledger says {outcome}")))
        if seen.answer == "FENCED" and outcome == "SUCCEEDED":
            found.append(("unkept", Violation("S5", f"{seen.worker} was told FENCED for {seen.run}, which the ledger has as done by it")))
    with_journal = {(seen.run, seen.fence) for seen in history.seen if seen.event == "begin"}
    for key in with_journal - reported:
        if outcomes.get(key) == "SUCCEEDED":
            found.append(("unsaid", Violation("S5", f"run {key[0]} is done under fence {key[1]}, but its worker never ended it")))
    return found


def _fences(history: History) -> Found:
    """Strictly growing for a run, and for a job whose runs go one by one. Runs that go side by side are granted by
    statements that overlap: of these a fence may be lower than one that was granted a moment before."""
    found: Found = []
    one_by_one = {revision.job for revision in history.revisions if revision.overlap in ("FORBID", "QUEUE_ONE")}
    highest: dict[object, tuple[int, int]] = {}  # by run and by job: the fence, and when it was granted
    given: set[int] = set()
    for grant in history.grants:
        if grant.fence in given:
            found.append(("fence", Violation("S6", f"fence {grant.fence} was given twice, now for run {grant.run}")))
        given.add(grant.fence)
        for whose, slack in ((grant.run, 0), (grant.job, 0 if grant.job in one_by_one else SIDE_BY_SIDE)):
            fence, at = highest.get(whose, (0, 0))
            if grant.fence <= fence and grant.at - at >= slack:
                found.append(("fence", Violation("S6", f"run {grant.run} got fence {grant.fence} after {fence} of {whose}")))
            highest[whose] = max((fence, at), (grant.fence, grant.at))
    return found


def _bounds(history: History) -> Found:
    found: Found = []
    most = {(r.job, r.number): r.max_attempts for r in history.revisions}
    again = redrives(history)
    for run in history.runs:
        limit = most.get((run.job, run.revision), 0) * (1 + again[run.id])
        if limit and run.attempt > limit:
            found.append(("attempts", Violation("S11", f"run {run.id} is at attempt {run.attempt} of {limit}")))
    finished: dict[str, int] = {}
    for each in sorted(history.attempts, key=lambda a: (a.run, a.fence)):
        if each.started_at < finished.get(each.run, 0):
            found.append(("attempts", Violation("S11", f"attempt {each.attempt} of {each.run} began before the one before it was over")))
        finished[each.run] = each.finished_at
    return found


def _untried(history: History) -> Found:
    tried = {seen.run for seen in history.seen if seen.event in ("begin", "gave_up")}
    kinds = {revision.job: revision.kind for revision in history.revisions}
    return [("untried", Violation("S11", f"run {run.id} of {kinds[run.job]} is {run.state}, and nobody ever began it"))
            for run in history.runs
            if run.state in ("DEAD", "FAILED", "TIMED_OUT") and run.id not in tried and kinds.get(run.job) in WITH_JOURNAL]
