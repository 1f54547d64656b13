#pragma once

#include "cli/frame/command.h"
#include "cli/frame/session.h"

#include <string>
#include <vector>

// An action on many jobs or runs, which the server does: a command that asks for it shows what is
// meant, asks whether to go on, and waits for the end with a bar.
namespace belfry::cli {

// Which jobs a command is about, as the server's selector says it.
struct BulkSelection {
  std::vector<std::string> labels;  // name=value, name!=value, name in (one,two)
  std::string prefix;
  std::string text;
  std::string status;
  std::string type;
  bool failing = false;
  bool all = false;

  bool is_empty() const {
    return labels.empty() && prefix.empty() && text.empty() && status.empty() && type.empty() &&
           !failing && !all;
  }
  Json to_selector() const;
};
void add_bulk_selection(Command& command, BulkSelection& selection);

// What becomes of the waiting runs of jobs that are stopped.
void add_ready_runs(Command& command, std::string& ready_runs);

struct BulkAsk {
  std::string path;  // /api/v1/jobs:bulk, /api/v1/runs:bulk
  std::string verb;  // for people: pause
  std::string what;  // job, run
  Json body;         // with action and selector
  bool dry_run = false;
};
// Shows, asks, begins and waits. With --dry-run it only shows.
Answer<int> do_in_bulk(const BulkAsk& ask, Session& session);

// Names and a selection exclude each other, and one of them is needed.
Answer<bool> is_selection(const std::vector<std::string>& names, const BulkSelection& selection);

}  // namespace belfry::cli
