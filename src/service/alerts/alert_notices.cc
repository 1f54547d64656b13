#include "service/alerts/alert_notices.h"

#include <algorithm>
#include <set>

namespace belfry::service {
namespace {

core::AlertNews news_of(const store::AlertRow& alert) {
  return {.id = alert.id,
          .subject = alert.subject,
          .sentence = alert.sentence,
          .since = alert.opened_at,
          .resolved_at = alert.resolved_at};
}

store::AlertFindings::Message message_to(TenantId tenant, const core::AlertRule& rule,
                                         std::uint32_t receiver, const core::AlertNotice& notice) {
  const auto target = parse_json(rule.receivers.at(receiver));
  const Json json = target ? *target : Json::object();
  return {.tenant = tenant,
          .rule = rule.name,
          .receiver = receiver,
          .queue = core::alert_queue(json),
          .target = rule.receivers.at(receiver),
          .body = core::alert_body(notice, json)};
}

// Whose beginning is not to be told: they are quiet, or ended unheard in this very look.
std::set<std::uint64_t> untellable(const store::AlertLook& look,
                                   const store::AlertFindings& findings) {
  std::set<std::uint64_t> ids;
  for (const store::AlertRow& alert : look.alerts) {
    if (alert.quiet) ids.insert(alert.id);
  }
  for (const core::AlertVerdict::Ending& end : findings.ends) {
    if (end.unheard) ids.insert(end.id);
  }
  return ids;
}

}  // namespace

void add_notices(TenantId tenant, const std::vector<core::AlertRule>& rules,
                 const store::AlertLook& look, store::AlertFindings& findings) {
  const std::set<std::uint64_t> kept_back = untellable(look, findings);
  for (const core::AlertRule& rule : rules) {
    core::AlertNotice notice{.rule = rule.name, .at = look.now};
    Instant first = Instant::max();
    for (const store::AlertRow& alert : look.alerts) {
      if (alert.tenant != tenant || alert.rule != rule.name) continue;
      if (!alert.opened_notice && !kept_back.contains(alert.id)) {
        notice.opened.push_back(news_of(alert));
        first = std::min(first, alert.opened_at);
      }
      if (alert.resolved_at && !alert.resolved_notice) {
        notice.recovered.push_back(news_of(alert));
        first = std::min(first, *alert.resolved_at);
      }
    }
    if (first == Instant::max() || look.now - first < rule.group_wait) continue;
    for (std::uint32_t i = 0; i < rule.receivers.size(); ++i) {
      findings.messages.push_back(message_to(tenant, rule, i, notice));
    }
    for (const core::AlertNews& news : notice.opened) findings.told_open.push_back(news.id);
    for (const core::AlertNews& news : notice.recovered) findings.told_end.push_back(news.id);
  }
}

store::AlertFindings::Message test_message(TenantId tenant, const core::AlertRule& rule,
                                           std::uint32_t receiver, Instant now) {
  core::AlertNotice notice{.rule = rule.name, .at = now};
  notice.opened.push_back({.subject = "test",
                           .sentence = "this is a test of the rule; nothing is wrong",
                           .since = now});
  return message_to(tenant, rule, receiver, notice);
}

}  // namespace belfry::service
