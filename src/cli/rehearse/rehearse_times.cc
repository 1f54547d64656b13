#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/rehearse/rehearse_ask.h"
#include "cli/text/time_argument.h"
#include "core/schedule/civil.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace belfry::cli {
namespace {

constexpr Duration kUsual = std::chrono::days(7);
constexpr Duration kLongest = std::chrono::days(3'660);

Problem wrong_time(const std::string& flag, const Error& error) {
  return {Problem::Kind::kInvalid, flag + ": " + error.message, "", error.hint};
}

// What the words of --down mean in a zone.
class DownReader {
 public:
  DownReader(const rehearse::Plan& plan, Instant now, const std::string& zone,
             core::ZoneCatalog& zones)
      : plan_(plan), now_(now), zone_(zone), zones_(zones) {}

  Answer<std::vector<rehearse::Outage>> read(const std::string& text) {
    if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
      BELFRY_TRY(from, at(text.substr(0, slash)));
      BELFRY_TRY(to, at(text.substr(slash + 1)));
      if (to <= from) return refuse(text, "it ends before it begins");
      return std::vector<rehearse::Outage>{{from, to}};
    }
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos || !is_time_of_day(text.substr(0, dash)) ||
        !is_time_of_day(text.substr(dash + 1))) {
      return refuse(text, "it is not a stretch of time");
    }
    return every_day(text.substr(0, dash), text.substr(dash + 1));
  }

 private:
  static bool is_time_of_day(const std::string& text) {
    return text.size() >= 5 && text[2] == ':' &&
           text.find_first_not_of("0123456789:") == std::string::npos;
  }

  Answer<Instant> at(const std::string& text) {
    const auto instant = parse_time(text, now_, zone_, zones_);
    if (!instant) return fail(wrong_time("--down", instant.error()));
    return *instant;
  }

  static tl::unexpected<Problem> refuse(const std::string& text, const std::string& why) {
    return fail(Problem(Problem::Kind::kInvalid, "--down: `" + text + "`: " + why, "",
                        "write 02:00-02:40 for every day, or FROM/TO for once, such as "
                        "2026-03-29T02:00/2026-03-29T02:40"));
  }

  // On each day that the plan touches; one that ends no later than it begins goes over midnight.
  Answer<std::vector<rehearse::Outage>> every_day(const std::string& from, const std::string& to) {
    BELFRY_TRY(zone, zones_.find(zone_));
    const auto day_of = [&](Instant at) {
      const std::int64_t second = floor_unix_seconds(at);
      return core::floor_days(second + zone->offset_at(second));
    };
    std::vector<rehearse::Outage> outages;
    for (std::int64_t day = day_of(plan_.from) - 1; day <= day_of(plan_.to); ++day) {
      BELFRY_TRY(begin, at(date(day) + "T" + from));
      BELFRY_TRY(end, at(date(to > from ? day : day + 1) + "T" + to));
      if (end > begin) outages.push_back({begin, end});  // not if the clocks jump over all of it
    }
    return outages;
  }

  static std::string date(std::int64_t day) {
    const core::CivilDate date = core::civil_from_days(day);
    return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
  }

  const rehearse::Plan& plan_;
  Instant now_;
  const std::string& zone_;
  core::ZoneCatalog& zones_;
};

// In order, and those that touch as one.
std::vector<rehearse::Outage> joined(std::vector<rehearse::Outage> outages) {
  std::ranges::sort(outages, {}, &rehearse::Outage::from);
  std::vector<rehearse::Outage> apart;
  for (const rehearse::Outage& outage : outages) {
    if (!apart.empty() && outage.from <= apart.back().to) {
      apart.back().to = std::max(apart.back().to, outage.to);
    } else {
      apart.push_back(outage);
    }
  }
  return apart;
}

}  // namespace

std::string zone_meant(const RehearseAsk& ask, const Session& session) {
  if (!ask.timezone.empty()) return ask.timezone;
  const Terminal& terminal = session.terminal();
  return local_zone(terminal.environment ? terminal.environment("TZ") : "");
}

Answer<rehearse::Plan> times_of(const RehearseAsk& ask, const Session& session,
                                core::ZoneCatalog& zones) {
  const std::string zone = zone_meant(ask, session);
  if (const auto known = zones.find(zone); !known) return fail(wrong_time("--tz", known.error()));
  rehearse::Plan plan{.from = session.now()};
  if (!ask.from.empty()) {
    const auto from = parse_time(ask.from, session.now(), zone, zones);
    if (!from) return fail(wrong_time("--from", from.error()));
    plan.from = *from;
  }
  plan.to = plan.from + kUsual;
  if (!ask.to.empty()) {
    const auto to = parse_time(ask.to, session.now(), zone, zones);
    if (!to) return fail(wrong_time("--to", to.error()));
    plan.to = *to;
  }
  if (plan.to <= plan.from || plan.to - plan.from > kLongest) {
    return fail(Problem(Problem::Kind::kInvalid,
                        plan.to <= plan.from ? "--to: it is not later than --from"
                                             : "--to: a rehearsal has at most ten years",
                        format_instant(plan.from) + " to " + format_instant(plan.to),
                        "give another --from or --to"));
  }
  std::vector<rehearse::Outage> outages;
  for (const std::string& text : ask.down) {
    BELFRY_TRY(some, DownReader(plan, session.now(), zone, zones).read(text));
    outages.insert(outages.end(), some.begin(), some.end());
  }
  std::erase_if(outages, [&](const rehearse::Outage& outage) {
    return outage.to <= plan.from || outage.from >= plan.to;
  });
  plan.outages = joined(std::move(outages));
  return plan;
}

}  // namespace belfry::cli
