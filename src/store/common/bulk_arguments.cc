#include "store/common/bulk_arguments.h"

#include "base/text/instant_text.h"

namespace belfry::store {

Json write_arguments(const BulkStore::JobDeed& deed) {
  Json json = Json::object();
  if (deed.until) json["until"] = format_instant_micros(*deed.until);
  if (deed.labels.set != "{}") json["set"] = parse_json(deed.labels.set).value_or(Json::object());
  if (!deed.labels.remove.empty()) json["remove"] = deed.labels.remove;
  if (deed.ends_waiting) json["ready_runs"] = "cancel";
  return json;
}

Result<BulkStore::JobDeed> read_deed(const NewBulk& wanted) {
  const auto action = core::meaning_of(wanted.action, core::kJobActions);
  if (!action) return fail(Errc::kInvalid, "`" + wanted.action + "` is not done to jobs");
  BELFRY_TRY(json, parse_json(wanted.arguments));
  BulkStore::JobDeed deed{.action = *action};
  if (json.contains("until")) {
    BELFRY_TRY(until, parse_instant(json["until"].get<std::string>()));
    deed.until = until;
  }
  if (json.contains("set")) deed.labels.set = write_json(json["set"]);
  const Json remove = json.value("remove", Json::array());
  for (const Json& name : remove) deed.labels.remove.push_back(name.get<std::string>());
  deed.ends_waiting = json.value("ready_runs", "keep") == "cancel";
  return deed;
}

}  // namespace belfry::store
