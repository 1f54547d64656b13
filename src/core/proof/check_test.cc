#include "core/proof/check.h"

#include "core/proof/stretches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace belfry::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kStart = from_unix_seconds(1'767'268'800);  // Thu 2026-01-01T12:00Z
constexpr Instant kEnd = kStart + hours(2);

// A job that ticks every ten minutes from 12:00 to 14:00, with the ledger that it should have. Each
// test changes one or the other.
class ProofTest : public testing::Test {
 protected:
  ProofTest() {
    revisions_.push_back({.revision = 1, .effective_from = kStart, .created_at = kStart});
    JobDefinition& job = revisions_.front().definition;
    job.name = "report";
    job.schedule.cron_expression = "*/10 * * * *";
    for (Instant at = kStart + minutes(10); at <= kEnd; at = at + minutes(10)) run(at);
  }

  JobDefinition& job() { return revisions_.back().definition; }

  void run(Instant at, std::uint32_t revision = 1, std::int64_t stands_for = 1) {
    rows_.push_back({.first = Tick(at),
                     .last = Tick(at),
                     .count = stands_for,
                     .revision = revision,
                     .decided_at = at + seconds(1),
                     .started_at = at + seconds(2)});
  }
  void skip(Instant first, Instant last, std::int64_t count, SkipReason reason) {
    rows_.push_back({.first = Tick(first),
                     .last = Tick(last),
                     .skipped = reason,
                     .count = count,
                     .decided_at = first + seconds(1)});
  }
  // Takes out what the ledger has of [from, to].
  void forget(Instant from, Instant to) {
    std::erase_if(rows_, [&](const FateRow& row) {
      return row.first.instant() >= from && row.last.instant() <= to;
    });
  }
  FateRow& at(Instant tick) { return *std::ranges::find(rows_, Tick(tick), &FateRow::first); }
  // A change at this moment, of a job that is then as `change` makes it.
  ProofRevision& changed(Instant when) {
    ProofRevision next = revisions_.back();
    ++next.revision;
    next.effective_from = when;
    next.created_at = when;
    revisions_.push_back(next);
    return revisions_.back();
  }
  // Its ticks from `from` on are those of the newest revision.
  void ran_by(std::uint32_t revision, Instant from) {
    for (FateRow& row : rows_) {
      if (row.first.instant() > from) row.revision = revision;
    }
  }

  ProofVerdict verdict() { return verdict(kStart, kEnd); }
  ProofVerdict verdict(Instant after, Instant through) {
    return check_ledger({.tenant = TenantId(1),
                         .revisions = revisions_,
                         .rows = rows_,
                         .after = after,
                         .through = through},
                        schedules_);
  }
  // What is found, in short: "hole 12:30x2".
  std::string found() { return found(verdict()); }
  static std::string found(const ProofVerdict& verdict) {
    std::string text;
    for (const LedgerFlaw& flaw : verdict.flaws) {
      const auto minute = (flaw.first.instant() - kStart) / minutes(1);
      text += (text.empty() ? "" : ", ") + std::string(name_of(flaw.kind)) + " +" +
              std::to_string(minute) + "x" + std::to_string(flaw.count);
    }
    return text;
  }

  std::vector<ProofRevision> revisions_;
  std::vector<FateRow> rows_;
  ZoneCatalog zones_;
  ScheduleCache schedules_{zones_};
};

// Ledgers that are right.

TEST_F(ProofTest, TwelveTicksTwelveRuns) {
  EXPECT_EQ(found(), "");
  EXPECT_EQ(verdict().counts.runs, 12);
  EXPECT_EQ(verdict().counts.ticks(), 12);
}

TEST_F(ProofTest, ADowntimeCoalesced) {
  forget(kStart + minutes(30), kStart + minutes(60));
  skip(kStart + minutes(30), kStart + minutes(50), 3, SkipReason::kMisfireCoalesced);
  run(kStart + minutes(60), 1, 4);
  EXPECT_EQ(found(), "");
  EXPECT_EQ(verdict().counts.ticks(), 12);
}

