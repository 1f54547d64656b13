#include "core/alerts/judge.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace belfry::core {
namespace {

std::string ago(Instant now, Instant then) {
  return format_duration(std::max(Duration::zero(), now - then));
}

std::optional<std::string> too_many_failures(const AlertRule& rule, const AlertJob& job,
                                             Instant now) {
  const auto recent = std::ranges::count_if(
      job.failures, [&](Instant at) { return at > now - rule.window && at <= now; });
  if (recent < rule.count) return {};
  return fmt::format("{} runs failed within {}", recent, format_duration(rule.window));
}

std::optional<std::string> not_started(const AlertRule& rule, const AlertJob& job, Instant now) {
  if (!job.waits_since || now - *job.waits_since < rule.after) return {};
  return "a run that was due at " + format_instant(*job.waits_since) + " has not been started";
}

std::optional<std::string> late(const AlertRule& rule, const AlertJob& job, Instant now) {
  if (job.unstarted_tick && now - *job.unstarted_tick >= rule.after) {
    return "the run of " + format_instant(*job.unstarted_tick) + " has not begun, " +
           ago(now, *job.unstarted_tick) + " after its time";
  }
  if (!job.last_lag || *job.last_lag < rule.after) return {};
  return "the last run began " + format_duration(*job.last_lag) + " after its time";
}

std::optional<std::string> runs_long(const AlertRule& rule, const AlertJob& job, Instant now) {
  if (!job.runs_since) return {};
  if (rule.times_usual > 0 && !job.usual) return {};
  const Duration most = rule.times_usual > 0 ? *job.usual * rule.times_usual : rule.after;
  if (now - *job.runs_since < most) return {};
  std::string sentence = "a run has been going on since " + format_instant(*job.runs_since);
  if (rule.times_usual > 0) sentence += "; usually it takes " + format_duration(*job.usual);
  return sentence;
}

// What a rule says of a job; nothing if all is well.
std::optional<std::string> complaint(const AlertRule& rule, const AlertJob& job, Instant now) {
  switch (rule.when) {
    case AlertWhen::kFailedInARow:
      if (job.failures_in_a_row < rule.count) return {};
      return fmt::format("{} in a row failed", job.failures_in_a_row);
    case AlertWhen::kFailures: return too_many_failures(rule, job, now);
    case AlertWhen::kNotStarted: return not_started(rule, job, now);
    case AlertWhen::kLate: return late(rule, job, now);
    case AlertWhen::kRunning: return runs_long(rule, job, now);
    case AlertWhen::kMissed:
      if (!job.missed) return {};
      return "ticks up to " + format_instant(*job.missed) + " were missed and get no run";
    case AlertWhen::kScheduleBroken:
      if (!job.broken) return {};
      return "it has no ticks, because its schedule cannot be evaluated: " + *job.broken;
    case AlertWhen::kNoWorker:
    case AlertWhen::kDeadLetters:
    case AlertWhen::kClockOffset: break;
  }
  return {};
}

using Found = std::map<std::string, AlertVerdict::Opening>;  // by subject

void find_in_jobs(const AlertRule& rule, const AlertFacts& facts, Found& found) {
  for (const AlertJob& job : facts.jobs) {
    if (!is_in_scope(rule.scope, job)) continue;
    auto sentence = complaint(rule, job, facts.now);
    if (!sentence) continue;
    found[job.name] = {
        .rule = rule.name, .subject = job.name, .job = job.job, .sentence = *std::move(sentence)};
  }
}

void find_in_queues(const AlertRule& rule, const AlertFacts& facts, Found& found) {
  for (const AlertQueue& queue : facts.queues) {
    if (!rule.scope.job_type.empty() && rule.scope.job_type != queue.job_type) continue;
    if (facts.now - queue.waits_since < rule.after) continue;
    const std::string where = queue.region.empty() ? "" : " in region `" + queue.region + "`";
    found[queue.job_type] = {
        .rule = rule.name,
        .subject = queue.job_type,
        .job = {},
        .sentence = fmt::format("runs of type `{}` wait since {}, and no worker{} has any",
                                queue.job_type, format_instant(queue.waits_since), where)};
  }
}

void find_in_nodes(const AlertRule& rule, const AlertFacts& facts, Found& found) {
  for (const AlertNode& node : facts.nodes) {
    const Duration size = std::max(node.clock_offset, -node.clock_offset);
    if (size < rule.after) continue;
    found[node.name] = {.rule = rule.name,
                        .subject = node.name,
                        .job = {},
                        .sentence = fmt::format(
                            "the clock of node {} is {} {} the database's", node.name,
                            format_duration(std::chrono::floor<std::chrono::milliseconds>(size)),
                            node.clock_offset > Duration::zero() ? "ahead of" : "behind")};
  }
}

void count_dead_letters(const AlertRule& rule, const AlertFacts& facts, Found& found) {
  std::int64_t dead = 0;
  for (const AlertJob& job : facts.jobs) {
    if (is_in_scope(rule.scope, job)) dead += job.dead_letters;
  }
  if (dead <= rule.count) return;
  found["*"] = {.rule = rule.name,
                .subject = "*",
                .job = {},
                .sentence = fmt::format("there are {} dead letters", dead)};
}

Found find(const AlertRule& rule, const AlertFacts& facts) {
  Found found;
  if (rule.when == AlertWhen::kNoWorker) {
    find_in_queues(rule, facts, found);
  } else if (rule.when == AlertWhen::kDeadLetters) {
    count_dead_letters(rule, facts, found);
  } else if (rule.when == AlertWhen::kClockOffset) {
    find_in_nodes(rule, facts, found);
  } else {
    find_in_jobs(rule, facts, found);
  }
  return found;
}

// Who keeps quiet: asked once for each change.
class Quiet {
 public:
  Quiet(const AlertFacts& facts, const std::vector<AlertSilence>& silences,
        const std::vector<std::string>& rules)
      : silences_(silences), rules_(rules) {
    for (const AlertJob& job : facts.jobs) jobs_[job.name] = &job;
  }

