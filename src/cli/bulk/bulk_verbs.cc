#include "cli/bulk/bulk_ask.h"
#include "cli/files/yaml.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

std::string progress_text(const Json& work) {
  const auto handled = work.value("done", std::uint64_t{0}) +
                       work.value("skipped", std::uint64_t{0}) +
                       work.value("failed", std::uint64_t{0});
  return grouped(handled) + " of " + grouped(work.value("total", std::uint64_t{0}));
}

Answer<int> list_works(std::size_t limit, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(listing, list(*client, "/api/v1/bulk", {}, limit));
  if (!session.is_table()) {
    session.print(listing.items);
    return int{kOk};
  }
  Table table({{"ID"}, {"ACTION"}, {"STATE"}, {"HANDLED"}, {"BEGAN"}, {"BY", true}});
  for (const Json& work : listing.items) {
    table.row({{field(work, "bulk_id"), Paint::kBold},
               {field(work, "action") + " " + field(work, "object")},
               {field(work, "state")},
               {progress_text(work)},
               {when(session, work, "created_at")},
               {field(work, "created_by"), Paint::kDim}});
  }
  if (table.is_empty()) {
    session.say("no bulk work yet");
  } else {
    table.print(session.out(), session.look());
  }
  return int{kOk};
}

Answer<int> show_work(const std::string& id, const std::string& action, Session& session) {
  BELFRY_TRY(client, session.client());
  const std::string path = client::path_of("bulk", id, action);
  auto work = action.empty() ? client->get(path) : client->post(path);
  if (!work) return fail(work.error());
  if (session.is_table()) {
    session.out() << clean_lines(to_yaml(*work));
  } else {
    session.print(*work);
  }
  return int{kOk};
}

void add_work(const Program& program, Command& parent, const std::string& name,
              const std::string& help, const std::string& action) {
  const auto id = std::make_shared<std::string>();
  program
      .verb(parent, name, help,
            [id, action](Session& session) { return show_work(*id, action, session); })
      .option("id", *id, "its id")
      .required();
}

struct LabelAsk {
  std::vector<std::string> edits;
  BulkSelection selection;
  bool dry_run = false;
};

// `team=a` sets, `team-` removes.
Answer<int> label_jobs(const LabelAsk& ask, Session& session) {
  BELFRY_CHECK(is_selection({}, ask.selection));
  Json set = Json::object();
  Json remove = Json::array();
  for (const std::string& edit : ask.edits) {
    const auto equals = edit.find('=');
    if (equals != std::string::npos) {
      set[edit.substr(0, equals)] = edit.substr(equals + 1);
    } else if (edit.ends_with('-')) {
      remove.push_back(edit.substr(0, edit.size() - 1));
    } else {
      return fail(Problem(Problem::Kind::kInvalid, "`" + edit + "` changes no label", "",
                          "write NAME=VALUE to set one, NAME- to remove it"));
    }
  }
  Json body{{"action", "label"}, {"selector", ask.selection.to_selector()}};
  if (!set.empty()) body["set"] = std::move(set);
  if (!remove.empty()) body["remove"] = std::move(remove);
  return do_in_bulk({.path = "/api/v1/jobs:bulk",
                     .verb = "label",
                     .what = "job",
                     .body = std::move(body),
                     .dry_run = ask.dry_run},
                    session);
}

void add_label(const Program& program) {
  const auto ask = std::make_shared<LabelAsk>();
  Command& command = program.verb("label", "set and remove labels of many jobs",
                                  [ask](Session& session) { return label_jobs(*ask, session); });
  command.option("edit", ask->edits, "NAME=VALUE sets a label, NAME- removes it").required();
  add_bulk_selection(command, ask->selection);
  command.flag("--dry-run", ask->dry_run, "only show what would be done");
}

}  // namespace

void add_bulk_verbs(const Program& program) {
  Command& bulk = program.noun("bulk", "work on many jobs or runs: list, show, stop");
  const auto limit = std::make_shared<std::size_t>(50);
  program
      .verb(bulk, "ls", "list bulk work, the newest first",
            [limit](Session& session) { return list_works(*limit, session); })
      .option("--limit", *limit, "at most this many (default: 50)")
      .type("N");
  add_work(program, bulk, "show", "how far it has come", "");
  add_work(program, bulk, "stop", "do no more of it; what is done stays", "/stop");
  add_label(program);
}

}  // namespace belfry::cli
