#include "api/admin/type_codec.h"

#include "api/frame/object_reader.h"
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"

#include <chrono>
#include <string>

namespace belfry::api {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

Json write_defaults(const core::TypeDefaults& defaults) {
  Json json = Json::object();
  const auto add = [&](const char* name, std::optional<Duration> value) {
    if (value) json[name] = format_duration(*value);
  };
  if (defaults.max_attempts) json["max_attempts"] = *defaults.max_attempts;
  add("timeout", defaults.timeout);
  add("start_within", defaults.start_within);
  add("misfire_grace", defaults.misfire_grace);
  return json;
}

void read_limits(ObjectReader& body, core::TypeLimits& limits) {
  if (const auto most = body.integer("max_concurrent", 1, 1'000'000)) {
    limits.max_concurrent = static_cast<std::int32_t>(*most);
  }
  if (const auto rate = body.text("rate", 20)) {
    if (const auto read = core::read_rate(*rate, limits); !read) {
      body.complain("rate", "invalid", read.error().message, read.error().hint);
    }
  }
  const auto burst = body.integer("burst", 1, 1'000'000);
  if (!burst) return;
  if (!body.has("rate")) {
    return body.complain("burst", "invalid", "a burst belongs to a rate", "give a rate, too");
  }
  limits.burst = static_cast<std::int32_t>(*burst);
  const std::int32_t least = core::least_burst(limits);
  if (limits.burst < least) {
    body.complain(
        "burst", "invalid",
        "a burst is at least what a tenth of a second brings, here " + std::to_string(least));
  }
}

void read_defaults(ObjectReader& body, core::TypeDefaults& defaults,
                   std::vector<Complaint>& complaints) {
  const Json* given = body.object("defaults");
  if (given == nullptr) return;
  ObjectReader reader(*given, body.pointer("defaults"), complaints);
  if (const auto attempts = reader.integer("max_attempts", 1, 1'000)) {
    defaults.max_attempts = static_cast<std::int32_t>(*attempts);
  }
  defaults.timeout = reader.duration("timeout", milliseconds(100), days(30));
  defaults.start_within = reader.duration("start_within", seconds(1), days(3'660));
  defaults.misfire_grace = reader.duration("misfire_grace", Duration::zero(), days(3'660));
  reader.refuse_others();
}

}  // namespace

Json write_type(const store::JobType& type) {
  Json json{{"job_type", type.name}, {"defaults", write_defaults(type.defaults)}};
  if (type.limits.max_concurrent > 0) json["max_concurrent"] = type.limits.max_concurrent;
  if (type.limits.starts > 0) {
    json["rate"] = core::write_rate(type.limits);
    json["burst"] = type.limits.burst;
  }
  json["updated_at"] = format_instant(type.updated_at);
  json["updated_by"] = type.updated_by;
  return json;
}

void read_type(const Json& json, store::JobType& type, std::vector<Complaint>& complaints) {
  ObjectReader body(json, "", complaints);
  for (const char* name : {"job_type", "updated_at", "updated_by"}) body.any(name);
  read_limits(body, type.limits);
  read_defaults(body, type.defaults, complaints);
  body.refuse_others();
}

}  // namespace belfry::api
