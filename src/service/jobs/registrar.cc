#include "service/jobs/registrar.h"

#include "core/limits.h"
#include "service/jobs/job_changes.h"

#include <iterator>
#include <utility>

namespace belfry::service {
namespace {

// Jobs in one transaction: enough that its commit hardly counts, few enough that it is short.
constexpr std::size_t kMostJobs = core::kMostJobsPerRequest;
// Transactions at once: while one waits for the disk, another works. Beside a short one the second
// has to be worth it, because most of its cost does not depend on how many requests share it.
constexpr int kMostAtWork = 2;
constexpr std::size_t kShort = 100;
constexpr std::size_t kWorthASecond = 16;

}  // namespace

void Registrar::submit(Request request, OnDone on_done) {
  {
    const MutexLock lock(mutex_);
    waiting_.push_back({std::move(request), std::move(on_done)});
  }
  for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) {
    register_batch(std::move(batch));
  }
}

// The first ones that wait; none when others will work for them soon.
std::vector<Registrar::Waiting> Registrar::next_batch() {
  const MutexLock lock(mutex_);
  const bool is_worth_it =
      at_work_ == 0 || jobs_at_work_ > kShort || waiting_.size() >= kWorthASecond;
  if (at_work_ == kMostAtWork || !is_worth_it) return {};
  std::size_t jobs = 0;
  auto end = waiting_.begin();
  for (; end != waiting_.end(); ++end) {
    const std::size_t more = end->request.jobs.size();
    if (jobs + more > kMostJobs && end != waiting_.begin()) break;
    jobs += more;
  }
  std::vector<Waiting> batch(std::make_move_iterator(waiting_.begin()),
                             std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  if (batch.empty()) return batch;
  ++at_work_;
  jobs_at_work_ += jobs;
  return batch;
}

void Registrar::tell(const store::JobStore::Registered& registered) {
  if (!registered) return;
  for (const store::RegisteredJob& job : *registered) {
    tell_settled(observer_, job.job.id, job.settled);
  }
}

void Registrar::register_batch(std::vector<Waiting> batch) noexcept {
  std::vector<store::Registration> requests;
  std::size_t jobs = 0;
  for (const Waiting& waiting : batch) {
    jobs += waiting.request.jobs.size();
    const Request& request = waiting.request;
    requests.push_back({.jobs = request.jobs,
                        .replace = request.replace,
                        .paused = request.paused,
                        .may_exec = request.may_exec,
                        .author = request.author,
                        .idempotency = request.idempotency});
  }
  auto answers = store_.register_all(requests);
  {
    // From here on somebody else may work: answering takes as long as a small transaction.
    const MutexLock lock(mutex_);
    --at_work_;
    jobs_at_work_ -= jobs;
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (answers) {
      tell((*answers)[i]);
      batch[i].on_done(std::move((*answers)[i]));
    } else {
      batch[i].on_done(fail(answers.error()));
    }
  }
}

}  // namespace belfry::service