TEST_F(ProofTest, APauseWithAnEnd) {
  ProofRevision& pause = changed(kStart + minutes(35));
  pause.status = JobStatus::kPaused;
  pause.paused_until = kStart + minutes(60);
  ran_by(2, kStart + minutes(35));
  forget(kStart + minutes(40), kStart + minutes(50));
  skip(kStart + minutes(40), kStart + minutes(50), 2, SkipReason::kPaused);
  EXPECT_EQ(found(), "") << "the tick at its end runs";

  // The pause is over by itself, and then somebody edits the payload: no tick depends on that, and
  // the revision says "active" for a time in which the job was paused.
  changed(kStart + minutes(35)).status = JobStatus::kActive;
  revisions_.back().paused_until.reset();
  revisions_.back().created_at = kStart + minutes(90);
  EXPECT_EQ(found(), "");
}

TEST_F(ProofTest, AChangedSchedule) {
  changed(kStart + minutes(60));
  job().schedule.cron_expression = "30 * * * *";
  forget(kStart + minutes(61), kEnd);
  run(kStart + minutes(90), 2);
  EXPECT_EQ(found(), "");
}

TEST_F(ProofTest, AnEditOfThePayload) {
  changed(kStart);
  run(kEnd + minutes(10), 2);
  EXPECT_EQ(found(), "") << "runs of both revisions are under one definition";
}

TEST_F(ProofTest, ACancelledJobAndADeletedOne) {
  changed(kStart + minutes(60)).status = JobStatus::kCancelled;
  changed(kStart + minutes(80)).status = JobStatus::kDeleted;
  forget(kStart + minutes(61), kEnd);
  EXPECT_EQ(found(), "");
}

TEST_F(ProofTest, ACalendarAsItWas) {
  changed(kStart + minutes(60));
  job().schedule.calendar_name = "holidays";
  job().schedule.calendar_rules = "2026-01-01";
  forget(kStart + minutes(61), kEnd);
  skip(kStart + minutes(70), kEnd, 6, SkipReason::kCalendar);
  EXPECT_EQ(found(), "");
}

TEST_F(ProofTest, BoundsOfASchedule) {
  job().schedule.start_at = kStart + minutes(30);
  job().schedule.end_at = kStart + minutes(60);
  forget(kStart, kStart + minutes(29));
  forget(kStart + minutes(61), kEnd);
  EXPECT_EQ(found(), "");
}

TEST_F(ProofTest, OneInstantThatWasOverWhenItWasAskedFor) {
  rows_.clear();
  job().schedule = {.type = ScheduleSpec::Type::kOnce, .run_at = kStart - minutes(5)};
  run(kStart - minutes(5));
  EXPECT_EQ(found(verdict(kStart - hours(1), kEnd)), "");
  EXPECT_EQ(found(verdict(kStart - minutes(1), kEnd)), "") << "its tick lies before the window";
  EXPECT_EQ(found(verdict(kStart - hours(1), kStart - minutes(1))), "") << "its change after it";
  EXPECT_EQ(reads_after(TenantId(1), revisions_, kStart - minutes(1), schedules_),
            kStart - minutes(5) - Duration(1));
}

TEST_F(ProofTest, OneInstantThatWasGoneBackTo) {
  rows_.clear();
  job().schedule = {.type = ScheduleSpec::Type::kOnce, .run_at = kStart - minutes(5)};
  run(kStart - minutes(5));
  changed(kStart + minutes(1));
  job().schedule = {.cron_expression = "0 0 1 1 *"};
  changed(kStart + minutes(2));
  job().schedule = {.type = ScheduleSpec::Type::kOnce, .run_at = kStart - minutes(5)};
  EXPECT_EQ(found(verdict(kStart - hours(1), kEnd)), "");
}

TEST_F(ProofTest, OneInstantThatTheScheduleBeforeNamedToo) {
  changed(kStart + minutes(62));
  job().schedule = {.type = ScheduleSpec::Type::kOnce, .run_at = kStart + minutes(60)};
  forget(kStart + minutes(61), kEnd);
  EXPECT_EQ(found(), "") << "the run was live: the tick has one fate";
  run(kStart + minutes(60), 2);
  EXPECT_EQ(found(), "double +60x1") << "it has, live or over";
}

TEST_F(ProofTest, ASkipThatReachesOverTheWindow) {
  forget(kStart, kEnd);
  revisions_.front().status = JobStatus::kPaused;
  revisions_.front().effective_from = kStart - hours(1);
  skip(kStart - minutes(50), kEnd + hours(1), 24, SkipReason::kPaused);
  EXPECT_EQ(found(), "");
  EXPECT_EQ(verdict().counts.ticks(), 12) << "those of the window";
}

