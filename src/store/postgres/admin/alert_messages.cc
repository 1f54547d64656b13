#include "store/postgres/admin/alert_messages.h"

#include "store/common/alert_jobs.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

AlertMessageRow read_message(Row row) {
  AlertMessageRow message;
  message.id = to_unsigned(row.number());
  message.tenant = TenantId(to_unsigned(row.number()));
  message.rule = row.text();
  message.notice = to_unsigned(row.number());
  message.state = static_cast<AlertMessageState>(row.number());
  message.attempt = static_cast<std::uint32_t>(row.number());
  message.fence = Fence(to_unsigned(row.number()));
  message.created_at = row.instant();
  message.due_at = row.instant();
  message.finished_at = row.maybe_instant();
  message.error = row.text();
  message.target = row.text();
  message.body = row.text();
  return message;
}

UndeliveredAlerts read_undelivered(Row row) {
  UndeliveredAlerts undelivered;
  undelivered.tenant = TenantId(to_unsigned(row.number()));
  undelivered.rule = row.text();
  undelivered.messages = row.number();
  undelivered.given_up = row.number();
  undelivered.since = row.instant();
  undelivered.error = row.text();
  return undelivered;
}

}  // namespace

Params params_of(std::optional<Instant> now, const AlertFindings::Message& message,
                 std::int64_t notice) {
  Params params;
  params.instant(now)
      .bigint(to_bigint(message.tenant.value()))
      .text(message.rule)
      .bigint(notice)
      .integer(message.receiver)
      .text(message.queue)
      .text(message.target)
      .text(message.body);
  return params;
}

Result<std::uint64_t> PostgresStore::put_alert_message(const AlertFindings::Message& message) {
  std::uint64_t id = 0;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(notice, transaction.run(
                           kNextTestNotice,
                           Params().bigint(to_bigint(message.tenant.value())).text(message.rule)));
    BELFRY_TRY(
        put, transaction.run(kPutAlertMessage, params_of(now(), message, notice.row(0).number())));
    id = to_unsigned(put.row(0).number());
    return {};
  }));
  return id;
}

Result<std::vector<AlertMessageRow>> PostgresStore::claim_alert_messages(const std::string& queue,
                                                                         std::size_t most,
                                                                         Duration lease) {
  BELFRY_TRY(
      reply,
      database_.write(
          kClaimAlertMessages,
          Params().instant(now()).text(queue).bigint(to_bigint(most)).bigint(lease.count())));
  return read_all(reply, read_message);
}

Result<bool> PostgresStore::end_alert_message(const AlertMessageEnd& end) {
  std::optional<std::int64_t> wait;
  if (end.wait) wait = end.wait->count();
  BELFRY_TRY(reply,
             database_.write(kEndAlertMessage, Params()
                                                   .instant(now())
                                                   .bigint(to_bigint(end.id))
                                                   .bigint(to_bigint(end.fence.value()))
                                                   .smallint(static_cast<std::int64_t>(end.state))
                                                   .text(end.error)
                                                   .maybe_bigint(wait)
                                                   .boolean(end.unused)));
  return !reply.empty();
}

Result<bool> PostgresStore::hold_alert_message(std::uint64_t id, Fence fence, Duration lease) {
  BELFRY_TRY(reply, database_.write(kHoldAlertMessage, Params()
                                                           .instant(now())
                                                           .bigint(to_bigint(id))
                                                           .bigint(to_bigint(fence.value()))
                                                           .bigint(lease.count())));
  return !reply.empty();
}

Result<std::vector<AlertMessageRow>> PostgresStore::list_alert_messages(TenantId tenant,
                                                                        bool failed,
                                                                        std::size_t limit) {
  BELFRY_TRY(
      reply,
      database_.read(
          kListAlertMessages,
          Params().bigint(to_bigint(tenant.value())).boolean(failed).bigint(to_bigint(limit))));
  return read_all(reply, read_message);
}

Result<std::vector<UndeliveredAlerts>> PostgresStore::undelivered_alerts() {
  BELFRY_TRY(
      reply,
      database_.read(
          kUndeliveredAlerts,
          Params().instant(now()).bigint(kAlertPatience.count()).bigint(kAlertGivenUpFor.count())));
  return read_all(reply, read_undelivered);
}

}  // namespace belfry::store::postgres
