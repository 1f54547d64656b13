#include "cli/rehearse/rehearse_json.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/spelling.h"

namespace belfry::cli {
namespace {

using rehearse::Event;

std::string instant_in(Instant at, const std::string& zone, core::ZoneCatalog& zones) {
  const auto found = zones.find(zone);
  const std::int64_t offset = found ? (*found)->offset_at(floor_unix_seconds(at)) : 0;
  return format_instant(at, static_cast<std::int32_t>(offset));
}

const char* kind_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kFired: return "fired";
    case Event::Kind::kSkipped: return "skipped";
    case Event::Kind::kReplaced: return "replaced";
    case Event::Kind::kTimedOut: return "timed_out";
    case Event::Kind::kDied: break;
  }
  return "died";
}

Json skips_json(const rehearse::Tally& tally) {
  Json skips = Json::object();
  for (const auto& [reason, count] : tally.skips) skips[std::string(core::name_of(reason))] = count;
  return skips;
}

Json tally_json(const rehearse::Tally& tally) {
  return {{"fires", tally.fires},
          {"late", tally.late},
          {"latest", format_duration(tally.latest)},
          {"skips", skips_json(tally)},
          {"replaced", tally.replaced},
          {"timed_out", tally.timed_out},
          {"died", tally.died}};
}

Json names_json(const std::vector<std::size_t>& jobs, const rehearse::Plan& plan) {
  Json names = Json::array();
  for (const std::size_t job : jobs) names.push_back(plan.jobs[job].definition.name);
  return names;
}

Json peak_json(const rehearse::Summary& summary) {
  return summary.busiest.empty() ? Json(0) : Json(summary.busiest.front().fires);
}

}  // namespace

Json to_json(const Event& event, const rehearse::Plan& plan, core::ZoneCatalog& zones) {
  const core::JobDefinition& job = plan.jobs[event.job].definition;
  const std::string& zone = job.schedule.timezone;
  Json json{{"kind", kind_of(event.kind)},
            {"job_name", job.name},
            {"timezone", zone},
            {"at", instant_in(event.at, zone, zones)}};
  if (event.kind == Event::Kind::kSkipped) {
    json["first"] = instant_in(event.tick.instant(), zone, zones);
    json["last"] = instant_in(event.last.instant(), zone, zones);
    json["count"] = event.ticks;
    json["reason"] = core::name_of(event.reason);
  } else {
    json["scheduled_for"] = instant_in(event.tick.instant(), zone, zones);
    json["stands_for"] = event.ticks;
  }
  if (event.kind == Event::Kind::kDied)
    json["reason"] = core::word_for(event.why, core::kDeadReasons);
  if (event.other) json["other"] = instant_in(event.other->instant(), zone, zones);
  return json;
}

std::vector<Json> lines_of(const rehearse::Summary& summary, const rehearse::Plan& plan,
                           core::ZoneCatalog& zones) {
  std::vector<Json> lines;
  for (std::size_t i = 0; i < summary.jobs.size(); ++i) {
    const rehearse::Tally& tally = summary.jobs[i];
    const std::string& zone = plan.jobs[i].definition.schedule.timezone;
    const auto shown = [&](std::optional<Instant> at) {
      return at ? Json(instant_in(*at, zone, zones)) : Json();
    };
    Json line{{"kind", "job"}, {"job_name", plan.jobs[i].definition.name}, {"timezone", zone}};
    line.update(tally_json(tally));
    line["first_fire"] = shown(tally.first_fire);
    line["last_fire"] = shown(tally.last_fire);
    lines.push_back(std::move(line));
  }
  for (const rehearse::BusyMinute& minute : summary.busiest) {
    lines.push_back({{"kind", "busy_minute"},
                     {"at", format_instant(minute.at)},
                     {"fires", minute.fires},
                     {"jobs", names_json(minute.jobs, plan)}});
  }
  for (const rehearse::ClockSurprise& surprise : summary.surprises) {
    lines.push_back({{"kind", "clock_change"},
                     {"at", format_instant(surprise.at)},
                     {"code", surprise.code},
                     {"message", surprise.message},
                     {"jobs", names_json(surprise.jobs, plan)}});
  }
  for (const rehearse::Overlap& overlap : summary.overlaps) {
    lines.push_back({{"kind", "overlap"},
                     {"job_name", plan.jobs[overlap.job].definition.name},
                     {"skipped", overlap.ticks},
                     {"waited", overlap.waited},
                     {"replaced", overlap.replaced},
                     {"first", to_json(overlap.first, plan, zones)}});
  }
  Json sums{{"kind", "summary"},
            {"from", format_instant(plan.from)},
            {"to", format_instant(plan.to)},
            {"jobs", plan.jobs.size()},
            {"peak", peak_json(summary)}};
  sums.update(tally_json(summary.all));
  lines.push_back(std::move(sums));
  return lines;
}

std::vector<Json> lines_of(const std::vector<rehearse::JobChange>& changes,
                           const rehearse::Summary& before, const rehearse::Summary& after,
                           core::ZoneCatalog& zones) {
  using Kind = rehearse::JobChange::Kind;
  std::vector<Json> lines;
  for (const rehearse::JobChange& change : changes) {
    const auto some = [&](const std::vector<Instant>& instants) {
      Json list = Json::array();
      for (const Instant at : instants) list.push_back(instant_in(at, change.zone, zones));
      return list;
    };
    lines.push_back({{"kind", change.kind == Kind::kNew    ? "new"
                              : change.kind == Kind::kGone ? "gone"
                                                           : "changed"},
                     {"job_name", change.name},
                     {"timezone", change.zone},
                     {"before", tally_json(change.before)},
                     {"after", tally_json(change.after)},
                     {"gained", change.gained},
                     {"lost", change.lost},
                     {"first_gained", some(change.some_gained)},
                     {"first_lost", some(change.some_lost)}});
  }
  Json was = tally_json(before.all);
  Json is = tally_json(after.all);
  was["peak"] = peak_json(before);
  is["peak"] = peak_json(after);
  lines.push_back({{"kind", "comparison"},
                   {"differences", changes.size()},
                   {"before", std::move(was)},
                   {"after", std::move(is)}});
  return lines;
}

}  // namespace belfry::cli
