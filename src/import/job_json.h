#pragma once

#include "import/report.h"

#include <string>

namespace belfry::importer {

// The body of `POST /api/v1/jobs`, on one line; fields at their defaults are left out. Bytes that
// are not UTF-8 become U+FFFD, so that it is always valid JSON.
std::string to_json(const ImportedJob& job);

}  // namespace belfry::importer
