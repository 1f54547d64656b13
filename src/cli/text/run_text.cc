#include "cli/text/run_text.h"

#include "cli/text/text.h"
#include "cli/text/when.h"

#include <algorithm>
#include <cctype>
#include <ostream>

namespace belfry::cli {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c == '_' ? ' ' : static_cast<char>(std::tolower(c)); });
  return text;
}

std::string attempts_of(const Json& run) {
  return field(run, "attempts") + "/" + field(run, "max_attempts");
}

const char* mark_of(const std::string& state) {
  if (state == "SUCCEEDED") return "✓";
  return is_over(state) ? "✗" : "·";
}

}  // namespace

bool is_over(const std::string& state) {
  return state != "READY" && state != "RUNNING" && state != "RETRYING";
}

Paint paint_of(const std::string& state) {
  if (state == "SUCCEEDED") return Paint::kGood;
  if (state == "RETRYING") return Paint::kWarn;
  if (state == "CANCELLED") return Paint::kDim;
  return is_over(state) ? Paint::kBad : Paint::kPlain;
}

void print_runs(const Json& runs, const Session& session) {
  Table table({{"RUN"},
               {"JOB", true},
               {"STATE"},
               {"SCHEDULED", false, false, 1},
               {"STARTED", false, false, 5},
               {"TOOK", false, false, 3},
               {"TRY", false, false, 2},
               {"ORIGIN", false, false, 6},
               {"WORKER", true, false, 4},
               {"ERROR", true}});
  for (const Json& run : runs) {
    const std::string state = field(run, "state");
    table.row({{field(run, "run_id"), Paint::kDim},
               {field(run, "job_name"), Paint::kBold},
               {lower(state), paint_of(state)},
               {when(session, run, "scheduled_for")},
               {when(session, run, "started_at")},
               {field(run, "duration")},
               {attempts_of(run)},
               {lower(field(run, "origin"))},
               {field(run, "worker")},
               {field(run, "error"), Paint::kBad}});
  }
  if (table.is_empty()) {
    session.say("no runs");
  } else {
    table.print(session.out(), session.look());
  }
}

void print_outcome(const Json& run, const Session& session) {
  const std::string state = field(run, "state");
  session.out() << painted(std::string(mark_of(state)) + " " + lower(state), paint_of(state),
                           session.look())
                << " · " << clean(field(run, "job_name"));
  if (const std::string took = field(run, "duration"); !took.empty()) {
    session.out() << " · " << took;
  }
  session.out() << " · attempt " << field(run, "attempts") << " of " << field(run, "max_attempts");
  if (const std::string worker = field(run, "worker"); !worker.empty()) {
    session.out() << " · " << clean(worker);
  }
  session.out() << '\n';
  if (const std::string error = field(run, "error"); !error.empty()) {
    session.out() << "  " << clean(error) << '\n';
  }
  if (const std::string result = field(run, "result"); !result.empty()) {
    session.out() << "  " << clean(result) << '\n';
  }
  if (is_over(state) && state != "SUCCEEDED") {
    session.say("again:  belfry runs retry " + field(run, "run_id"));
  }
}

}  // namespace belfry::cli
