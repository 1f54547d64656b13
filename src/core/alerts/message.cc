#include "core/alerts/message.h"

#include "base/text/instant_text.h"
#include "core/queue.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::core {
namespace {

std::string names_of(const std::vector<AlertNews>& news) {
  constexpr std::size_t kSome = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kSome, news.size()); ++i) {
    names += (i == 0 ? "" : ", ") + (news[i].subject == "*" ? news[i].sentence : news[i].subject);
  }
  if (news.size() > kSome) names += fmt::format(" and {} more", news.size() - kSome);
  return names;
}

Json list(const std::vector<AlertNews>& news) {
  Json items = Json::array();
  for (std::size_t i = 0; i < std::min(kMostNamedAlerts, news.size()); ++i) {
    const AlertNews& one = news[i];
    Json item{{"alert_id", one.id},
              {"subject", one.subject},
              {"sentence", one.sentence},
              {"opened_at", format_instant(one.since)}};
    if (one.resolved_at) item["resolved_at"] = format_instant(*one.resolved_at);
    items.push_back(std::move(item));
  }
  return items;
}

void add_lines(std::string& text, const char* title, const std::vector<AlertNews>& news) {
  if (news.empty()) return;
  text += fmt::format("\n{} ({}):\n", title, news.size());
  for (std::size_t i = 0; i < std::min(kMostNamedAlerts, news.size()); ++i) {
    text += "  " + news[i].subject + ": " + news[i].sentence + "\n";
  }
  if (news.size() > kMostNamedAlerts) {
    text += fmt::format("  and {} more\n", news.size() - kMostNamedAlerts);
  }
}

std::string text_of(const AlertNotice& notice) {
  std::string text = alert_summary(notice) + "\n";
  add_lines(text, "Wrong", notice.opened);
  add_lines(text, "Recovered", notice.recovered);
  return text;
}

}  // namespace

std::string alert_summary(const AlertNotice& notice) {
  std::string summary = "[" + notice.rule + "] ";
  if (!notice.opened.empty()) summary += names_of(notice.opened);
  if (!notice.recovered.empty()) {
    summary += (notice.opened.empty() ? "" : "; ") + ("recovered: " + names_of(notice.recovered));
  }
  return summary;
}

std::string alert_body(const AlertNotice& notice, const Json& receiver) {
  if (receiver.value("form", "") == "slack") return write_json({{"text", text_of(notice)}});
  if (receiver.value("kind", "") == "MAIL") {
    return write_json({{"subject", alert_summary(notice)}, {"text", text_of(notice)}});
  }
  return write_json({{"type", "belfry.alert.v1"},
                     {"rule", notice.rule},
                     {"at", format_instant(notice.at)},
                     {"summary", alert_summary(notice)},
                     {"opened", list(notice.opened)},
                     {"opened_count", notice.opened.size()},
                     {"recovered", list(notice.recovered)},
                     {"recovered_count", notice.recovered.size()}});
}

std::string alert_queue(const Json& receiver) {
  const std::string kind = receiver.value("kind", "");
  if (kind == "MAIL") return "mail";
  return kind == "TOPIC" ? topic_queue(receiver.value("broker", "")) : http_queue();
}

}  // namespace belfry::core
