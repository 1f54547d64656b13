#include "api/alerts/silence_calls.h"

#include "api/alerts/alert_codec.h"
#include "api/frame/context.h"
#include "api/frame/paging.h"
#include "core/alerts/rule.h"

#include <charconv>

namespace belfry::api {
namespace {

Outcome list_silences(const Services& services, const Call& call) {
  BELFRY_NEED(found, services.store.list_alert_silences(call.principal.tenant));
  Json items = Json::array();
  for (const store::AlertSilenceRow& silence : found) items.push_back(write_alert_silence(silence));
  return json_response(200, {{"items", std::move(items)}});
}

Outcome put_silence(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  body.require("duration", "say for how long: \"duration\": \"2h\"");
  const auto lasts = body.duration("duration", std::chrono::seconds(1), std::chrono::days(90));
  const std::string rule = body.text("rule", 200).value_or("");
  const std::string note = body.text("note", 1'000).value_or("");
  const core::AlertScope scope = read_alert_scope(body);
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const std::string definition =
      write_json({{"rule", rule}, {"scope", core::write_alert_scope(scope)}, {"note", note}});
  BELFRY_NEED(put, services.store.put_alert_silence(call.principal.tenant, definition, *lasts,
                                                    call.author()));
  return json_response(201, write_alert_silence(put));
}

Outcome delete_silence(const Services& services, const Call& call) {
  const std::string& text = call.at("silence");
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id > INT64_MAX) {
    return Error{.code = Errc::kNotFound, .message = "there is no such silence"};
  }
  const auto deleted =
      services.store.delete_alert_silence(call.principal.tenant, id, call.author());
  if (!deleted) return deleted.error();
  return net::Response{.status = 204};
}

}  // namespace

std::vector<Route> silence_routes() {
  const std::string silences = "/api/v1/alerts/silences";
  return {
      {"GET", silences, Access::kRead, at_once(list_silences)},
      {"POST", silences, Access::kOperate, at_once(put_silence)},
      {"DELETE", silences + "/{silence}", Access::kOperate, at_once(delete_silence)},
  };
}

}  // namespace belfry::api
