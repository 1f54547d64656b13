#include "service/alerts/alert_watch.h"

#include "core/queue.h"
#include "core/schedule/calendar.h"
#include "service/alerts/alert_notices.h"

#include <algorithm>
#include <map>
#include <utility>

namespace belfry::service {
namespace {

using core::AlertRule;
using core::AlertWhen;

constexpr std::size_t kMostOpenings = 2'000;  // in one look; the next one finds the others

// What ended a little before the last look may not have been visible to it.
constexpr Duration kOverlap = std::chrono::minutes(1);
constexpr Duration kFarthestBack = std::chrono::hours(1);

void keep_less(std::optional<std::int64_t>& kept, std::int64_t other) {
  kept = kept ? std::min(*kept, other) : other;
}

void keep_earlier(std::optional<Instant>& kept, Instant other) {
  kept = kept ? std::min(*kept, other) : other;
}

void keep_later(std::optional<Instant>& kept, Instant other) {
  kept = kept ? std::max(*kept, other) : other;
}

// Widens the question so that it covers what the rule looks at.
void ask_for(const AlertRule& rule, const store::AlertLook& look, store::AlertQuestion& question) {
  const Instant recent = std::max(look.before - kOverlap, look.now - kFarthestBack);
  switch (rule.when) {
    case AlertWhen::kFailedInARow: keep_less(question.in_a_row, rule.count); break;
    case AlertWhen::kFailures: keep_earlier(question.failed_since, look.now - rule.window); break;
    case AlertWhen::kLate:
      question.late_by = question.begun_since ? std::min(question.late_by, rule.after) : rule.after;
      keep_earlier(question.begun_since, recent);
      keep_later(question.live_before, look.now - rule.after);
      break;
    case AlertWhen::kNotStarted: keep_later(question.live_before, look.now - rule.after); break;
    case AlertWhen::kRunning:
      if (rule.times_usual > 0) question.usual = true;
      keep_later(question.live_before, look.now - rule.after);
      break;
    case AlertWhen::kMissed: keep_earlier(question.missed_since, recent); break;
    case AlertWhen::kDeadLetters: question.dead_letters = true; break;
    case AlertWhen::kScheduleBroken: question.broken = true; break;
    case AlertWhen::kNoWorker:
    case AlertWhen::kClockOffset: break;
  }
}

// The day in UTC, as calendars count.
std::int64_t day_of(Instant now) {
  constexpr std::int64_t kDay = 86'400;
  const std::int64_t seconds = floor_unix_seconds(now);
  return (seconds >= 0 ? seconds : seconds - kDay + 1) / kDay;
}

std::vector<core::AlertQueue> idle_queues(const std::vector<store::QueueLoad>& loads,
                                          TenantId tenant) {
  std::vector<core::AlertQueue> queues;
  for (const store::QueueLoad& load : loads) {
    const core::QueueName name = core::read_queue(load.queue);
    const bool is_type =
        name.kind == core::TargetKind::kWorker || name.kind == core::TargetKind::kExec;
    if (load.tenant != tenant || !is_type || load.held > 0 || !load.waiting_since) continue;
    queues.push_back({name.name, *load.waiting_since, load.waiting, load.region_name});
  }
  return queues;
}

// Those that are alive and have said how their clocks stand.
std::vector<core::AlertNode> clocks_of(const store::Overview& overview) {
  std::vector<core::AlertNode> nodes;
  for (const store::Overview::Node& node : overview.nodes) {
    if (node.lease_until <= overview.now || !node.clock_offset) continue;
    nodes.push_back({node.name, *node.clock_offset});
  }
  return nodes;
}

bool has_rule(const std::vector<AlertRule>& rules, AlertWhen when) {
  return std::ranges::any_of(rules, [&](const AlertRule& rule) { return rule.when == when; });
}

}  // namespace

struct AlertWatch::Tenant {
  TenantId id;
  std::vector<AlertRule> rules;
  std::vector<core::OpenAlert> open;
  std::vector<core::AlertSilence> silences;
  std::vector<JobId> open_jobs;
};

Result<core::AlertFacts> AlertWatch::facts_of(const store::AlertLook& look, const Tenant& tenant) {
  store::AlertQuestion question{.tenant = tenant.id};
  question.also = tenant.open_jobs;
  for (const AlertRule& rule : tenant.rules) ask_for(rule, look, question);
  core::AlertFacts facts{.now = look.now};
  BELFRY_TRY(jobs, stores_.alerts.alert_facts(question));
  facts.jobs = std::move(jobs);
  if (has_rule(tenant.rules, AlertWhen::kNoWorker)) {
    BELFRY_TRY(loads, stores_.overview.queue_loads());
    facts.queues = idle_queues(loads, tenant.id);
  }
  if (has_rule(tenant.rules, AlertWhen::kClockOffset)) {
    BELFRY_TRY(overview, stores_.overview.overview());
    facts.nodes = clocks_of(overview);
  }
  return facts;
}

// Of rules with a calendar that says so now, in UTC. One whose calendar is gone is not quiet.
Result<std::vector<std::string>> AlertWatch::quiet_rules(const Tenant& tenant, Instant now) {
  std::vector<std::string> quiet;
  BELFRY_TRY(utc, zones_.find("UTC"));
  for (const AlertRule& rule : tenant.rules) {
    if (rule.quiet_calendar.empty()) continue;
    const auto row = stores_.calendars.find_calendar(tenant.id, rule.quiet_calendar);
    if (!row && row.error().code != Errc::kNotFound) return fail(row.error());
    if (!row) continue;
    BELFRY_TRY(calendar, core::Calendar::make(row->name, row->rules, zones_));
    if (calendar.excludes(day_of(now)) || calendar.window_at(floor_unix_seconds(now), *utc)) {
      quiet.push_back(rule.name);
    }
  }
  return quiet;
}

Result<AlertWatch::Report> AlertWatch::run_once() {
  BELFRY_TRY(look, stores_.alerts.begin_alert_look());
  std::map<TenantId, Tenant> tenants;
  for (const store::AlertRuleRow& row : look.rules) {
    const auto rule = core::read_alert_rule(row.name, row.definition);
    if (rule) tenants[row.tenant].rules.push_back(*rule);
  }
  for (const store::AlertRow& alert : look.alerts) {
    if (alert.resolved_at) continue;
    Tenant& tenant = tenants[alert.tenant];
    tenant.open.push_back({alert.id, alert.rule, alert.subject, alert.quiet});
    if (alert.job) tenant.open_jobs.push_back(*alert.job);
  }
  for (const store::AlertSilenceRow& row : look.silences) {
    const auto json = parse_json(row.definition);
    if (!json || !json->is_object()) continue;
    tenants[row.tenant].silences.push_back(
        {json->value("rule", ""), core::read_alert_scope(json->value("scope", Json::object()))});
  }
  store::AlertFindings findings{.look = look.number};
  for (auto& [id, tenant] : tenants) {
    tenant.id = id;
    if (tenant.rules.empty() && tenant.open.empty()) continue;
    BELFRY_TRY(facts, facts_of(look, tenant));
    BELFRY_TRY(quiet, quiet_rules(tenant, look.now));
    core::AlertVerdict verdict =
        core::judge_alerts(tenant.rules, facts, tenant.open, tenant.silences, quiet);
    for (core::AlertVerdict::Opening& opening : verdict.opens) {
      if (findings.opens.size() < kMostOpenings) findings.opens.push_back({id, std::move(opening)});
    }
    findings.ends.insert(findings.ends.end(), verdict.ends.begin(), verdict.ends.end());
    findings.unhushed.insert(findings.unhushed.end(), verdict.unhushed.begin(),
                             verdict.unhushed.end());
    add_notices(id, tenant.rules, look, findings);
  }
  if (!look.rules.empty() || !look.alerts.empty()) {
    BELFRY_CHECK(stores_.alerts.end_alert_look(findings));
  }
  return Report{findings.opens.size(), findings.ends.size(), findings.messages.size()};
}

}  // namespace belfry::service
