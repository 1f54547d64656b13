#include "cli/text/progress.h"

#include "base/text/duration_text.h"
#include "cli/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr Duration kBarEvery = std::chrono::milliseconds(100);
constexpr Duration kLineEvery = std::chrono::seconds(5);
constexpr std::uint64_t kBarWidth = 24;

std::string bar_of(std::uint64_t done, std::uint64_t total) {
  const std::uint64_t filled = total == 0 ? kBarWidth : done * kBarWidth / total;
  std::string bar;
  for (std::uint64_t i = 0; i < kBarWidth; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

}  // namespace

Progress::Progress(const Session& session, std::string what, std::uint64_t total)
    : session_(session),
      what_(std::move(what)),
      total_(total),
      begin_(session.terminal().clock.boot_now()),
      shown_(begin_) {}

void Progress::advance(std::uint64_t by) {
  done_ = std::min(done_ + by, total_);
  if (session_.globals().quiet) return;
  const BootInstant now = session_.terminal().clock.boot_now();
  const bool terminal = session_.terminal().screen.err_is_terminal;
  // A bar that vanishes at once is only flicker.
  if (now - shown_ < (!terminal ? kLineEvery : bar_ ? kBarEvery : 5 * kBarEvery)) return;
  shown_ = now;
  show(now - begin_);
}

void Progress::show(Duration elapsed) {
  const double seconds = static_cast<double>(elapsed.count()) / 1e6;
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string line =
      fmt::format("{} {} of {}, {:.0f}/s", what_, grouped(done_), grouped(total_), rate);
  if (rate > 0 && done_ < total_) {
    const auto left = static_cast<std::int64_t>(static_cast<double>(total_ - done_) / rate);
    line += ", " + format_duration(std::chrono::seconds(left)) + " left";
  }
  if (session_.terminal().screen.err_is_terminal) {
    session_.terminal().err << "\r\033[K" << bar_of(done_, total_) << ' ' << line << std::flush;
    bar_ = true;
  } else {
    session_.say(line);
  }
}

void Progress::finish() {
  if (bar_) session_.terminal().err << "\r\033[K" << std::flush;
  bar_ = false;
}

}  // namespace belfry::cli
