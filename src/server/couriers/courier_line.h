#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "deliver/courier.h"

#include <memory>
#include <utility>

namespace belfry::server {

// A queue, who serves it, and by what means. It works from the moment it is made.
class CourierLine {
 public:
  CourierLine(deliver::CourierConfig config, std::unique_ptr<deliver::RunSource> source,
              std::unique_ptr<deliver::Carrier> carrier, const Clock& clock, Logger& log)
      : source_(std::move(source)),
        carrier_(std::move(carrier)),
        courier_(std::move(config), *source_, *carrier_, clock, log) {
    courier_.start();
  }

  void begin_stop() { courier_.begin_stop(); }
  void stop() { courier_.stop(); }

 private:
  std::unique_ptr<deliver::RunSource> source_;
  std::unique_ptr<deliver::Carrier> carrier_;
  deliver::Courier courier_;
};

}  // namespace belfry::server
