#include "engine/runner.h"

#include <algorithm>
#include <chrono>

namespace belfry::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kLongestRest = seconds(60);

}  // namespace

void Runner::start() {
  threads_.emplace_back([this] { loop([this] { return renew_round(); }, renew_bell_); });
  threads_.emplace_back([this] { loop([this] { return tick_round(); }, tick_bell_); });
  threads_.emplace_back([this] { loop([this] { return reap_round(); }, reap_bell_); });
  threads_.emplace_back([this] { loop([this] { return keep_house_round(); }, house_bell_); });
}

void Runner::stop() {
  {
    const MutexLock lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
  }
  for (Bell* bell : {&renew_bell_, &tick_bell_, &reap_bell_, &house_bell_}) ring(*bell);
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  // Nothing is in flight any more: others may go on at once.
  if (const auto left = node_.leave(); !left) complain("leave", left.error());
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
    // One wait: who is woken for nothing looks, finds nothing and rests again.
    if (!stopping_ && !bell.rung && rest > Duration::zero()) bell.condition.wait_for(mutex_, rest);
    bell.rung = false;
    if (stopping_) return;
  }
}

void Runner::complain(std::string_view duty, const Error& error) {
  log_.warn("duty_failed",
            {{"duty", duty}, {"code", name_of(error.code)}, {"reason", to_string(error)}});
}

Duration Runner::renew_round() {
  const auto renewed = node_.renew();
  if (!renewed) {
    complain("renew", renewed.error());
    return renew_every_ / 4;
  }
  ring(tick_bell_);  // the ticker may have partitions to take over or to let go
  return renew_every_;
}

Duration Runner::tick_round() {
  const auto report = node_.tick();
  if (!report) {
    complain("tick", report.error());
    return milliseconds(100);
  }
  const auto wake = node_.wake_at();
  const auto now = node_.now();
  if (!wake || !now) return kLongestRest;
  if (*wake == Instant::min()) return milliseconds(1);
  return std::max(*wake - *now, Duration::zero());
}

Duration Runner::reap_round() {
  const auto report = node_.reap();
  if (!report) complain("reap", report.error());
  return report && report->found > 0 ? milliseconds(50) : Duration(seconds(1));
}

Duration Runner::keep_house_round() {
  const auto led = janitor_.run_once();
  if (!led) complain("keep_house", led.error());
  return seconds(10);
}

}  // namespace belfry::engine
