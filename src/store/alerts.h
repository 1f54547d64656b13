#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/alerts/judge.h"
#include "store/author.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Rules that watch jobs, what they found, and the messages about it.
//
// Whoever looks begins a look, decides, and ends the look: all that begins or ends, and every
// message about it, in one transaction that is refused if another look was ended meanwhile. So a
// frozen or doubled watcher changes nothing, and a lost reply is answered by the next look.
namespace belfry::store {

struct AlertRuleRow {
  TenantId tenant;
  std::string name;
  std::string definition;  // JSON, as in core/alerts/rule.h
  Instant created_at;
  Instant updated_at;
  std::string updated_by;
};

struct AlertSilenceRow {
  std::uint64_t id = 0;
  TenantId tenant;
  std::string definition;  // JSON: rule, scope, note
  Instant until;
  Instant created_at;
  std::string created_by;
};

// What is, or was, wrong.
struct AlertRow {
  std::uint64_t id = 0;
  TenantId tenant;
  std::string rule;
  std::string subject;
  std::optional<JobId> job;
  std::string sentence;
  Instant opened_at;
  std::optional<Instant> resolved_at;
  // The look whose messages tell of it; none: not told yet; 0: nobody is to be told.
  std::optional<std::uint64_t> opened_notice;
  std::optional<std::uint64_t> resolved_notice;
  bool quiet = false;  // nobody is told as long as its job or its rule is quiet
};

enum class AlertMessageState : std::uint8_t { kWaiting, kSent, kFailed };

struct AlertMessageRow {
  std::uint64_t id = 0;
  TenantId tenant;
  std::string rule;
  std::uint64_t notice = 0;
  AlertMessageState state{};
  std::uint32_t attempt = 0;
  Fence fence;  // under which it is held
  Instant created_at;
  Instant due_at;  // of one that waits: when it may be claimed
  std::optional<Instant> finished_at;
  std::string error;
  std::string target;  // JSON, with its secrets sealed
  std::string body;
};

// A look, as it begins.
struct AlertLook {
  std::uint64_t number = 0;
  Instant now;
  Instant before;  // when the last look ended
  std::vector<AlertRuleRow> rules;
  std::vector<AlertSilenceRow> silences;  // those that are not over
  std::vector<AlertRow> alerts;           // those that are open or untold
};

struct AlertFindings {
  struct Opening {
    TenantId tenant;
    core::AlertVerdict::Opening opening;
  };
  struct Message {
    TenantId tenant;
    std::string rule;
    std::uint32_t receiver = 0;  // which of the rule's
    std::string queue;
    std::string target;
    std::string body;
  };
  std::uint64_t look = 0;
  std::vector<Opening> opens;
  std::vector<core::AlertVerdict::Ending> ends;
  std::vector<std::uint64_t> unhushed;  // alerts that are not quiet any more
  std::vector<Message> messages;
  std::vector<std::uint64_t> told_open;  // alerts that the messages tell of
  std::vector<std::uint64_t> told_end;
};

// What to look for in a tenant; what is none is not looked for.
struct AlertQuestion {
  TenantId tenant;
  std::optional<std::int64_t> in_a_row;  // jobs that failed so often
  std::optional<Instant> failed_since;   // runs that failed since
  std::optional<Instant> live_before;    // live runs for times up to this
  std::optional<Instant> begun_since;    // runs that ended since, and had begun late:
  Duration late_by{};
  std::optional<Instant> missed_since;  // ticks missed since
  bool dead_letters = false;
  bool broken = false;      // jobs whose schedule cannot be evaluated
  bool usual = false;       // also what the jobs found usually take
  std::vector<JobId> also;  // these jobs anyway
};

// Messages of a rule that their receivers have not taken.
struct UndeliveredAlerts {
  TenantId tenant;
  std::string rule;
  std::int64_t messages = 0;
  std::int64_t given_up = 0;  // of these: nobody tries them any more
  Instant since;
  std::string error;  // of the last that was tried; empty: nobody has tried
};

class AlertStore {
 public:
  virtual ~AlertStore() = default;

  virtual Result<AlertRuleRow> put_alert_rule(TenantId tenant, const std::string& name,
                                              const std::string& definition,
                                              const Author& author) = 0;
  virtual Result<AlertRuleRow> find_alert_rule(TenantId tenant, const std::string& name) = 0;
  // Ordered by name, those after `after`.
  virtual Result<std::vector<AlertRuleRow>> list_alert_rules(TenantId tenant,
                                                             const std::string& after,
                                                             std::size_t limit) = 0;
  // Its alerts end, and nobody is told.
  virtual Status delete_alert_rule(TenantId tenant, const std::string& name,
                                   const Author& author) = 0;

  virtual Result<AlertSilenceRow> put_alert_silence(TenantId tenant, const std::string& definition,
                                                    Duration lasts, const Author& author) = 0;
  virtual Result<std::vector<AlertSilenceRow>> list_alert_silences(TenantId tenant) = 0;
  virtual Status delete_alert_silence(TenantId tenant, std::uint64_t id, const Author& author) = 0;

  // The newest first, those before `before` (0: from the newest on); only open ones if asked.
  virtual Result<std::vector<AlertRow>> list_alerts(TenantId tenant, bool open_only,
                                                    std::uint64_t before, std::size_t limit) = 0;
  // The newest first, without body. `failed`: only those whose last attempt failed.
  virtual Result<std::vector<AlertMessageRow>> list_alert_messages(TenantId tenant, bool failed,
                                                                   std::size_t limit) = 0;

  virtual Result<AlertLook> begin_alert_look() = 0;
  virtual Result<std::vector<core::AlertJob>> alert_facts(const AlertQuestion& question) = 0;
  // kConflict when another look was ended since this one began.
  virtual Status end_alert_look(const AlertFindings& findings) = 0;

  // Puts one message beside all looks, to try a receiver.
  virtual Result<std::uint64_t> put_alert_message(const AlertFindings::Message& message) = 0;
  // Messages that are due, each under a new fence for the length of the lease.
  virtual Result<std::vector<AlertMessageRow>> claim_alert_messages(const std::string& queue,
                                                                    std::size_t most,
                                                                    Duration lease) = 0;
  // How an attempt ended; false when the fence is not the message's any more. With a wait the
  // message is due again after it, otherwise it is over. Not an attempt if `unused`.
  struct AlertMessageEnd {
    std::uint64_t id = 0;
    Fence fence;
    AlertMessageState state{};
    std::string error;
    std::optional<Duration> wait;
    bool unused = false;
  };
  virtual Result<bool> end_alert_message(const AlertMessageEnd& end) = 0;
  virtual Result<bool> hold_alert_message(std::uint64_t id, Fence fence, Duration lease) = 0;

  // What is not delivered a minute after it was decided, and what was given up in the last day and
  // not mended since: by a change of the rule, or by a later message that its receiver took. The
  // oldest first, a hundred rules at most.
  virtual Result<std::vector<UndeliveredAlerts>> undelivered_alerts() = 0;

  // Drops what has been over for longer than `retention`.
  virtual Status prune_alerts(Duration retention) = 0;
};

}  // namespace belfry::store
