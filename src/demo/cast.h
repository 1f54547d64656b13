#pragma once

#include "base/time.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace belfry::demo {

// How the runs of a job go.
enum class Mood : std::uint8_t {
  kSteady,   // now and then a hiccup that a retry mends
  kFlaky,    // one in six needs a second attempt
  kBreaks,   // fine until two days ago, failing ever since
  kDies,     // some fail for good
  kLong,     // takes longer than it should
  kSilent,   // its worker falls silent once in a while
  kUnserved  // nobody asks for its type
};

struct Role {
  std::string_view tenant;
  std::string_view name;
  std::string_view cron;
  std::string_view zone;
  std::string_view type;
  Mood mood;
  Duration takes;  // usually
  std::string_view team;
};

// Sixty jobs in three tenants.
std::span<const Role> cast();

// Whether its work is done elsewhere and only reports here.
bool checks_in(const Role& role);

}  // namespace belfry::demo