TEST_F(ProofTest, AMonthOfSecondsIsOneRow) {
  revisions_.front().status = JobStatus::kPaused;
  job().schedule.cron_expression = "* * * * * *";
  rows_.clear();
  const Instant month = kStart + hours(24 * 30);
  skip(kStart + seconds(1), month, 2'592'000, SkipReason::kPaused);
  EXPECT_EQ(found(verdict(kStart, month)), "");
  rows_.front().count -= 1;
  EXPECT_EQ(found(verdict(kStart, month)), "wrong_count +0x2591999");
}

TEST_F(ProofTest, TheHourThatTheClocksSkip) {
  const Instant night = from_unix_seconds(1'774'738'800);  // 2026-03-28T23:00Z, midnight in Berlin
  job().schedule = {
      .cron_expression = "30 2 * * *", .timezone = "Europe/Berlin", .dst_gap = DstGap::kSkip};
  rows_.clear();
  skip(night + hours(2), night + hours(2), 1, SkipReason::kDstGap);
  EXPECT_EQ(found(verdict(night, night + hours(12))), "");
  rows_.front().skipped.reset();
  EXPECT_EQ(verdict(night, night + hours(12)).flaws.at(0).kind, FlawKind::kWrongFate);
}

// What cannot be known is said.

TEST_F(ProofTest, SaysWhatItCannotProve) {
  revisions_.front().definition.name.clear();
  EXPECT_EQ(verdict().unproven.at(0).after, kStart);
  revisions_.front().definition.name = "report";
  revisions_.front().definition.schedule.timezone = "Atlantis/Nowhere";
  rows_.pop_back();
  EXPECT_EQ(found(), "");
  ASSERT_EQ(verdict().unproven.size(), 1U);
  EXPECT_NE(verdict().unproven.front().why.find("no longer compiles"), std::string::npos);
  revisions_.front().definition.schedule.timezone = "UTC";
  revisions_.front().revision = 7;
  revisions_.front().effective_from = kStart + minutes(60);
  EXPECT_EQ(verdict().unproven.at(0).through, kStart + minutes(60)) << "what was before is gone";
}

// Ledgers that were falsified, each in one way. Each is noticed, and nothing else is.

class FalsifiedLedgerTest : public ProofTest, public testing::WithParamInterface<int> {
 public:
  using ProofTest::at;
  using ProofTest::changed;
  using ProofTest::forget;
  using ProofTest::job;
  using ProofTest::ran_by;
  using ProofTest::revisions_;
  using ProofTest::rows_;
  using ProofTest::run;
  using ProofTest::skip;
};

struct Falsification {
  const char* name;
  void (*how)(FalsifiedLedgerTest& test);
  const char* found;
};

constexpr Falsification kFalsified[] = {
    {"a tick in the middle is missing",
     [](FalsifiedLedgerTest& t) { t.forget(kStart + minutes(30), kStart + minutes(40)); },
     "hole +30x2"},
    {"the first tick is missing",
     [](FalsifiedLedgerTest& t) { t.forget(kStart, kStart + minutes(10)); }, "hole +10x1"},
    {"the last tick is missing", [](FalsifiedLedgerTest& t) { t.forget(kEnd, kEnd); },
     "hole +120x1"},
    {"there is nothing at all", [](FalsifiedLedgerTest& t) { t.rows_.clear(); }, "hole +10x12"},
    {"a run twice", [](FalsifiedLedgerTest& t) { t.run(kStart + minutes(50)); }, "double +50x1"},
    {"a run and a skip of one tick",
     [](FalsifiedLedgerTest& t) {
       t.skip(kStart + minutes(50), kStart + minutes(50), 1, SkipReason::kOverlap);
     },
     "double +50x1"},
    {"two skips that overlap",
     [](FalsifiedLedgerTest& t) {
       t.forget(kStart + minutes(30), kStart + minutes(60));
       t.skip(kStart + minutes(30), kStart + minutes(50), 3, SkipReason::kOverlap);
       t.skip(kStart + minutes(50), kStart + minutes(60), 2, SkipReason::kOverlap);
     },
     "double +50x1"},
    {"a run at no tick", [](FalsifiedLedgerTest& t) { t.run(kStart + minutes(55)); },
     "stray +55x1"},
    {"a skip of no tick",
     [](FalsifiedLedgerTest& t) {
       t.skip(kStart + minutes(51), kStart + minutes(59), 1, SkipReason::kOverlap);
     },
     "stray +51x1"},
    {"decided before its time",
     [](FalsifiedLedgerTest& t) {
       t.at(kStart + minutes(50)).decided_at = kStart + minutes(50) - Duration(1);
     },
     "early +50x1"},
    {"handed out before its time",
     [](FalsifiedLedgerTest& t) { t.at(kStart + minutes(50)).started_at = kStart + minutes(49); },
     "early +50x1"},
    {"a skip before its time",
     [](FalsifiedLedgerTest& t) {
       t.at(kStart + minutes(50)).skipped = SkipReason::kOverlap;
       t.at(kStart + minutes(50)).decided_at = kStart;
     },
     "early +50x1"},
    {"ran while paused",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(115)).status = JobStatus::kPaused;
       t.ran_by(2, kStart + minutes(115));
     },
     "wrong_fate +120x1"},
    {"missed while paused, but for another reason",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(115)).status = JobStatus::kPaused;
       t.at(kEnd).skipped = SkipReason::kMisfireExpired;
     },
     "wrong_fate +120x1"},
    {"paused, says the ledger, and it was not",
     [](FalsifiedLedgerTest& t) { t.at(kStart + minutes(50)).skipped = SkipReason::kPaused; },
     "wrong_fate +50x1"},
    {"a pause that the ledger makes longer than it was",
     [](FalsifiedLedgerTest& t) {
       ProofRevision& pause = t.changed(kStart + minutes(95));
       pause.status = JobStatus::kPaused;
       pause.paused_until = kStart + minutes(105);
       t.ran_by(2, kStart + minutes(95));
       t.forget(kStart + minutes(100), kStart + minutes(110));
       t.skip(kStart + minutes(100), kStart + minutes(110), 2, SkipReason::kPaused);
     },
     "wrong_fate +100x2"},
    {"ran on a day that its calendar excludes",
     [](FalsifiedLedgerTest& t) {
       t.job().schedule.calendar_name = "holidays";
       t.job().schedule.calendar_rules = "2026-01-01";
       t.rows_.clear();
       t.run(kStart + minutes(10));
       t.skip(kStart + minutes(20), kEnd, 11, SkipReason::kCalendar);
     },
     "wrong_fate +10x1"},
    {"the calendar, says the ledger, and there is none",
     [](FalsifiedLedgerTest& t) { t.at(kStart + minutes(50)).skipped = SkipReason::kCalendar; },
     "wrong_fate +50x1"},
    {"a reason that its policy does not know",
     [](FalsifiedLedgerTest& t) { t.at(kStart + minutes(50)).skipped = SkipReason::kMisfireLimit; },
     "wrong_fate +50x1"},
    {"an overlap of a job whose runs may overlap",
     [](FalsifiedLedgerTest& t) {
       t.job().policies.overlap = OverlapPolicy::kAllow;
       t.at(kStart + minutes(50)).skipped = SkipReason::kOverlap;
     },
     "wrong_fate +50x1"},
    {"a range that counts too few",
     [](FalsifiedLedgerTest& t) {
       t.forget(kStart + minutes(30), kStart + minutes(60));
       t.skip(kStart + minutes(30), kStart + minutes(60), 3, SkipReason::kOverlap);
     },
     "wrong_count +30x3"},
    {"a range that ends at no tick",
     [](FalsifiedLedgerTest& t) {
       t.forget(kStart + minutes(30), kStart + minutes(60));
       t.skip(kStart + minutes(30), kStart + minutes(61), 4, SkipReason::kOverlap);
     },
     "wrong_count +30x4"},
    {"a range over a change of the schedule",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(45));
       t.ran_by(2, kStart + minutes(45));
       t.forget(kStart + minutes(30), kStart + minutes(60));
       t.skip(kStart + minutes(30), kStart + minutes(60), 4, SkipReason::kOverlap);
     },
     "wrong_count +30x4"},
    {"a run that stands for nobody",
     [](FalsifiedLedgerTest& t) { t.at(kStart + minutes(50)).count = 3; }, "wrong_count +50x1"},
    {"missed ticks that no run stands for",
     [](FalsifiedLedgerTest& t) {
       t.forget(kStart + minutes(30), kStart + minutes(40));
       t.skip(kStart + minutes(30), kStart + minutes(40), 2, SkipReason::kMisfireCoalesced);
     },
     "wrong_count +50x1"},
    {"an edit that reached back",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(60));
       t.job().schedule.cron_expression = "*/5 * * * *";
       t.ran_by(2, kStart + minutes(60));
       t.run(kStart + minutes(55), 2);
       for (int minute = 65; minute < 120; minute += 10) t.run(kStart + minutes(minute), 2);
     },
     "stray +55x1"},
    {"a tick by the definition before",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(115));
       t.job().schedule.cron_expression = "0 * * * *";
     },
     "wrong_fate +120x1"},
    {"a tick of the schedule before, after the edit",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(105));
       t.job().schedule.cron_expression = "0 * * * *";
       t.ran_by(2, kStart + minutes(115));
     },
     "stray +110x1"},
    {"ran after it was cancelled",
     [](FalsifiedLedgerTest& t) {
       t.changed(kStart + minutes(115)).status = JobStatus::kCancelled;
     },
     "stray +120x1"},
    {"ran before it existed",
     [](FalsifiedLedgerTest& t) { t.revisions_.front().effective_from = kStart + minutes(15); },
     "stray +10x1"},
    {"ran after its end",
     [](FalsifiedLedgerTest& t) { t.job().schedule.end_at = kStart + minutes(115); },
     "stray +120x1"},
    {"moved by a minute, as another name would draw its jitter",
     [](FalsifiedLedgerTest& t) {
       FateRow& row = t.at(kStart + minutes(50));
       row.first = row.last = Tick(kStart + minutes(51));
       row.decided_at = kStart + minutes(52);
       row.started_at.reset();
     },
     "hole +50x1, stray +51x1"},
};

