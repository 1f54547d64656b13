#pragma once

#include "cli/frame/command.h"
#include "cli/frame/session.h"
#include "config/configuration.h"
#include "config/upkeep_options.h"
#include "core/restore/missed_ticks.h"

#include <string>

// What is asked of verbs that work on a store itself, without a server.
namespace belfry::cli {

struct StoreAsk {
  config::ConfigurationSources sources;
  std::string store;
  std::string missed;  // skip, latest or all
};

void add_store(Command& command, StoreAsk& ask);   // --store, --config
void add_missed(Command& command, StoreAsk& ask);  // --missed

// A task on the store that `serve` would use, from the same sources and with the same keys.
Answer<config::UpkeepOptions> task_on(const StoreAsk& ask, config::UpkeepOptions::Task task,
                                      const Session& session);

// What becomes of ticks that nobody knows of. Only the person at work can say, so there is no
// default: it is given, or asked for on a terminal.
Answer<core::MissedTicks> missed_ticks(const StoreAsk& ask, const Session& session);

}  // namespace belfry::cli
