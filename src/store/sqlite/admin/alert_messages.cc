#include "store/common/alert_jobs.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

AlertMessageRow read_message(Row& row) {
  AlertMessageRow message;
  row.read(message.id, message.tenant, message.rule, message.notice, message.state, message.attempt,
           message.fence, message.created_at, message.due_at, message.finished_at, message.error,
           message.target, message.body);
  return message;
}

}  // namespace

Result<std::uint64_t> SqliteStore::put_alert_message(const AlertFindings::Message& message) {
  return write([&](const Session& session) -> Result<std::uint64_t> {
    BELFRY_TRY(notice,
               session.db.value<std::int64_t>(kNextTestNotice, message.tenant, message.rule));
    return session.db.value<std::uint64_t>(kPutAlertMessage, session.now, message.tenant,
                                           message.rule, notice, message.receiver, message.queue,
                                           message.target, message.body);
  });
}

Result<std::vector<AlertMessageRow>> SqliteStore::claim_alert_messages(const std::string& queue,
                                                                       std::size_t most,
                                                                       Duration lease) {
  return write([&](const Session& session) -> Result<std::vector<AlertMessageRow>> {
    std::vector<AlertMessageRow> messages;
    const auto add = [&](Row& row) { messages.push_back(read_message(row)); };
    BELFRY_CHECK(session.db.each(kClaimAlertMessages, add, session.now, queue, most, lease));
    return messages;
  });
}

Result<bool> SqliteStore::end_alert_message(const AlertMessageEnd& end) {
  return write([&](const Session& session) -> Result<bool> {
    const auto ignore = [](Row&) {};
    return session.db.first(kEndAlertMessage, ignore, session.now, end.id, end.fence, end.state,
                            end.error, end.wait, end.unused);
  });
}

Result<bool> SqliteStore::hold_alert_message(std::uint64_t id, Fence fence, Duration lease) {
  return write([&](const Session& session) -> Result<bool> {
    const auto ignore = [](Row&) {};
    return session.db.first(kHoldAlertMessage, ignore, session.now, id, fence, lease);
  });
}

Result<std::vector<AlertMessageRow>> SqliteStore::list_alert_messages(TenantId tenant, bool failed,
                                                                      std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<AlertMessageRow>> {
    std::vector<AlertMessageRow> messages;
    const auto add = [&](Row& row) { messages.push_back(read_message(row)); };
    BELFRY_CHECK(session.db.each(kListAlertMessages, add, tenant, failed, limit));
    return messages;
  });
}

Result<std::vector<UndeliveredAlerts>> SqliteStore::undelivered_alerts() {
  return read([&](const Session& session) -> Result<std::vector<UndeliveredAlerts>> {
    std::vector<UndeliveredAlerts> rules;
    const auto add = [&](Row& row) {
      UndeliveredAlerts& rule = rules.emplace_back();
      row.read(rule.tenant, rule.rule, rule.messages, rule.given_up, rule.since, rule.error);
    };
    BELFRY_CHECK(
        session.db.each(kUndeliveredAlerts, add, session.now, kAlertPatience, kAlertGivenUpFor));
    return rules;
  });
}

}  // namespace belfry::store::sqlite