  bool covers(const AlertRule& rule, const std::string& subject) const {
    if (std::ranges::find(rules_, rule.name) != rules_.end()) return true;
    const AlertJob* job = is_about_jobs(rule.when) ? job_named(subject) : nullptr;
    if (job != nullptr && job->paused) return true;
    return std::ranges::any_of(silences_, [&](const AlertSilence& silence) {
      if (!silence.rule.empty() && silence.rule != rule.name) return false;
      if (job != nullptr) return is_in_scope(silence.scope, *job);
      const bool is_of_type =
          silence.scope.job_type.empty() ||
          (rule.when == AlertWhen::kNoWorker && silence.scope.job_type == subject);
      return silence.scope.job.empty() && silence.scope.labels.empty() && is_of_type;
    });
  }

 private:
  const AlertJob* job_named(const std::string& name) const {
    const auto found = jobs_.find(name);
    return found == jobs_.end() ? nullptr : found->second;
  }

  const std::vector<AlertSilence>& silences_;
  const std::vector<std::string>& rules_;
  std::map<std::string, const AlertJob*> jobs_;
};

}  // namespace

bool is_in_scope(const AlertScope& scope, const AlertJob& job) {
  if (!scope.job.empty() && scope.job != job.name) return false;
  if (!scope.job_type.empty() && scope.job_type != job.job_type) return false;
  return std::ranges::all_of(scope.labels, [&](const std::string& label) {
    return std::ranges::find(job.labels, label) != job.labels.end();
  });
}

AlertVerdict judge_alerts(const std::vector<AlertRule>& rules, const AlertFacts& facts,
                          const std::vector<OpenAlert>& open,
                          const std::vector<AlertSilence>& silences,
                          const std::vector<std::string>& quiet_rules) {
  const Quiet quiet(facts, silences, quiet_rules);
  std::map<std::string, Found> wrong;
  std::map<std::string, const AlertRule*> by_name;
  for (const AlertRule& rule : rules) {
    wrong[rule.name] = find(rule, facts);
    by_name[rule.name] = &rule;
  }
  AlertVerdict verdict;
  for (const OpenAlert& alert : open) {
    const auto rule = by_name.find(alert.rule);
    if (rule == by_name.end()) {  // it is gone, or cannot be read
      verdict.ends.push_back({.id = alert.id, .quiet = true, .unheard = true});
      continue;
    }
    const bool is_quiet = quiet.covers(*rule->second, alert.subject);
    if (wrong[alert.rule].erase(alert.subject) == 0) {
      const bool unheard = alert.quiet || is_quiet;
      verdict.ends.push_back(
          {.id = alert.id, .quiet = unheard || !rule->second->recovered, .unheard = unheard});
    } else if (alert.quiet && !is_quiet) {
      verdict.unhushed.push_back(alert.id);
    }
  }
  for (auto& [name, found] : wrong) {
    for (auto& [subject, opening] : found) {
      opening.quiet = quiet.covers(*by_name[name], subject);
      verdict.opens.push_back(std::move(opening));
    }
  }
  return verdict;
}

std::optional<Duration> usual_duration(std::vector<Duration> durations) {
  constexpr std::size_t kEnough = 5;
  if (durations.size() < kEnough) return {};
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  return *middle;
}

}  // namespace belfry::core
