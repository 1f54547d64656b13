#include "api/registrar.h"

#include <iterator>
#include <utility>

namespace belfry::api {
namespace {

// Jobs in one transaction: enough that its commit hardly counts, few enough that it is short.
constexpr std::size_t kMostJobs = 10'000;
// Transactions at once: while one waits for the disk, another works.
constexpr int kMostAtWork = 2;

}  // namespace

void Registrar::submit(Request request, OnDone on_done) {
  {
    const MutexLock lock(mutex_);
    waiting_.push_back({std::move(request), std::move(on_done)});
    if (at_work_ == kMostAtWork) return;
    ++at_work_;
  }
  do {
    register_batch(next_batch());
  } while (goes_on());
}

// Whether some wait, and nobody else works for them.
bool Registrar::goes_on() {
  const MutexLock lock(mutex_);
  if (at_work_ == kMostAtWork || waiting_.empty()) return false;
  ++at_work_;
  return true;
}

// The first ones that wait.
std::vector<Registrar::Waiting> Registrar::next_batch() {
  const MutexLock lock(mutex_);
  std::size_t jobs = 0;
  auto end = waiting_.begin();
  for (; end != waiting_.end(); ++end) {
    jobs += end->request.jobs.size();
    if (jobs > kMostJobs && end != waiting_.begin()) break;
  }
  std::vector<Waiting> batch(std::make_move_iterator(waiting_.begin()),
                             std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return batch;
}

void Registrar::register_batch(std::vector<Waiting> batch) noexcept {
  std::vector<store::Registration> requests;
  for (const Waiting& waiting : batch) {
    const Request& request = waiting.request;
    requests.push_back({.jobs = request.jobs,
                        .replace = request.replace,
                        .paused = request.paused,
                        .author = request.author,
                        .once = request.once});
  }
  auto answers = store_.register_all(requests, settle_);
  {
    // From here on somebody else may work: answering takes as long as a small transaction.
    const MutexLock lock(mutex_);
    --at_work_;
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (answers) {
      batch[i].on_done(std::move((*answers)[i]));
    } else {
      batch[i].on_done(fail(answers.error()));
    }
  }
}

}  // namespace belfry::api
