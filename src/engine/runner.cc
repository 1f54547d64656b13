#include "engine/runner.h"

#include <algorithm>
#include <chrono>

namespace belfry::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kLongestRest = seconds(60);

Duration rest_until(std::optional<BootInstant> wake, BootInstant now) {
  if (!wake) return kLongestRest;
  return *wake <= now ? Duration::zero() : *wake - now;
}

}  // namespace

void Runner::start() {
  const std::array<std::function<Duration()>, 11> rounds{
      [this] { return renew_round(); },      [this] { return tick_round(); },
      [this] { return listen_round(); },     [this] { return reap_round(); },
      [this] { return claim_round(); },      [this] { return completion_round(); },
      [this] { return keep_house_round(); }, [this] { return load_round(0); },
      [this] { return load_round(1); },      [this] { return bulk_round(); },
      [this] { return proof_round(); }};
  node_.loader().on_loaded([this] {
    ring(tick_bell_);
    if (node_.has_loaded()) ring(renew_bell_);
  });
  node_.loader().on_work([this] {
    for (Bell& bell : load_bells_) ring(bell);
  });
  node_.live().on_work([this] { ring(reap_bell_); });
  node_.dispatcher().claims().on_work([this] { ring(claim_bell_); });
  node_.dispatcher().completions().on_work([this] { ring(completion_bell_); });
  if (bulk_ != nullptr) bulk_->on_work([this] { ring(bulk_bell_); });
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    threads_[i] = std::thread([this, round = rounds[i], bell = bells_[i]] { loop(round, *bell); });
  }
}

void Runner::stop() {
  if (!threads_[0].joinable()) return;
  end(*bells_[0], threads_[0]);
  hand_over();
  for (std::size_t i = 1; i < threads_.size(); ++i) end(*bells_[i], threads_[i]);
  node_.dispatcher().close();
  if (const auto left = node_.leave(); !left) complain("leave", left.error());
}

// The others load our jobs, and then take our partitions. Until they have taken one we go on
// deciding for it; from then on the store refuses us. So nothing is late, whoever is faster.
void Runner::hand_over() {
  constexpr Duration kLongest = seconds(20);  // of the half minute that supervisors usually grant
  constexpr Duration kLookEvery = milliseconds(50);
  const auto retired = node_.retire(kLongest);
  if (!retired) return complain("retire", retired.error());
  if (!*retired) return;  // nobody is there
  const BootInstant end = node_.boot_now() + kLongest;
  while (node_.boot_now() < end) {
    const auto awaited = node_.is_awaited();
    if (!awaited) complain("hand_over", awaited.error());
    if (awaited && !*awaited) return;
    const MutexLock lock(mutex_);
    handing_over_.wait_for(mutex_, kLookEvery);
  }
}

void Runner::end(Bell& bell, std::thread& thread) {
  {
    const MutexLock lock(mutex_);
    bell.ends = true;
  }
  ring(bell);
  if (&bell == &listen_bell_) node_.stop_listening();
  thread.join();
}

void Runner::ring(Bell& bell) {
  {
    const MutexLock lock(mutex_);
    bell.rung = true;
  }
  bell.condition.notify_all();
}

void Runner::loop(const std::function<Duration()>& round, Bell& bell) {
  while (true) {
    const Duration rest = std::min(round(), kLongestRest);
    const MutexLock lock(mutex_);
    // A single wait: a duty that is woken for nothing finds nothing and rests again.
    if (!bell.rung && rest > Duration::zero()) bell.condition.wait_for(mutex_, rest);
    bell.rung = false;
    if (bell.ends) return;
  }
}

void Runner::complain(std::string_view duty, const Error& error) {
  log_.warn("duty_failed",
            {{"duty", duty}, {"code", name_of(error.code)}, {"reason", to_string(error)}});
}

Duration Runner::renew_round() {
  const std::size_t before = node_.standing().partitions;
  const auto renewed = node_.renew();
  if (!renewed) {
    complain("renew", renewed.error());
    return renew_every_ / 4;
  }
  ring(tick_bell_);  // the ticker may have partitions to take over or to let go
  const bool took = node_.standing().partitions > before;
  if (took && node_.has_loaded()) return Duration::zero();  // more of what was loaded
  return std::min(renew_every_, rest_until(node_.renew_at(), node_.boot_now()));
}

Duration Runner::tick_round() {
  const auto report = node_.tick();
  if (!report) {
    complain("tick", report.error());
    return milliseconds(100);
  }
  if (node_.has_loaded()) ring(renew_bell_);
  const auto wake = node_.wake_at();
  const auto now = node_.now();
  if (!wake || !now) return kLongestRest;
  if (*wake == Instant::min()) return milliseconds(1);
  return std::max(*wake - *now, Duration::zero());
}

Duration Runner::load_round(std::size_t reader) {
  const auto loaded = node_.load(reader);
  if (!loaded) complain("load", loaded.error());
  if (!loaded) return milliseconds(100);
  return *loaded ? Duration::zero() : kLongestRest;
}

// The ticker reads the first changes at once, and all that come until it may read again in one go:
// where many jobs change, that saves most of the reading.
Duration Runner::listen_round() {
  constexpr Duration kReadsApart = milliseconds(5);
  const auto hints =
      node_.listen(jobs_changed_ ? rest_until(read_from_, node_.boot_now()) : kLongestRest);
  if (!hints) {
    complain("listen", hints.error());
    return seconds(1);
  }
  jobs_changed_ |= !hints->changed.empty();
  const BootInstant now = node_.boot_now();
  if (jobs_changed_ && now >= read_from_) {
    ring(tick_bell_);
    jobs_changed_ = false;
    read_from_ = now + kReadsApart;
  }
  return Duration::zero();
}

Duration Runner::reap_round() {
  const auto report = node_.reap();
  if (!report) complain("reap", report.error());
  if (!report || report->found > 0) return milliseconds(50);
  return rest_until(node_.live().next_wakeup(), node_.boot_now());
}

Duration Runner::claim_round() {
  const auto report = node_.dispatcher().claim();
  if (!report) complain("claim", report.error());
  return rest_until(node_.dispatcher().claims().next_wakeup(), node_.boot_now());
}

Duration Runner::completion_round() {
  const auto report = node_.dispatcher().end_attempts();
  if (!report) complain("complete", report.error());
  return rest_until(node_.dispatcher().completions().next_wakeup(), node_.boot_now());
}

// Work that others left is found without being told of.
Duration Runner::bulk_round() {
  if (bulk_ == nullptr) return kLongestRest;
  const auto worked = bulk_->run_once();
  if (!worked && worked.error().code == Errc::kConflict) return Duration::zero();  // moved on
  if (!worked) complain("bulk", worked.error());
  if (!worked) return milliseconds(500);
  return *worked ? Duration::zero() : seconds(3);
}

Duration Runner::proof_round() {
  if (proof_ == nullptr) return kLongestRest;
  const auto rest = proof_->run_once();
  if (!rest) complain("prove", rest.error());
  return rest ? *rest : seconds(5);
}

Duration Runner::keep_house_round() {
  const auto report = janitor_.run_once();
  if (!report) complain("keep_house", report.error());
  const bool goes_on =
      report && (report->followed > 0 || !report->all_linked || report->archives_on);
  return seconds(goes_on ? 1 : 10);
}

}  // namespace belfry::engine
