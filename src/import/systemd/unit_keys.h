#pragma once

#include "import/report.h"

#include <string>
#include <string_view>

namespace belfry::importer {

// The fate of a setting of a unit file that no other part of the importer reads.
struct KeyFate {
  Verdict verdict = Verdict::kRefused;
  std::string_view reason;
  // The job means something else without it.
  bool changes_job = false;
};

KeyFate fate_of(std::string_view section, std::string_view key);

}  // namespace belfry::importer
