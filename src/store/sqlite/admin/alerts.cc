#include "store/common/access_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {
namespace {

AlertRuleRow read_rule(Row& row) {
  AlertRuleRow rule;
  row.read(rule.tenant, rule.name, rule.definition, rule.created_at, rule.updated_at,
           rule.updated_by);
  return rule;
}

AlertSilenceRow read_silence(Row& row) {
  AlertSilenceRow silence;
  row.read(silence.id, silence.tenant, silence.definition, silence.until, silence.created_at,
           silence.created_by);
  return silence;
}

AlertRow read_alert(Row& row) {
  AlertRow alert;
  row.read(alert.id, alert.tenant, alert.rule, alert.subject, alert.job, alert.sentence,
           alert.opened_at, alert.resolved_at, alert.opened_notice, alert.resolved_notice,
           alert.quiet);
  return alert;
}

// All rows of a statement.
template <typename Read, typename... Args>
auto all(const Session& session, std::string_view sql, const Read& read, const Args&... args)
    -> Result<std::vector<decltype(read(std::declval<Row&>()))>> {
  std::vector<decltype(read(std::declval<Row&>()))> rows;
  const auto add = [&](Row& row) { rows.push_back(read(row)); };
  BELFRY_CHECK(session.db.each(sql, add, args...));
  return rows;
}

}  // namespace

Result<AlertRuleRow> SqliteStore::put_alert_rule(TenantId tenant, const std::string& name,
                                                 const std::string& definition,
                                                 const Author& author) {
  return write([&](const Session& session) -> Result<AlertRuleRow> {
    std::optional<AlertRuleRow> before;
    const auto read_before = [&](Row& row) { before = read_rule(row); };
    BELFRY_CHECK(session.db.first(kFindAlertRule, read_before, tenant, name));
    AlertRuleRow rule;
    const auto read = [&](Row& row) { rule = read_rule(row); };
    BELFRY_CHECK(
        session.db.first(kPutAlertRule, read, session.now, tenant, name, definition, author.actor));
    BELFRY_CHECK(note_audit(session, author, note_of_alert_rule(before, rule)));
    return rule;
  });
}

Result<AlertRuleRow> SqliteStore::find_alert_rule(TenantId tenant, const std::string& name) {
  return read([&](const Session& session) -> Result<AlertRuleRow> {
    AlertRuleRow rule;
    const auto read = [&](Row& row) { rule = read_rule(row); };
    BELFRY_TRY(found, session.db.first(kFindAlertRule, read, tenant, name));
    if (!found) return fail(no_such_alert_rule(name));
    return rule;
  });
}

Result<std::vector<AlertRuleRow>> SqliteStore::list_alert_rules(TenantId tenant,
                                                                const std::string& after,
                                                                std::size_t limit) {
  return read([&](const Session& session) {
    return all(session, kListAlertRules, read_rule, tenant, after, limit);
  });
}

Status SqliteStore::delete_alert_rule(TenantId tenant, const std::string& name,
                                      const Author& author) {
  return write([&](const Session& session) -> Status {
    AlertRuleRow rule;
    const auto read = [&](Row& row) { rule = read_rule(row); };
    BELFRY_TRY(gone, session.db.first(kDeleteAlertRule, read, tenant, name));
    if (!gone) return fail(no_such_alert_rule(name));
    BELFRY_CHECK(session.db.run(kEndAlertsOfRule, session.now, tenant, name));
    return note_audit(session, author, note_of_deleted_alert_rule(rule));
  });
}

Result<AlertSilenceRow> SqliteStore::put_alert_silence(TenantId tenant,
                                                       const std::string& definition,
                                                       Duration lasts, const Author& author) {
  return write([&](const Session& session) -> Result<AlertSilenceRow> {
    AlertSilenceRow silence;
    const auto read = [&](Row& row) { silence = read_silence(row); };
    BELFRY_CHECK(session.db.first(kPutAlertSilence, read, session.now, tenant, definition, lasts,
                                  author.actor));
    BELFRY_CHECK(note_audit(session, author, note_of_alert_silence(silence)));
    return silence;
  });
}

