#include "store/common/access_rules.h"
#include "store/postgres/admin/alert_messages.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <limits>

namespace belfry::store::postgres {
namespace {

AlertRuleRow read_rule(Row row) {
  AlertRuleRow rule;
  rule.tenant = TenantId(to_unsigned(row.number()));
  rule.name = row.text();
  rule.definition = row.text();
  rule.created_at = row.instant();
  rule.updated_at = row.instant();
  rule.updated_by = row.text();
  return rule;
}

AlertSilenceRow read_silence(Row row) {
  AlertSilenceRow silence;
  silence.id = to_unsigned(row.number());
  silence.tenant = TenantId(to_unsigned(row.number()));
  silence.definition = row.text();
  silence.until = row.instant();
  silence.created_at = row.instant();
  silence.created_by = row.text();
  return silence;
}

std::optional<std::uint64_t> maybe_number(Row& row) {
  if (row.next_is_null()) {
    row.skip(1);
    return {};
  }
  return to_unsigned(row.number());
}

AlertRow read_alert(Row row) {
  AlertRow alert;
  alert.id = to_unsigned(row.number());
  alert.tenant = TenantId(to_unsigned(row.number()));
  alert.rule = row.text();
  alert.subject = row.text();
  if (const auto job = maybe_number(row)) alert.job = JobId(*job);
  alert.sentence = row.text();
  alert.opened_at = row.instant();
  alert.resolved_at = row.maybe_instant();
  alert.opened_notice = maybe_number(row);
  alert.resolved_notice = maybe_number(row);
  alert.quiet = row.boolean();
  return alert;
}

Params key_of(TenantId tenant, const std::string& name) {
  return Params().bigint(to_bigint(tenant.value())).text(name);
}

std::vector<std::int64_t> bigints_of(const std::vector<std::uint64_t>& ids) {
  return {ids.begin(), ids.end()};
}

// All that one look found; the fence is checked before anything is written.
Status write_findings(Transaction& transaction, std::optional<Instant> now,
                      const AlertFindings& findings) {
  BELFRY_TRY(
      mine, transaction.run(kEndAlertLook, Params().instant(now).bigint(to_bigint(findings.look))));
  if (mine.empty()) return fail(another_alert_look());
  const auto look = mine.row(0).number();
  for (const auto& [tenant, opening] : findings.opens) {
    std::optional<std::int64_t> job;
    if (opening.job) job = to_bigint(opening.job->value());
    BELFRY_CHECK(transaction.run(kOpenAlert, Params()
                                                 .instant(now)
                                                 .bigint(to_bigint(tenant.value()))
                                                 .text(opening.rule)
                                                 .text(opening.subject)
                                                 .maybe_bigint(job)
                                                 .text(opening.sentence)
                                                 .boolean(opening.quiet)));
  }
  for (const core::AlertVerdict::Ending& end : findings.ends) {
    BELFRY_CHECK(transaction.run(
        kEndAlert,
        Params().instant(now).bigint(to_bigint(end.id)).boolean(end.quiet).boolean(end.unheard)));
  }
  if (!findings.unhushed.empty()) {
    BELFRY_CHECK(transaction.run(kUnhushAlerts, Params().bigints(bigints_of(findings.unhushed))));
  }
  for (const AlertFindings::Message& message : findings.messages) {
    BELFRY_CHECK(transaction.run(kPutAlertMessage, params_of(now, message, look)));
  }
  BELFRY_CHECK(
      transaction.run(kTellOpened, Params().bigints(bigints_of(findings.told_open)).bigint(look)));
  BELFRY_CHECK(
      transaction.run(kTellEnded, Params().bigints(bigints_of(findings.told_end)).bigint(look)));
  return {};
}

}  // namespace

Result<AlertRuleRow> PostgresStore::put_alert_rule(TenantId tenant, const std::string& name,
                                                   const std::string& definition,
                                                   const Author& author) {
  AlertRuleRow rule;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    std::optional<AlertRuleRow> before;
    BELFRY_TRY(old, transaction.run(kAlertRuleBefore, key_of(tenant, name)));
    if (!old.empty()) before = read_rule(old.row(0));
    BELFRY_TRY(put, transaction.run(kPutAlertRule, Params()
                                                       .instant(now())
                                                       .bigint(to_bigint(tenant.value()))
                                                       .text(name)
                                                       .text(definition)
                                                       .text(author.actor)));
    rule = read_rule(put.row(0));
    return note_audit(transaction, now(), author, note_of_alert_rule(before, rule));
  }));
  return rule;
}

