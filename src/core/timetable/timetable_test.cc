#include "core/timetable/timetable.h"

#include "core/cron/compile.h"
#include "core/schedule/schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace belfry::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kStart = from_unix_seconds(1'767'225'600);  // 2026-01-01

ZoneCatalog& zones() {
  static ZoneCatalog catalog;
  return catalog;
}
Rhythm cron(const std::string& expression, const std::string& zone = "UTC") {
  return Rhythm(CronRule(*parse_expression(expression), **zones().find(zone), DstOverlap::kFirst));
}
Rhythm once(Instant at) {
  return Rhythm(OnceRule{at});
}

// (partition, job, tick) as a plain set, for comparing.
using Plain = std::multiset<std::tuple<int, std::uint64_t, std::int64_t>>;
Plain plain(const DueTicks& due) {
  Plain all;
  for (int p = 0; p < kPartitionCount; ++p) {
    for (const DueTick& tick : due.of(PartitionId(static_cast<std::uint8_t>(p)))) {
      all.emplace(p, tick.job.value(), tick.tick.instant().micros());
    }
  }
  return all;
}
Plain pop(Timetable& timetable, Instant until) {
  DueTicks due;
  timetable.pop_due(until, due);
  EXPECT_EQ(due.size(), plain(due).size());
  return plain(due);
}
std::tuple<int, std::uint64_t, std::int64_t> tick(int partition, std::uint64_t job, Instant at) {
  return {partition, job, at.micros()};
}

TEST(TimetableTest, SharesOneEntryBetweenJobsOfOneRhythm) {
  Timetable timetable(kStart);
  const Rhythm a = cron("0 0 * * *");
  const Rhythm b = cron("00 0 * * 0-7");  // not open: another rule, although the same ticks
  const Rhythm c = cron("0 0 */1 * ?");   // the same rule in other words
  timetable.put(PartitionId(1), {JobId(1), &a});
  timetable.put(PartitionId(2), {JobId(2), &a});
  timetable.put(PartitionId(2), {JobId(3), &c});
  EXPECT_EQ(timetable.schedule_count(), 1U);
  timetable.put(PartitionId(2), {JobId(4), &b});
  EXPECT_EQ(timetable.schedule_count(), 2U);
  EXPECT_EQ(timetable.job_count(), 4U);
  EXPECT_EQ(timetable.next_wakeup(), kStart + hours(24));
}

TEST(TimetableTest, PopsEverythingDueByPartitionAndMovesOn) {
  Timetable timetable(kStart);
  const Rhythm hourly = cron("0 * * * *");
  const Rhythm half_past = cron("30 * * * *");
  timetable.put(PartitionId(7), {JobId(1), &hourly});
  timetable.put(PartitionId(8), {JobId(2), &half_past});
  EXPECT_EQ(pop(timetable, kStart + minutes(29)), Plain{});
  EXPECT_EQ(pop(timetable, kStart + hours(2)),
            (Plain{tick(7, 1, kStart + hours(1)), tick(7, 1, kStart + hours(2)),
                   tick(8, 2, kStart + minutes(30)), tick(8, 2, kStart + minutes(90))}));
  EXPECT_EQ(timetable.cursor(), kStart + hours(2));
  EXPECT_EQ(pop(timetable, kStart + hours(2)), Plain{});
}

TEST(TimetableTest, CountsOnlyTicksWithinAJobsBounds) {
  Timetable timetable(kStart);
  const Rhythm hourly = cron("0 * * * *");
  timetable.put(PartitionId(0), {JobId(1), &hourly, kStart + hours(1), kStart + hours(3)});
  timetable.put(PartitionId(0), {JobId(2), &hourly, kStart, kStart + hours(1)});
  timetable.put(PartitionId(0), {JobId(3), &hourly, kStart + hours(5), kStart + hours(5)});
  EXPECT_EQ(pop(timetable, kStart + hours(9)),
            (Plain{tick(0, 1, kStart + hours(2)), tick(0, 1, kStart + hours(3)),
                   tick(0, 2, kStart + hours(1))}));
  EXPECT_EQ(timetable.job_count(), 0U);
  EXPECT_EQ(timetable.schedule_count(), 0U);
  EXPECT_EQ(timetable.next_wakeup(), std::nullopt);
}

TEST(TimetableTest, FiresAOneShotOnceWithMicroseconds) {
  Timetable timetable(kStart);
  const Rhythm soon = once(kStart + Duration(1'234'567));
  const Rhythm past = once(kStart - seconds(1));
  timetable.put(PartitionId(3), {JobId(1), &soon});
  timetable.put(PartitionId(3), {JobId(2), &past});
  EXPECT_EQ(timetable.job_count(), 1U);
  EXPECT_EQ(timetable.next_wakeup(), kStart + Duration(1'234'567));
  EXPECT_EQ(pop(timetable, kStart + Duration(1'234'566)), Plain{});
  EXPECT_EQ(pop(timetable, kStart + Duration(1'234'567)),
            (Plain{tick(3, 1, kStart + Duration(1'234'567))}));
  EXPECT_EQ(timetable.job_count(), 0U);
}

