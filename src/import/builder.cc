#include "import/builder.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/schedule/schedule.h"
#include "import/command.h"
#include "import/text.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace belfry::importer {
namespace {

std::string identity_of(const ImportedJob& job) {
  return job.cron_expression + "\n" + job.every + "\n" + job.run_at + "\n" + job.timezone + "\n" +
         shell_line(job.command);
}

Result<core::ScheduleSpec> spec_of(const ImportedJob& job) {
  core::ScheduleSpec spec;
  spec.key = "import/" + job.job_name;
  if (!job.timezone.empty()) spec.timezone = job.timezone;
  if (job.schedule_type == "CRON") {
    spec.cron_expression = job.cron_expression;
  } else if (job.schedule_type == "EVERY") {
    spec.type = core::ScheduleSpec::Type::kEvery;
    BELFRY_TRY(every, parse_duration(job.every));
    spec.every = every;
  } else {
    spec.type = core::ScheduleSpec::Type::kOnce;
    BELFRY_TRY(run_at, parse_instant(job.run_at));
    spec.run_at = run_at;
  }
  if (!job.jitter.empty()) {
    BELFRY_TRY(jitter, parse_duration(job.jitter));
    spec.jitter = jitter;
  }
  return spec;
}

// Checks a duration of the job against the API's limit for it.
Status check_duration(const std::string& text, const char* field, Duration longest) {
  if (text.empty()) return {};
  BELFRY_TRY(duration, parse_duration(text));
  if (duration <= longest) return {};
  return fail({.code = Errc::kInvalid,
               .message = text + " is more than " + format_duration(longest),
               .field = field});
}

Status too_long(const char* field, std::size_t most) {
  return fail({.code = Errc::kInvalid,
               .message = "a text in it has more than " + std::to_string(most) + " bytes",
               .field = field,
               .hint = "put it into a file and name that"});
}

// The limits of the API (src/api/jobs/job_codec.cc, target_codec.cc).
Status check_limits(const ImportedJob& job) {
  constexpr std::size_t kMostWords = 256;
  constexpr std::size_t kLongestWord = 4'096;
  constexpr std::size_t kLongestLabel = 200;
  constexpr int kMostAttempts = 1'000;
  constexpr std::size_t kLongestDescription = 10'000;
  if (job.command.size() > kMostWords) {
    return fail(Errc::kInvalid, "the command has more than 256 words");
  }
  for (const std::string& word : job.command) {
    if (word.size() > kLongestWord) return too_long("command", kLongestWord);
  }
  for (const auto& [name, value] : job.labels) {
    if (value.size() > kLongestLabel) return too_long("labels", kLongestLabel);
  }
  if (job.description.size() > kLongestDescription) {
    return too_long("description", kLongestDescription);
  }
  if (job.max_attempts.value_or(1) > kMostAttempts) {
    return fail(Errc::kInvalid, "a job has at most 1,000 attempts");
  }
  BELFRY_CHECK(check_duration(job.timeout, "timeout", std::chrono::hours(30 * 24)));
  BELFRY_CHECK(check_duration(job.retry_base, "retry.base", std::chrono::hours(7 * 24)));
  BELFRY_CHECK(check_duration(job.retry_cap, "retry.cap", std::chrono::hours(7 * 24)));
  return check_duration(job.jitter, "jitter", std::chrono::hours(7 * 24));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kImported: return "imported";
    case Verdict::kChanged: return "changed";
    case Verdict::kRefused: return "refused";
    case Verdict::kApplied: return "applied";
    case Verdict::kIgnored: return "ignored";
  }
  return "ignored";
}

void ReportBuilder::line(const SourcePlace& place, Verdict verdict, std::string reason) {
  report_.entries.push_back({.file = place.file,
                             .first_line = place.first_line,
                             .last_line = std::max(place.first_line, place.last_line),
                             .verdict = verdict,
                             .reasons = {std::move(reason)},
                             .job = {}});
}

void ReportBuilder::line(const SourcePlace& place, const Findings& findings) {
  const Verdict verdict = findings.verdict();
  line(place, verdict == Verdict::kImported ? Verdict::kApplied : verdict, {});
  report_.entries.back().reasons = findings.reasons();
}

void ReportBuilder::job(const SourcePlace& place, ImportedJob job, Findings findings,
                        std::string_view wanted_name) {
  if (!options_.host.empty()) job.labels.emplace("host", options_.host);
  job.job_name = std::string(wanted_name);
  if (!findings.refused()) {
    if (const Status checked = check(job); !checked) findings.refuse(to_string(checked.error()));
  }
  line(place, findings);
  report_.entries.back().verdict = findings.verdict();
  if (findings.refused()) return;
  job.job_name = names_.take(wanted_name, identity_of(job));
  report_.entries.back().job = std::move(job);
}

Status ReportBuilder::check(const ImportedJob& job) const {
  BELFRY_CHECK(check_limits(job));
  BELFRY_TRY(spec, spec_of(job));
  BELFRY_TRY(schedule, core::Schedule::make(spec, zones_));
  return core::check_runs_at_all(schedule, options_.from);
}

std::string ReportBuilder::host_zone(Findings& findings) const {
  if (!options_.timezone.empty()) return options_.timezone;
  findings.change(
      "the host's time zone is not known: read as UTC; import again with --tz ZONE, or set "
      "`timezone`");
  return "UTC";
}

bool ReportBuilder::changes_clocks(std::string_view name) const {
  const auto zone = zones_.find(name);
  if (!zone) return false;
  const std::int64_t from = std::max<std::int64_t>(0, floor_unix_seconds(options_.from));
  return (*zone)->span_index_at(from) + 1 < (*zone)->span_count();
}

void ReportBuilder::ran_as(std::string_view user, ImportedJob& job, Findings& findings) const {
  if (user.empty()) return;
  job.labels["user"] = std::string(user);
  if (user == options_.worker_user) return;
  findings.change("ran as the user " + in_backticks(user) +
                  ", runs as the user of its exec worker" +
                  (options_.worker_user.empty() ? "" : ", " + in_backticks(options_.worker_user)));
}

ImportReport ReportBuilder::take() {
  std::map<std::string, std::size_t> order;
  for (const ImportEntry& entry : report_.entries) order.emplace(entry.file, order.size());
  // By index last: entries of one line keep their order.
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> keys;
  for (const ImportEntry& entry : report_.entries) {
    keys.emplace_back(order[entry.file], entry.first_line, keys.size());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<ImportEntry> sorted;
  for (const auto& key : keys) sorted.push_back(std::move(report_.entries[std::get<2>(key)]));
  report_.entries = std::move(sorted);
  return std::move(report_);
}

}  // namespace belfry::importer
