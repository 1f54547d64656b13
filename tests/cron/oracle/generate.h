#pragma once

#include "tests/cron/oracle/oracle.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Questions for the engine and the oracle to answer independently.
namespace belfry::oracle {

struct Case {
  Question question;
  std::int64_t instant = 0;  // ask for what follows and what precedes this

  // How far to look. If the oracle finds nothing, the engine's answer, if any, must lie
  // farther away.
  std::int64_t forward_horizon = 0;
  std::int64_t backward_horizon = 0;  // never reaches back beyond 1970-01-02

  bool near_change = false;  // within two days of an offset change of the zone
};

// For failure messages: everything needed to ask again.
std::string describe(const Case& drawn);

// The same seed and zone database give the same cases in the same order.
class Generator {
 public:
  explicit Generator(std::uint64_t seed, const std::string& zone_directory = "/usr/share/zoneinfo");

  // An expression whose every part is settled by the text of the dialect, so that a difference is a
  // bug. `@every` is never drawn; `H` is, and then question.key is not empty.
  Case draw();

  // The same, after a few random edits of the expression: mostly no longer legal, and both sides
  // should agree on that. Edits can produce spellings that the text does not settle.
  Case draw_garbled();

  const std::vector<std::string>& zones() const { return zones_; }
  std::size_t change_count() const { return changes_.size(); }

 private:
  // A change of the offset of a zone between 1970 and 2100.
  struct Change {
    std::size_t zone;
    std::int64_t instant;
    std::int64_t offset_before;
    std::int64_t offset_after;
  };
  // A moment on the wall clock that the expression should be about.
  struct Target {
    int year, month, day, weekday, hour, minute, second;
    bool near_change;
    bool aimed;  // at exactly this moment, not only near it
  };

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  int between(int low, int high);
  std::int64_t between64(std::int64_t low, std::int64_t high);
  bool chance(int percent) { return below(100) < static_cast<std::uint64_t>(percent); }
  template <typename List>
  const auto& pick(const List& list) {
    return list[below(list.size())];
  }

  void load_zones(const std::string& directory);
  void load_changes();

  std::string expression(const Target& target, const Question& question);
  std::string plain_field(int low, int high, int wanted, int star_percent, const Target& target);
  std::string hash_field(int low, int high);
  std::string hour_field(const Target& target);
  std::string day_of_month_field(const Target& target);
  std::string month_field(const Target& target);
  std::string day_of_week_field(const Target& target, bool quartz);
  std::string year_field(const Target& target);
  std::string open_field();
  bool leaves_day_open(const Target& target) { return chance(target.aimed ? 75 : 60); }
  std::string weekday_text(int weekday, bool quartz);
  std::string spelled(std::string text);
  std::string written(int value);

  std::mt19937_64 random_;
  std::vector<std::string> zones_;
  std::vector<Change> changes_;
  std::vector<Change> odd_changes_;  // not by one hour: the rare ones deserve more than their share
};

}  // namespace belfry::oracle
