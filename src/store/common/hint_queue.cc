#include "store/common/hint_queue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace belfry::store {

std::vector<core::RunKey> keys_of_runs(const core::Fates& fates) {
  std::vector<core::RunKey> keys;
  for (const auto& run : fates.runs) keys.push_back(core::run_key_of(run.tick));
  return keys;
}

HintQueue::HintQueue() : bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

HintQueue::~HintQueue() {
  if (bell_ >= 0) close(bell_);
}

void HintQueue::ring() const {
  eventfd_write(bell_, 1);
}

void HintQueue::add_changed(std::span<const JobId> jobs) {
  if (jobs.empty()) return;
  {
    const MutexLock lock(mutex_);
    for (const JobId job : jobs) changed_.insert(partition_of(job));
  }
  ring();
}

void HintQueue::add_touched(const core::RunRef& run) {
  add_touched(run.job, {&run.key, 1});
}

void HintQueue::add_touched(JobId job, std::span<const core::RunKey> keys) {
  constexpr std::size_t kMost = 1'000;
  if (keys.empty()) return;
  {
    const MutexLock lock(mutex_);
    if (touched_.size() + keys.size() > kMost) {
      crowded_.insert(partition_of(job));
    } else {
      for (const core::RunKey key : keys) touched_.insert({job, key});
    }
  }
  ring();
}

void HintQueue::add_runs() {
  {
    const MutexLock lock(mutex_);
    runs_ = true;
  }
  ring();
}

void HintQueue::add_events() {
  {
    const MutexLock lock(mutex_);
    events_ = true;
  }
  ring();
}

Hints HintQueue::take() {
  eventfd_t rung = 0;
  eventfd_read(bell_, &rung);
  const MutexLock lock(mutex_);
  const std::set<PartitionNo> changed = std::exchange(changed_, {});
  const std::set<core::RunRef> touched = std::exchange(touched_, {});
  const std::set<PartitionNo> crowded = std::exchange(crowded_, {});
  return {.changed = {changed.begin(), changed.end()},
          .touched = {touched.begin(), touched.end()},
          .crowded = {crowded.begin(), crowded.end()},
          .runs = std::exchange(runs_, false),
          .events = std::exchange(events_, false)};
}

void HintQueue::wait(Duration longest, int other) const {
  // poll(2) leaves negative descriptors out.
  pollfd sources[] = {{.fd = bell_, .events = POLLIN, .revents = 0},
                      {.fd = other, .events = POLLIN, .revents = 0}};
  const auto millis = std::chrono::ceil<std::chrono::milliseconds>(longest).count();
  poll(sources, 2,
       static_cast<int>(std::clamp<std::int64_t>(millis, 0, std::numeric_limits<int>::max())));
}

}  // namespace belfry::store