Result<std::vector<AlertSilenceRow>> SqliteStore::list_alert_silences(TenantId tenant) {
  return read([&](const Session& session) {
    return all(session, kListAlertSilences, read_silence, session.now, tenant);
  });
}

Status SqliteStore::delete_alert_silence(TenantId tenant, std::uint64_t id, const Author& author) {
  return write([&](const Session& session) -> Status {
    AlertSilenceRow silence;
    const auto read = [&](Row& row) { silence = read_silence(row); };
    BELFRY_TRY(gone, session.db.first(kDeleteAlertSilence, read, tenant, id));
    if (!gone) return fail(no_such_alert_silence());
    return note_audit(session, author, note_of_deleted_alert_silence(silence));
  });
}

Result<std::vector<AlertRow>> SqliteStore::list_alerts(TenantId tenant, bool open_only,
                                                       std::uint64_t before, std::size_t limit) {
  const std::int64_t below =
      before == 0 ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(before);
  return read([&](const Session& session) {
    return all(session, kListAlerts, read_alert, tenant, open_only, below, limit);
  });
}

Result<AlertLook> SqliteStore::begin_alert_look() {
  return read([&](const Session& session) -> Result<AlertLook> {
    AlertLook look;
    const auto read = [&](Row& row) { row.read(look.number, look.now, look.before); };
    BELFRY_CHECK(session.db.first(kBeginAlertLook, read, session.now));
    BELFRY_TRY(rules, all(session, kAllAlertRules, read_rule));
    look.rules = std::move(rules);
    BELFRY_TRY(silences, all(session, kAllAlertSilences, read_silence, session.now));
    look.silences = std::move(silences);
    BELFRY_TRY(alerts, all(session, kUnsettledAlerts, read_alert));
    look.alerts = std::move(alerts);
    return look;
  });
}

// All that one look found; the fence is checked before anything is written.
Status SqliteStore::end_alert_look(const AlertFindings& findings) {
  return write([&](const Session& session) -> Status {
    std::int64_t look = 0;
    const auto read = [&](Row& row) { row.read(look); };
    BELFRY_TRY(mine, session.db.first(kEndAlertLook, read, session.now, findings.look));
    if (!mine) return fail(another_alert_look());
    for (const auto& [tenant, opening] : findings.opens) {
      BELFRY_CHECK(session.db.run(kOpenAlert, session.now, tenant, opening.rule, opening.subject,
                                  opening.job, opening.sentence, opening.quiet));
    }
    for (const core::AlertVerdict::Ending& end : findings.ends) {
      BELFRY_CHECK(session.db.run(kEndAlert, session.now, end.id, end.quiet, end.unheard));
    }
    for (const std::uint64_t id : findings.unhushed) {
      BELFRY_CHECK(session.db.run(kUnhushAlerts, id));
    }
    for (const AlertFindings::Message& message : findings.messages) {
      BELFRY_CHECK(session.db.run(kPutAlertMessage, session.now, message.tenant, message.rule, look,
                                  message.receiver, message.queue, message.target, message.body));
    }
    for (const std::uint64_t id : findings.told_open) {
      BELFRY_CHECK(session.db.run(kTellOpened, id, look));
    }
    for (const std::uint64_t id : findings.told_end) {
      BELFRY_CHECK(session.db.run(kTellEnded, id, look));
    }
    return {};
  });
}

Status SqliteStore::prune_alerts(Duration retention) {
  return write([&](const Session& session) -> Status {
    for (const std::string_view statement :
         {kPruneAlerts, kPruneAlertMessages, kPruneAlertSilences}) {
      BELFRY_CHECK(session.db.run(statement, session.now, retention));
    }
    return {};
  });
}

}  // namespace belfry::store::sqlite
