#include "worker/rest_transport.h"

#include "base/json.h"
#include "base/real_clock.h"
#include "base/text/instant_text.h"
#include "base/verbatim.h"

#include <chrono>
#include <utility>

namespace belfry::worker {
namespace {

using client::Problem;
using std::chrono::seconds;

// Longer than the server lets a claim wait.
constexpr Duration kClaimTimeout = seconds(75);
constexpr Duration kTimeout = seconds(10);

Result<client::Client> make_client(client::ClientOptions options, Duration timeout) {
  options.timeout = timeout;
  options.patience = Duration::zero();  // the runtime repeats
  auto made = client::Client::make(std::move(options));
  if (!made) return fail(Errc::kInvalid, made.error().what + ": " + made.error().why);
  return std::move(*made);
}

Error error_of(const Problem& problem) {
  const bool useless = problem.kind == Problem::Kind::kInvalid ||
                       problem.kind == Problem::Kind::kNotFound ||
                       (problem.kind == Problem::Kind::kRefused && problem.code != "rate_limited");
  std::string message = problem.what;
  if (!problem.why.empty() && problem.why != problem.what) message += ": " + problem.why;
  for (const std::string& detail : problem.details) message += "; " + detail;
  return {.code = useless ? Errc::kInvalid : Errc::kUnavailable,
          .message = std::move(message),
          .hint = problem.fix};
}

Result<Json> post(client::Client& client, const char* path, Json body,
                  std::optional<Duration> timeout = {}, const char* keeping = "") {
  auto answer = client.call({.method = "POST",
                             .path = path,
                             .body = std::move(body),
                             .timeout = timeout,
                             .keeping = keeping});
  if (!answer) return fail(error_of(answer.error()));
  return std::move(answer->body);
}

Error not_understood() {
  return {.code = Errc::kUnavailable, .message = "the server answered something unexpected"};
}

std::int64_t whole_seconds(Duration time) {
  return std::max<std::int64_t>(std::chrono::ceil<seconds>(time).count(), 0);
}

// The attempt's time by the server's clock, whose lease began with the grant.
Duration timeout_of(const Json& run, Duration lease) {
  const auto deadline = parse_instant(run.value("deadline", ""));
  const auto lease_until = parse_instant(run.value("lease_until", ""));
  if (!deadline || !lease_until) return seconds(0);
  return *deadline - (*lease_until - lease);
}

// How long the claim had waited when the run was granted.
std::optional<Duration> waited_of(const Json& run) {
  const auto found = run.find("waited_ms");
  if (found == run.end() || !found->is_number_integer()) return std::nullopt;
  return std::chrono::milliseconds(found->get<std::int64_t>());
}

Task read_task(const Json& run, Duration lease) {
  return {.run_id = run.at("run_id"),
          .fence = run.at("fence"),
          .attempt = run.at("attempt"),
          .job_id = run.at("job_id"),
          .job_name = run.at("job_name"),
          .job_type = run.at("job_type"),
          .tenant = run.at("tenant_id"),
          .scheduled_for = run.at("scheduled_for"),
          .deadline = run.at("deadline"),
          .stands_for = run.at("stands_for"),
          .idempotency_key = run.at("idempotency_key"),
          .traceparent = run.value("traceparent", ""),
          .target = run.at("target"),
          .payload = plain(run.at("payload")),
          .payload_text = write_json(run.at("payload")),
          .timeout = timeout_of(run, lease)};
}

Json write_grant(const Grant& grant) {
  return {{"run_id", grant.run_id}, {"fence", grant.fence}};
}

template <typename Message>
void add_news(const Message& message, Json& entry) {
  if (message.log) entry["log"] = *message.log;
  if (message.progress) {
    entry["progress"] = {{"done", message.progress->done}, {"total", message.progress->total}};
  }
}

Json write_end(const Completion& end) {
  Json entry = write_grant(end.grant);
  entry["status"] = end.returned ? "RETURNED" : end.succeeded ? "SUCCEEDED" : "FAILED";
  if (!end.result.is_null()) entry["result"] = end.result;
  if (!end.error.empty()) entry["error"] = end.error;
  if (!end.succeeded) entry["retryable"] = end.retryable;
  if (end.retry_after) entry["retry_after_seconds"] = whole_seconds(*end.retry_after);
  add_news(end, entry);
  return entry;
}

// The words of the answers, in the order asked.
Result<std::vector<std::string>> read_words(const Json& body, std::size_t count) {
  std::vector<std::string> words;
  try {
    for (const Json& result : body.at("results")) words.push_back(result.at("answer"));
  } catch (const Json::exception&) {
    return fail(not_understood());
  }
  if (words.size() != count) return fail(not_understood());
  return words;
}

}  // namespace

Result<RestTransport> RestTransport::make(const client::ClientOptions& options) {
  BELFRY_TRY(claims, make_client(options, kClaimTimeout));
  BELFRY_TRY(beats, make_client(options, kTimeout));
  BELFRY_TRY(ends, make_client(options, kTimeout));
  return RestTransport(std::move(claims), std::move(beats), std::move(ends));
}

Result<std::vector<Task>> RestTransport::claim(const ClaimRequest& want) {
  Json ask{{"worker_id", want.worker},
           {"max_runs", want.max_runs},
           {"lease_seconds", whole_seconds(want.lease)},
           {"wait_seconds", whole_seconds(want.wait)}};
  if (!want.job_types.empty()) ask["job_types"] = want.job_types;
  if (!want.exec_types.empty()) ask["exec_types"] = want.exec_types;
  if (!want.region.empty()) ask["region"] = want.region;
  const RealClock clock;
  const BootInstant sent = clock.boot_now();
  BELFRY_TRY(body, post(claims_, "/api/v1/runs:claim", std::move(ask), {}, "/runs/*/payload"));
  const Duration since_sent = clock.boot_now() - sent;
  std::vector<Task> tasks;
  try {
    for (const Json& run : body.at("runs")) {
      tasks.push_back(read_task(run, want.lease));
      tasks.back().age = oldest_age(since_sent, waited_of(run));
    }
  } catch (const Json::exception&) {
    return fail(not_understood());
  }
  return tasks;
}

Result<std::vector<HeartbeatAnswer>> RestTransport::heartbeat(std::span<const Heartbeat> beats,
                                                              Duration lease) {
  Json runs = Json::array();
  for (const Heartbeat& beat : beats) {
    Json entry = write_grant(beat.grant);
    add_news(beat, entry);
    runs.push_back(std::move(entry));
  }
  BELFRY_TRY(body, post(beats_, "/api/v1/runs:heartbeat",
                        {{"lease_seconds", whole_seconds(lease)}, {"runs", std::move(runs)}},
                        patience_for(lease)));
  BELFRY_TRY(words, read_words(body, beats.size()));
  std::vector<HeartbeatAnswer> answers;
  for (const std::string& word : words) {
    answers.push_back(word == "EXTENDED" ? HeartbeatAnswer::kExtended
                      : word == "CANCEL" ? HeartbeatAnswer::kCancel
                                         : HeartbeatAnswer::kFenced);
  }
  return answers;
}

Result<std::vector<CompletionAnswer>> RestTransport::complete(std::span<const Completion> ends) {
  Json runs = Json::array();
  for (const Completion& end : ends) runs.push_back(write_end(end));
  BELFRY_TRY(body, post(ends_, "/api/v1/runs:complete", {{"runs", std::move(runs)}}));
  BELFRY_TRY(words, read_words(body, ends.size()));
  std::vector<CompletionAnswer> answers;
  for (const std::string& word : words) {
    answers.push_back(word == "OK"       ? CompletionAnswer::kOk
                      : word == "FENCED" ? CompletionAnswer::kFenced
                                         : CompletionAnswer::kAgain);
  }
  return answers;
}

}  // namespace belfry::worker
