#include "demo/crew.h"

#include "core/queue.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace belfry::demo {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;

constexpr Duration kLease = 4h;  // longer than any run: nobody beats here
constexpr Duration kNever = std::chrono::hours(24 * 365);

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kPosts{{
    {"worker-eu-1", "billing etl reports ml"},
    {"worker-eu-2", "billing etl reports sync"},
    {"worker-us-1", "etl legacy ops web"},
    {"worker-us-2", "sync ops web ml"},
    {"acme-runner-1", "crm finance mail search shop"},
    {"acme-runner-2", "crm finance mail search shop"},
    {"nordwind-a", "fleet grid iot ports weather"},
    {"nordwind-b", "fleet grid iot"},
    {"nordwind-c", "ports weather"},
    {"night-shift", "ops etl weather grid"},
}};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string error_of(const Role& role) {
  if (role.type == "billing") return "exit code 3: disk full on /var/lib/invoices";
  if (role.type == "sync") return "HTTP 401 from crm.example: the token has expired";
  if (role.type == "finance") return "3 postings do not balance: 4711, 4712, 5200";
  if (role.type == "etl") return "schema mismatch: column `discount` is missing in part 17";
  return "upstream answered 503 Service Unavailable";
}

std::string log_of(const Role& role, bool good, std::uint64_t rows) {
  std::string log = "starting " + std::string(role.name) + "\n";
  log += "reading page 1 of 35\nreading page 12 of 35\n";
  log += "\x1b[33mrate limited, waiting 2 s\x1b[0m\nreading page 35 of 35\n";
  if (good) return log + "wrote " + std::to_string(rows) + " rows\n\x1b[32mdone\x1b[0m\n";
  return log + "\x1b[31m" + error_of(role) + "\x1b[0m\n";
}

}  // namespace

Crew::Crew(engine::Dispatch& dispatch, store::RunLogStore& logs, const Clock& clock,
           Instant breaks_at)
    : dispatch_(dispatch), logs_(logs), clock_(clock), breaks_at_(breaks_at) {
  for (const auto& [name, types] : kPosts) {
    Worker& worker = workers_.emplace_back();
    worker.name = name;
    worker.types = words_of(types);
  }
  Worker& elsewhere = workers_.emplace_back();  // as the runs of check-ins name theirs
  elsewhere.name = "check-in";
  elsewhere.types = {core::checkin_queue()};
  for (const Role& role : cast()) roles_[{std::string(role.type), std::string(role.name)}] = &role;
}

void Crew::work() {
  std::vector<engine::Completion> completions;
  std::vector<store::RunNote> notes;
  for (Ending& ending : take_due(clock_.wall_now())) {
    notes.push_back({.grant = ending.completion.grant, .log = std::move(ending.log)});
    completions.push_back(std::move(ending.completion));
  }
  if (!notes.empty()) static_cast<void>(logs_.put_notes(notes));  // a lost log is only a lost log
  if (!completions.empty()) dispatch_.complete(std::move(completions), [](const auto&) {});
  for (Worker& worker : workers_) {
    if (!worker.is_asking) ask(worker);
  }
}

std::vector<Crew::Ending> Crew::take_due(Instant now) {
  const MutexLock lock(mutex_);
  looks_.erase(looks_.begin(), looks_.upper_bound(now));
  const auto due = endings_.upper_bound(now);
  std::vector<Ending> taken;
  for (auto ending = endings_.begin(); ending != due; ++ending) {
    taken.push_back(std::move(ending->second));
  }
  endings_.erase(endings_.begin(), due);
  return taken;
}

std::optional<Instant> Crew::next() const {
  const MutexLock lock(mutex_);
  std::optional<Instant> first;
  if (!endings_.empty()) first = endings_.begin()->first;
  if (!looks_.empty() && (!first || *looks_.begin() < *first)) first = *looks_.begin();
  return first;
}

void Crew::ask(Worker& worker) {
  worker.is_asking = true;
  const auto asked = dispatch_.claim({.worker = worker.name,
                                      .job_types = worker.types,
                                      .max_runs = 3,
                                      .lease = kLease,
                                      .until = clock_.boot_now() + kNever},
                                     [this, &worker](const std::vector<store::ClaimedRun>& runs) {
                                       answer(worker, runs);
                                       return true;
                                     });
  if (!asked) worker.is_asking = false;
}

void Crew::answer(Worker& worker, const std::vector<store::ClaimedRun>& runs) {
  {
    const MutexLock lock(mutex_);
    for (const store::ClaimedRun& run : runs) take(run);
  }
  worker.is_asking = false;
}

void Crew::take(const store::ClaimedRun& run) {
  const auto role = roles_.find({run.job_type, run.job_name});
  if (role == roles_.end()) return;
  const Instant now = clock_.wall_now();
  if (role->second->mood == Mood::kSilent && rng_.chance(0.15)) {
    looks_.insert(run.lease_until + 1s);  // it says nothing any more
    return;
  }
  Ending ending = ending_of(run, *role->second);
  const Instant end = now + duration_of(*role->second);
  if (ending.completion.outcome != AttemptOutcome::kSucceeded) {
    for (Duration wait = 5s; wait < 20min; wait *= 2) looks_.insert(end + wait);
  }
  endings_.emplace(end, std::move(ending));
}

Crew::Ending Crew::ending_of(const store::ClaimedRun& run, const Role& role) {
  const bool is_broken = role.mood == Mood::kBreaks && clock_.wall_now() > breaks_at_;
  const bool is_flaky = role.mood == Mood::kFlaky && rng_.chance(0.17);
  const bool dies = role.mood == Mood::kDies && rng_.chance(0.2);
  const bool hiccups = role.mood == Mood::kSteady && rng_.chance(0.012);
  const bool good = !is_broken && !is_flaky && !dies && !hiccups;
  const std::uint64_t rows = 800 + rng_.below(5'000);
  Ending ending{
      .completion = {.grant = {run.run, run.fence},
                     .outcome = good ? AttemptOutcome::kSucceeded : AttemptOutcome::kFailed},
      .log = log_of(role, good, rows)};
  if (good) {
    ending.completion.result = R"({"pages":35,"rows":)" + std::to_string(rows) + "}";
  } else {
    ending.completion.error = error_of(role);
    ending.completion.retryable = !dies;
  }
  return ending;
}

Duration Crew::duration_of(const Role& role) {
  const Duration usual = role.takes * 6 / 10 + rng_.up_to(role.takes * 7 / 10);
  return role.mood == Mood::kLong && rng_.chance(0.1) ? usual * 3 : usual;
}

}  // namespace belfry::demo