TEST_P(FalsifiedLedgerTest, IsNoticed) {
  const Falsification& falsified = kFalsified[GetParam()];
  SCOPED_TRACE(falsified.name);
  ASSERT_EQ(found(), "");
  falsified.how(*this);
  EXPECT_EQ(found(), falsified.found);
  for (const LedgerFlaw& flaw : verdict().flaws) EXPECT_NE(flaw.evidence, "");
}

INSTANTIATE_TEST_SUITE_P(Each, FalsifiedLedgerTest,
                         testing::Range(0, static_cast<int>(std::size(kFalsified))));

TEST_F(ProofTest, AnInstantThatWasOverAndGotNoFate) {
  rows_.clear();
  job().schedule = {.type = ScheduleSpec::Type::kOnce, .run_at = kStart - minutes(5)};
  EXPECT_EQ(found(verdict(kStart - hours(1), kEnd)), "hole +-5x1");
  EXPECT_EQ(found(verdict(kStart - hours(1), kStart - minutes(1))), "") << "not yet";
}

// Closed from 12:15 to 12:45: 12:20 and 12:30 wait for 12:40, which runs at 12:45.
TEST_F(ProofTest, ADelayedTickRunsWhenItsCalendarOpens) {
  job().schedule.calendar_name = "freeze";
  job().schedule.calendar_rules = "12:15..12:45";
  job().schedule.calendar_policy = CalendarPolicy::kDelay;
  forget(kStart + minutes(20), kStart + minutes(30));
  skip(kStart + minutes(20), kStart + minutes(30), 2, SkipReason::kCalendarCoalesced);
  at(kStart + minutes(40)).started_at = kStart + minutes(45);
  const ProofVerdict fine = verdict();
  EXPECT_TRUE(fine.flaws.empty()) << fine.flaws.front().evidence;

  at(kStart + minutes(40)).started_at = kStart + minutes(45) - seconds(1);
  const ProofVerdict early = verdict();
  ASSERT_EQ(early.flaws.size(), 1U);
  EXPECT_EQ(early.flaws[0].kind, FlawKind::kEarly);
  EXPECT_NE(early.flaws[0].evidence.find("before its calendar opened"), std::string::npos);

  at(kStart + minutes(40)).started_at = kStart + minutes(45);
  at(kStart + minutes(20)).skipped = SkipReason::kCalendar;
  EXPECT_EQ(verdict().flaws.at(0).kind, FlawKind::kWrongFate);
}

}  // namespace
}  // namespace belfry::core
