#pragma once

#include "base/time.h"
#include "cli/frame/session.h"

#include <cstdint>
#include <string>

namespace belfry::cli {

// The progress of bulk work, on stderr: a bar with rate and time left on a terminal, else a line
// every five seconds. Nothing for quick work, and nothing with --quiet.
class Progress {
 public:
  // `session` must outlive it.
  Progress(const Session& session, std::string what, std::uint64_t total);

  void advance(std::uint64_t by);
  // Removes the bar.
  void finish();

 private:
  void show(Duration elapsed);

  const Session& session_;
  std::string what_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  BootInstant begin_;
  BootInstant shown_;
  bool bar_ = false;
};

}  // namespace belfry::cli
