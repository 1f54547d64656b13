#pragma once

#include "cli/frame/command.h"
#include "cli/frame/session.h"

#include <string>
#include <utility>

namespace belfry::cli {

// The command line under construction: families of verbs add themselves to it.
class Program {
 public:
  // `root` must outlive it.
  explicit Program(Command& root) : root_(root) {}

  Command& root() const { return root_; }

  // "belfry NAME"; the verb runs after the whole line is parsed, so it sees every flag.
  static Command& verb(Command& parent, const std::string& name, const std::string& help,
                       Verb what) {
    Command& command = parent.command(name, help);
    command.does(std::move(what));
    return command;
  }
  Command& verb(const std::string& name, const std::string& help, Verb what) const {
    return verb(root_, name, help, std::move(what));
  }

  // "belfry NAME …": a noun whose verbs are added to it.
  Command& noun(const std::string& name, const std::string& help) const {
    return root_.command(name, help);
  }

 private:
  Command& root_;
};

}  // namespace belfry::cli
