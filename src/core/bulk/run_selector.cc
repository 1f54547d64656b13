#include "core/bulk/run_selector.h"

#include "base/text/instant_text.h"
#include "core/id_text.h"

namespace belfry::core {

Json write_selector(const RunSelector& selector) {
  Json json{{"state", word_for(selector.state, kRunStates)}};
  if (selector.job) json["job_id"] = write_job_id(*selector.job);
  if (selector.from) json["from"] = format_instant_micros(*selector.from);
  if (selector.to) json["to"] = format_instant_micros(*selector.to);
  return json;
}

Result<RunSelector> read_run_selector(std::string_view text) {
  BELFRY_TRY(json, parse_json(text));
  RunSelector selector;
  const auto state = meaning_of(json.value("state", ""), kRunStates);
  if (!state) return fail(Errc::kInvalid, "the selector names no state");
  selector.state = *state;
  if (json.contains("job_id")) selector.job = read_job_id(json["job_id"].get<std::string>());
  for (const auto& [name, place] :
       {std::pair("from", &selector.from), std::pair("to", &selector.to)}) {
    if (!json.contains(name)) continue;
    BELFRY_TRY(instant, parse_instant(json[name].get<std::string>()));
    *place = instant;
  }
  return selector;
}

}  // namespace belfry::core