Result<AlertRuleRow> PostgresStore::find_alert_rule(TenantId tenant, const std::string& name) {
  BELFRY_TRY(reply, database_.read(kFindAlertRule, key_of(tenant, name)));
  if (reply.empty()) return fail(no_such_alert_rule(name));
  return read_rule(reply.row(0));
}

Result<std::vector<AlertRuleRow>> PostgresStore::list_alert_rules(TenantId tenant,
                                                                  const std::string& after,
                                                                  std::size_t limit) {
  BELFRY_TRY(reply,
             database_.read(kListAlertRules, key_of(tenant, after).bigint(to_bigint(limit))));
  return read_all(reply, read_rule);
}

Status PostgresStore::delete_alert_rule(TenantId tenant, const std::string& name,
                                        const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(gone, transaction.run(kDeleteAlertRule, key_of(tenant, name)));
    if (gone.empty()) return fail(no_such_alert_rule(name));
    BELFRY_CHECK(transaction.run(
        kEndAlertsOfRule, Params().instant(now()).bigint(to_bigint(tenant.value())).text(name)));
    return note_audit(transaction, now(), author,
                      note_of_deleted_alert_rule(read_rule(gone.row(0))));
  });
}

Result<AlertSilenceRow> PostgresStore::put_alert_silence(TenantId tenant,
                                                         const std::string& definition,
                                                         Duration lasts, const Author& author) {
  AlertSilenceRow silence;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(put, transaction.run(kPutAlertSilence, Params()
                                                          .instant(now())
                                                          .bigint(to_bigint(tenant.value()))
                                                          .text(definition)
                                                          .bigint(lasts.count())
                                                          .text(author.actor)));
    silence = read_silence(put.row(0));
    return note_audit(transaction, now(), author, note_of_alert_silence(silence));
  }));
  return silence;
}

Result<std::vector<AlertSilenceRow>> PostgresStore::list_alert_silences(TenantId tenant) {
  BELFRY_TRY(reply, database_.read(kListAlertSilences,
                                   Params().instant(now()).bigint(to_bigint(tenant.value()))));
  return read_all(reply, read_silence);
}

Status PostgresStore::delete_alert_silence(TenantId tenant, std::uint64_t id,
                                           const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(gone,
               transaction.run(kDeleteAlertSilence,
                               Params().bigint(to_bigint(tenant.value())).bigint(to_bigint(id))));
    if (gone.empty()) return fail(no_such_alert_silence());
    return note_audit(transaction, now(), author,
                      note_of_deleted_alert_silence(read_silence(gone.row(0))));
  });
}

Result<std::vector<AlertRow>> PostgresStore::list_alerts(TenantId tenant, bool open_only,
                                                         std::uint64_t before, std::size_t limit) {
  const std::int64_t below =
      before == 0 ? std::numeric_limits<std::int64_t>::max() : to_bigint(before);
  BELFRY_TRY(reply, database_.read(kListAlerts, Params()
                                                    .bigint(to_bigint(tenant.value()))
                                                    .boolean(open_only)
                                                    .bigint(below)
                                                    .bigint(to_bigint(limit))));
  return read_all(reply, read_alert);
}

Result<AlertLook> PostgresStore::begin_alert_look() {
  AlertLook look;
  BELFRY_TRY(begun, database_.read(kBeginAlertLook, Params().instant(now())));
  if (begun.empty()) return fail(Errc::kInternal, "the row of alert_looks is gone");
  Row row = begun.row(0);
  look.number = to_unsigned(row.number());
  look.now = row.instant();
  look.before = row.instant();
  BELFRY_TRY(rules, database_.read(kAllAlertRules));
  look.rules = read_all(rules, read_rule);
  BELFRY_TRY(silences, database_.read(kAllAlertSilences, Params().instant(now())));
  look.silences = read_all(silences, read_silence);
  BELFRY_TRY(alerts, database_.read(kUnsettledAlerts));
  look.alerts = read_all(alerts, read_alert);
  return look;
}

Status PostgresStore::end_alert_look(const AlertFindings& findings) {
  return database_.transaction(
      [&](Transaction& transaction) { return write_findings(transaction, now(), findings); });
}

Status PostgresStore::prune_alerts(Duration retention) {
  for (const std::string_view statement :
       {kPruneAlerts, kPruneAlertMessages, kPruneAlertSilences}) {
    BELFRY_CHECK(database_.write(statement, Params().instant(now()).bigint(retention.count())));
  }
  return {};
}

}  // namespace belfry::store::postgres
