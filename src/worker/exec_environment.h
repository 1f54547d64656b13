#pragma once

#include "base/result.h"
#include "worker/exec_user.h"

#include <string>
#include <string_view>
#include <vector>

namespace belfry::worker {

// The environment that commands begin with, as "NAME=value". A fresh one: who the user is, and of
// `own` only what every program may know (PATH, language, time zone) and the names in `more`.
// kInvalid: a name that is none, or that holds secrets of servers (BELFRY_*, PG*, AWS_*,
// DATABASE_URL), which no command ever gets.
Result<std::vector<std::string>> fresh_environment(const std::vector<std::string>& own,
                                                   const ExecUser& user,
                                                   const std::vector<std::string>& more);

}  // namespace belfry::worker
