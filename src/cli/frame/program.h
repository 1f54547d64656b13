#pragma once

#include "cli/frame/session.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <utility>

namespace belfry::cli {

// What a command does once it is parsed: returns its exit code, or a problem to report.
using Verb = std::function<Answer<int>(Session&)>;

// The command line under construction: families of verbs add themselves to it.
class Program {
 public:
  using Action = std::function<int()>;

  // All must outlive it. `action` is set by the command that was named.
  Program(CLI::App& app, const Globals& globals, const Terminal& terminal, Action& action)
      : app_(app), globals_(globals), terminal_(terminal), action_(action) {}

  CLI::App& app() const { return app_; }

  // "belfry NAME"; the verb runs after the whole line is parsed, so it sees every flag.
  CLI::App& verb(CLI::App& parent, const std::string& name, const std::string& help,
                 Verb what) const {
    CLI::App* command = parent.add_subcommand(name, help);
    command->callback([this, what = std::move(what)] {
      action_ = [this, what] {
        Session session(globals_, terminal_);
        const auto code = what(session);
        return code ? *code : complain(code.error(), session);
      };
    });
    return *command;
  }
  CLI::App& verb(const std::string& name, const std::string& help, Verb what) const {
    return verb(app_, name, help, std::move(what));
  }

  // "belfry NAME …": a noun whose verbs are added to it.
  CLI::App& noun(const std::string& name, const std::string& help) const {
    CLI::App* command = app_.add_subcommand(name, help);
    command->require_subcommand(1);
    return *command;
  }

 private:
  CLI::App& app_;
  const Globals& globals_;
  const Terminal& terminal_;
  Action& action_;
};

}  // namespace belfry::cli
