#pragma once

#include "cli/frame/command.h"
#include "cli/frame/session.h"
#include "cli/frame/terminal.h"

namespace belfry::cli {

// What main does for the command line, which knows no store.
struct Hands {
  const Serve& serve;
  const Work& work;
  const Upkeep& upkeep;
};

// The whole command line: the flags of all commands, which are kept in `globals`, and every verb.
// All must outlive `root`.
void add_all_verbs(Command& root, Globals& globals, const Hands& hands);

}  // namespace belfry::cli
