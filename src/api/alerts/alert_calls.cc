#include "api/alerts/alert_calls.h"

#include "api/alerts/alert_codec.h"
#include "api/frame/context.h"
#include "api/frame/paging.h"
#include "service/alerts/alert_notices.h"

#include <algorithm>
#include <charconv>

namespace belfry::api {
namespace {

constexpr std::size_t kMostRules = 1'000;
constexpr std::size_t kMostMessages = 200;
constexpr std::ptrdiff_t kMostTests = 100;  // that nobody has taken yet

std::uint64_t number_in(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number > INT64_MAX ? 0 : number;
}

// A query parameter that is `true` or `false`.
bool flag_in(const net::Request& request, const std::string& name,
             std::vector<Complaint>& complaints) {
  for (const net::Parameter& given : request.query) {
    if (given.name != name || given.value == "false") continue;
    if (given.value == "true") return true;
    complaints.push_back({"?" + name, "invalid", "it is `true` or `false`", ""});
  }
  return false;
}

Outcome list_alerts(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const bool open = flag_in(call.request, "open", complaints);
  const std::string filter = open ? "alerts open" : "alerts";
  const Page page = read_page(call.request, filter, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.list_alerts(call.principal.tenant, open, number_in(page.cursor),
                                                page.limit));
  Json items = Json::array();
  for (const store::AlertRow& alert : found) items.push_back(write_alert(alert));
  std::optional<std::string> next;
  if (found.size() == page.limit) next = std::to_string(found.back().id);
  return page_response(call.request, std::move(items), next, filter);
}

Outcome list_messages(const Services& services, const Call& call,
                      std::vector<Complaint> complaints) {
  const bool failed = flag_in(call.request, "failed", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found,
              services.store.list_alert_messages(call.principal.tenant, failed, kMostMessages));
  Json items = Json::array();
  for (const store::AlertMessageRow& message : found) items.push_back(write_alert_message(message));
  return json_response(200, {{"items", std::move(items)}});
}

Outcome list_rules(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "alert_rules", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found,
              services.store.list_alert_rules(call.principal.tenant, page.cursor, page.limit));
  Json items = Json::array();
  for (const store::AlertRuleRow& rule : found) items.push_back(write_alert_rule(rule));
  std::optional<std::string> next;
  if (found.size() == page.limit) next = found.back().name;
  return page_response(call.request, std::move(items), next, "alert_rules");
}

Outcome get_rule(const Services& services, const Call& call) {
  BELFRY_NEED(found, services.store.find_alert_rule(call.principal.tenant, call.at("rule")));
  return json_response(200, write_alert_rule(found));
}

// The secrets of receivers are kept sealed.
Status seal(const Services& services, TenantId tenant, const std::vector<std::string>& before,
            core::AlertRule& rule) {
  for (std::size_t i = 0; i < rule.receivers.size(); ++i) {
    const std::string old = i < before.size() ? before[i] : "";
    BELFRY_TRY(sealed, services.secrets.seal_target(tenant, rule.receivers[i], old));
    rule.receivers[i] = std::move(sealed);
  }
  return {};
}

Outcome put_rule(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  const TenantId tenant = call.principal.tenant;
  const std::string& name = call.at("rule");
  const auto before = services.store.find_alert_rule(tenant, name);
  if (!before && before.error().code != Errc::kNotFound) return before.error();
  std::vector<std::string> receivers;
  if (before) {
    const auto old = core::read_alert_rule(name, before->definition);
    if (old) receivers = old->receivers;
  }
  core::AlertRule rule = read_alert_rule(name, json, receivers, complaints);
  if (name.size() > 200 || name.find_first_of("\r\n\t") != std::string::npos) {
    complaints.push_back({"", "invalid", "a rule's name is one line of up to 200 bytes", ""});
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (!before) {
    BELFRY_NEED(others, services.store.list_alert_rules(tenant, "", kMostRules));
    if (others.size() >= kMostRules) {
      return Error{.code = Errc::kQuotaExceeded, .message = "a tenant has up to 1000 alert rules"};
    }
  }
  const auto sealed = seal(services, tenant, receivers, rule);
  if (!sealed) return sealed.error();
  BELFRY_NEED(put, services.store.put_alert_rule(tenant, name, core::write_alert_rule(rule),
                                                 call.author()));
  return json_response(before ? 200 : 201, write_alert_rule(put));
}

Outcome delete_rule(const Services& services, const Call& call) {
  const auto deleted =
      services.store.delete_alert_rule(call.principal.tenant, call.at("rule"), call.author());
  if (!deleted) return deleted.error();
  return net::Response{.status = 204};
}

Outcome test_rule(const Services& services, const Call& call) {
  const TenantId tenant = call.principal.tenant;
  BELFRY_NEED(row, services.store.find_alert_rule(tenant, call.at("rule")));
  BELFRY_NEED(rule, core::read_alert_rule(row.name, row.definition));
  BELFRY_NEED(latest, services.store.list_alert_messages(tenant, false, kMostMessages));
  const auto waits = [](const store::AlertMessageRow& each) {
    return each.state == store::AlertMessageState::kWaiting;
  };
  if (std::ranges::count_if(latest, waits) >= kMostTests) {
    return Error{.code = Errc::kQuotaExceeded,
                 .message = "100 messages wait for their receivers already"};
  }
  Json messages = Json::array();
  for (std::uint32_t i = 0; i < rule.receivers.size(); ++i) {
    BELFRY_NEED(id, services.store.put_alert_message(
                        service::test_message(tenant, rule, i, services.now())));
    messages.push_back("alert_" + std::to_string(id));
  }
  return json_response(202, {{"messages", std::move(messages)}});
}

}  // namespace

std::vector<Route> alert_routes() {
  const std::string rules = "/api/v1/alerts/rules";
  const std::string rule = rules + "/{rule}";
  return {
      {"GET", "/api/v1/alerts", Access::kRead, at_once(list_alerts), {"open", "cursor", "limit"}},
      {"GET", "/api/v1/alerts/messages", Access::kRead, at_once(list_messages), {"failed"}},
      {"GET", rules, Access::kRead, at_once(list_rules), {"cursor", "limit"}},
      {"GET", rule, Access::kRead, at_once(get_rule)},
      {"PUT", rule, Access::kAdminister, at_once(put_rule)},
      {"DELETE", rule, Access::kAdminister, at_once(delete_rule)},
      {"POST", rule + "/test", Access::kOperate, at_once(test_rule)},
  };
}

}  // namespace belfry::api
