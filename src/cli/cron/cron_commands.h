#pragma once

#include "base/time.h"
#include "cli/frame/session.h"
#include "core/cron/field.h"

#include <string>

// The `belfry cron` commands: questions about expressions that need no server.
namespace belfry::cli {

struct CronQuestion {
  std::string expression;
  std::string timezone = "UTC";
  core::Dialect dialect = core::Dialect::kStandard;
  std::string key;   // what `H` is resolved with
  std::string from;  // RFC 3339; empty: now
  int count = 5;
};

// As JSON or YAML, both print what the API's preview of a schedule returns.

// One instant per line, with the zone's offset. kDifferent when it never fires.
int cron_next(const CronQuestion& question, const Session& session);

// The sentence, the next fires, the warnings.
int cron_explain(const CronQuestion& question, const Session& session);

}  // namespace belfry::cli