TEST(TimetableTest, TellsWhichJobsHaveNoTickLeft) {
  Timetable timetable(kStart);
  const Rhythm hourly = cron("0 * * * *");
  const Rhythm soon = once(kStart + minutes(5));
  const Rhythm past = once(kStart - seconds(1));
  const Rhythm years_over = cron("0 0 0 1 1 * 2025");
  const Rhythm last_of_years = cron("0 0 2 1 1 * 2026");
  const PartitionId partition(3);
  EXPECT_TRUE(timetable.put(partition, {JobId(1), &soon}));
  EXPECT_TRUE(timetable.put(partition, {JobId(2), &hourly, kStart, kStart + minutes(90)}));
  EXPECT_TRUE(timetable.put(partition, {JobId(3), &last_of_years}));
  EXPECT_TRUE(timetable.put(partition, {JobId(4), &last_of_years, kStart, kStart + hours(9)}));
  EXPECT_TRUE(timetable.put(partition, {JobId(5), &hourly}));
  EXPECT_FALSE(timetable.put(partition, {JobId(6), &past}));
  EXPECT_FALSE(timetable.put(partition, {JobId(7), &years_over}));
  EXPECT_FALSE(timetable.put(partition, {JobId(8), &hourly, kStart, kStart + minutes(59)}));
  EXPECT_EQ(timetable.job_count(), 5U);
  const auto ended_by = [&](Instant until) {
    DueTicks due;
    timetable.pop_due(until, due);
    return std::set<JobId>(due.ended(partition).begin(), due.ended(partition).end());
  };
  EXPECT_EQ(ended_by(kStart + minutes(4)), (std::set<JobId>{}));
  EXPECT_EQ(ended_by(kStart + minutes(5)), (std::set{JobId(1)}));
  EXPECT_EQ(ended_by(kStart + minutes(90)), (std::set{JobId(2)}));
  EXPECT_EQ(ended_by(kStart + hours(2)), (std::set{JobId(3), JobId(4)}));
  EXPECT_EQ(timetable.job_count(), 1U);
  EXPECT_EQ(ended_by(kStart + hours(24)), (std::set<JobId>{}));
}

TEST(TimetableTest, ForgetsADroppedPartitionAndKeepsTheOthers) {
  Timetable timetable(kStart);
  const Rhythm hourly = cron("0 * * * *");
  const Rhythm later = once(kStart + minutes(5));
  for (int p = 0; p < 3; ++p) {
    const PartitionId partition(static_cast<std::uint8_t>(p));
    const std::vector<Timetable::Job> jobs{
        {JobId(10), &hourly}, {JobId(11), &later}, {JobId(12), &hourly, kStart + hours(1)}};
    timetable.load(partition, jobs);
  }
  timetable.drop(PartitionId(1));
  EXPECT_EQ(timetable.job_count(), 6U);
  const Plain due = pop(timetable, kStart + hours(2));
  EXPECT_EQ(due.size(), 8U);
  for (const auto& [partition, job, at] : due) EXPECT_NE(partition, 1);
  timetable.drop(PartitionId(0));
  timetable.drop(PartitionId(2));
  EXPECT_EQ(timetable.schedule_count(), 0U);
  EXPECT_EQ(timetable.next_wakeup(), std::nullopt);
}

TEST(TimetableTest, ShowsThePartitionsRhythmsForCatchingUp) {
  Timetable timetable(kStart);
  const Rhythm hourly = cron("0 * * * *");
  const Rhythm daily = cron("0 0 * * *");
  timetable.put(PartitionId(4), {JobId(1), &hourly});
  timetable.put(PartitionId(4), {JobId(2), &daily});
  timetable.put(PartitionId(4), {JobId(3), &hourly});
  timetable.put(PartitionId(5), {JobId(4), &hourly});
  std::map<std::size_t, std::set<JobId>> seen;
  timetable.for_each_rhythm(PartitionId(4), [&](const Rhythm& r, std::span<const JobId> jobs) {
    seen[r.hash()] = {jobs.begin(), jobs.end()};
  });
  EXPECT_EQ(seen[hourly.hash()], (std::set{JobId(1), JobId(3)}));
  EXPECT_EQ(seen[daily.hash()], (std::set{JobId(2)}));
}

TEST(TimetableTest, PassesExclusionsOn) {
  const auto calendar = std::make_shared<const Calendar>(
      *Calendar::make("c", std::vector<std::string>{"2026-01-02"}, zones()));
  const Rhythm daily(
      CronRule(*parse_expression("0 12 * * *"), **zones().find("UTC"), DstOverlap::kFirst),
      {.calendar = calendar, .zone = *zones().find("UTC")});
  Timetable timetable(kStart);
  timetable.put(PartitionId(0), {JobId(1), &daily});
  DueTicks due;
  timetable.pop_due(kStart + hours(48), due);
  ASSERT_EQ(due.of(PartitionId(0)).size(), 2U);
  EXPECT_EQ(due.of(PartitionId(0))[0].exclusion, Exclusion::kNone);
  EXPECT_EQ(due.of(PartitionId(0))[1].exclusion, Exclusion::kCalendar);
}

