#include "cli/bulk/bulk_ask.h"

#include "base/text/ascii.h"
#include "cli/text/progress.h"
#include "cli/text/text.h"

#include <algorithm>
#include <chrono>

namespace belfry::cli {
namespace {

// `a=b,env in (x,y)` are two terms: commas in parentheses belong to their term.
std::vector<std::string> split_terms(const std::string& text) {
  std::vector<std::string> terms(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      terms.emplace_back();
    } else {
      terms.back() += c;
    }
  }
  return terms;
}

std::uint64_t count_of(const Json& json, const char* name) {
  return json.value(name, std::uint64_t{0});
}

std::string total_text(const Json& found, const std::string& what) {
  const std::string count = counted(count_of(found, "matched"), what);
  return found.value("exact", true) ? count : "at least " + count;
}

void show_samples(const Json& found, const std::string& what, const Session& session) {
  const Json samples = found.value("samples", Json::array());
  for (const Json& sample : samples) {
    const std::string id = what == "run" ? field(sample, "run_id") + "  " : "";
    session.say("  " + clean(id + field(sample, "job_name")));
  }
  const std::uint64_t matched = count_of(found, "matched");
  if (matched > samples.size()) {
    session.say("  … and " + grouped(matched - samples.size()) + " more");
  }
}

// Asks the server until the work is over; a node that restarts does not end it.
Answer<Json> await(client::Client& client, Json work, const BulkAsk& ask, const Session& session) {
  Progress progress(session, ask.verb, count_of(work, "total"));
  std::uint64_t seen = 0;
  Duration pause = std::chrono::milliseconds(20);
  while (field(work, "state") == "RUNNING") {
    client::wait(pause);
    pause = std::min<Duration>(pause * 3 / 2, std::chrono::milliseconds(500));
    auto again = client.get(client::path_of("bulk", field(work, "bulk_id")));
    if (!again && (again.error().kind == Problem::Kind::kUnreachable ||
                   again.error().kind == Problem::Kind::kTimedOut)) {
      continue;
    }
    if (!again) return fail(again.error());
    work = *std::move(again);
    const std::uint64_t now =
        count_of(work, "done") + count_of(work, "skipped") + count_of(work, "failed");
    progress.advance(now - std::min(seen, now));
    seen = now;
  }
  progress.finish();
  return work;
}

int tell_end(const Json& work, const BulkAsk& ask, const Session& session) {
  if (!session.is_table()) session.print(work);
  std::string line = ask.verb + ": " + grouped(count_of(work, "done")) + " done";
  if (const auto skipped = count_of(work, "skipped"); skipped > 0) {
    line += ", " + grouped(skipped) + " left as they were";
  }
  const auto failed = count_of(work, "failed");
  if (failed > 0) line += ", " + grouped(failed) + " failed";
  if (field(work, "state") == "STOPPED") line += "; it was stopped";
  session.say(line);
  if (failed > 0) session.warn(clean(field(work, "error")));
  return failed > 0 ? int{kPartial} : int{kOk};
}

}  // namespace

Json BulkSelection::to_selector() const {
  Json selector = Json::object();
  Json terms = Json::array();
  for (const std::string& given : labels) {
    for (const std::string& term : split_terms(given)) terms.push_back(term);
  }
  if (!terms.empty()) selector["labels"] = std::move(terms);
  if (!prefix.empty()) selector["name_prefix"] = prefix;
  if (!text.empty()) selector["name_contains"] = text;
  if (!status.empty()) selector["status"] = in_capitals(status);
  if (!type.empty()) selector["job_type"] = type;
  if (failing) selector["failing"] = true;
  if (selector.empty()) selector["all"] = true;
  return selector;
}

void add_bulk_selection(Command& command, BulkSelection& selection) {
  command
      .option("-l,--selector", selection.labels,
              "jobs with these labels: name=value, name!=value, 'name in (one,two)'")
      .type("LABELS")
      .proposes(Proposal::kLabel);
  command.option("--prefix", selection.prefix, "jobs whose names begin like this").type("TEXT");
  command.option("--match", selection.text, "jobs with this text in their names").type("TEXT");
  command.option("--status", selection.status, "jobs that are active, paused, …")
      .one_of({"active", "paused", "cancelled", "completed"})
      .type("STATUS");
  command.option("--type", selection.type, "jobs of this type").type("WORD");
  command.flag("--failing", selection.failing, "jobs whose last run failed");
  command.flag("--all", selection.all, "all jobs");
}

void add_ready_runs(Command& command, std::string& ready_runs) {
  command
      .option("--ready-runs", ready_runs,
              "their runs that wait: keep (they still run; the default) or cancel")
      .one_of({"keep", "cancel"})
      .type("WORD");
}

Answer<bool> is_selection(const std::vector<std::string>& names, const BulkSelection& selection) {
  if (!names.empty() && !selection.is_empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "names cannot be combined with a selection", "",
                        "name the jobs, or select them"));
  }
  if (names.empty() && selection.is_empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "which jobs?", "",
                        "name them, or give -l NAME=VALUE, --prefix TEXT or --all"));
  }
  return names.empty();
}

Answer<int> do_in_bulk(const BulkAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  Json trial = ask.body;
  trial["dry_run"] = true;
  BELFRY_TRY(found, client->post(ask.path, trial));
  if (ask.dry_run && !session.is_table()) {
    session.print(found);
    return int{kOk};
  }
  if (count_of(found, "matched") == 0) {
    session.say("no " + ask.what + " to " + ask.verb);
    return int{kOk};
  }
  session.say(ask.verb + " " + total_text(found, ask.what) + ":");
  show_samples(found, ask.what, session);
  if (ask.dry_run) return int{kOk};
  BELFRY_TRY(yes, session.confirm("Go on?"));
  if (!yes) return int{kOk};
  BELFRY_TRY(begun, client->post_keyed(ask.path, ask.body));
  BELFRY_TRY(ended, await(*client, std::move(begun), ask, session));
  return tell_end(ended, ask, session);
}

}  // namespace belfry::cli