// Against a model that keeps each job alone and asks its rhythm for every tick: random puts,
// changes, removals, drops, loads and pops must give the same ticks, and the same forecast.
class Model {
 public:
  struct Entry {
    Rhythm rhythm;
    Instant after;
    Instant until;
  };
  std::map<std::pair<int, std::uint64_t>, Entry> jobs;

  Plain pop(Instant from, Instant until) const {
    Plain all;
    for (const auto& [key, entry] : jobs) {
      Instant at = std::max(entry.after, from);
      while (const auto found = entry.rhythm.next(at)) {
        at = found->tick.instant();
        if (at > until || at > entry.until) break;
        all.emplace(key.first, key.second, at.micros());
      }
    }
    return all;
  }
  std::vector<std::uint64_t> forecast(Instant cursor, Instant from, std::size_t length) const {
    std::vector<std::uint64_t> counts(length);
    const Instant begin(std::chrono::floor<minutes>(from.since_origin()));
    for (const auto& [partition, job, at] : pop(cursor, begin + minutes(length) - Duration(1))) {
      const Duration into = Instant::from_micros(at) - begin;
      if (into >= Duration::zero()) ++counts[static_cast<std::size_t>(into / minutes(1))];
    }
    return counts;
  }
};

class RandomTimetable : public testing::TestWithParam<int> {};

TEST_P(RandomTimetable, DoesWhatTheModelDoes) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const std::vector<Rhythm> rhythms{cron("* * * * * *"),
                                    cron("*/7 * * * *"),
                                    cron("0 * * * *", "Asia/Kathmandu"),
                                    cron("*/20 * 1-5 * * *"),
                                    cron("0 0 31 12 *"),
                                    cron("0 0 30 2 *"),
                                    cron("15,45 30 2 * * *", "America/New_York"),
                                    Rhythm(EveryRule::aligned_to(kStart, seconds(17))),
                                    Rhythm(EveryRule::aligned_to(kStart, minutes(61))),
                                    Rhythm(CronRule(*parse_expression("*/5 * * * * *"),
                                                    **zones().find("UTC"), DstOverlap::kFirst),
                                           {.shift = seconds(33)})};
  // Some hours around the spring change in New York, so that its spans matter.
  Instant now =
      GetParam() % 2 == 0 ? kStart : from_unix_seconds(1'772'945'700);  // 2026-03-08T04:55
  Timetable timetable(now);
  Model model;
  const auto draw = [&]() -> Model::Entry {
    const Rhythm rhythm =
        below(3) == 0 ? once(now + Duration(below(7'200'000'000))) : rhythms[below(rhythms.size())];
    Instant after = now;
    Instant until = Instant::max();
    if (below(3) == 0) after = now + seconds(below(5'000));
    if (below(3) == 0) until = now + seconds(below(9'000));
    return {rhythm, after, until};
  };
  for (int step = 0; step < 600; ++step) {
    const int partition = static_cast<int>(below(3));
    const PartitionId id(static_cast<std::uint8_t>(partition));
    const std::uint64_t job = below(40);
    switch (below(12)) {
      case 0: {
        const Instant until = now + seconds(below(1'800));
        EXPECT_EQ(pop(timetable, until), model.pop(now, until));
        now = until;
        break;
      }
      case 1:
        timetable.remove(id, JobId(job));
        model.jobs.erase({partition, job});
        break;
      case 2: {
        if (below(10) != 0) break;
        timetable.drop(id);
        std::erase_if(model.jobs,
                      [&](const auto& entry) { return entry.first.first == partition; });
        std::vector<Model::Entry> entries;
        for (int i = 0; i < 20; ++i) entries.push_back(draw());
        std::vector<Timetable::Job> jobs;
        for (std::uint64_t i = 0; i < entries.size(); ++i) {
          jobs.push_back({JobId(i), &entries[i].rhythm, entries[i].after, entries[i].until});
          model.jobs.insert_or_assign({partition, i}, entries[i]);
        }
        timetable.load(id, jobs);
        break;
      }
      default: {
        const Model::Entry entry = draw();
        timetable.put(id, {JobId(job), &entry.rhythm, entry.after, entry.until});
        model.jobs.insert_or_assign({partition, job}, entry);
        break;
      }
    }
    if (step % 200 == 150) {
      EXPECT_EQ(timetable.forecast(now, 100), model.forecast(now, now, 100));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTimetable, testing::Range(1, 9));

}  // namespace
}  // namespace belfry::core
