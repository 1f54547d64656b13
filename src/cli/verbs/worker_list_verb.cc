#include "cli/frame/verbs.h"
#include "cli/text/queue_text.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <ostream>

namespace belfry::cli {
namespace {

std::string takes_of(const Json& queues) {
  std::string text;
  for (const Json& queue : queues) text += (text.empty() ? "" : ", ") + queue_words(queue);
  return text;
}

std::string work_of(const Json& worker) {
  std::string text;
  for (const Json& run : worker.at("runs")) {
    text += (text.empty() ? "" : ", ") + field(run, "job_name");
  }
  return worker.at("runs").size() < worker.at("running") ? text + ", …" : text;
}

// Those that hold runs but have not asked this node show by their runs alone.
void print_workers(const Json& workers, const Session& session) {
  Table table({{"WORKER", true},
               {"REGION", false, false, 3},
               {"TAKES", true},
               {"FREE", false, true, 1},
               {"HOLDS", false, true},
               {"SEEN"},
               {"WORKS ON", true, false, 2}});
  for (const Json& worker : workers) {
    const Json& runs = worker.at("runs");
    const bool asks = !worker.at("asked_at").is_null();
    table.row({{clean(field(worker, "worker")), Paint::kBold},
               {field(worker, "region")},
               {asks ? clean(takes_of(worker.at("takes"))) : "-"},
               {asks ? field(worker, "room") : "-"},
               {field(worker, "running")},
               {asks || runs.empty() ? when(session, worker, "asked_at")
                                     : when(session, runs[0], "started_at")},
               {clean(work_of(worker))}});
  }
  table.print(session.out(), session.look());
}

void print_queues(const Json& queues, const Session& session) {
  Table table({{"QUEUE", true},
               {"REGION", false, false, 1},
               {"WAITING", false, true},
               {"OLDEST"},
               {"RUNNING", false, true},
               {""}});
  for (const Json& queue : queues) {
    const bool starves = queue.at("waiting") > 0 && queue.at("running") == 0 &&
                         queue.at("asked_for") == false && field(queue, "kind") != "CHECKIN";
    table.row({{clean(queue_words(queue)), starves ? Paint::kBad : Paint::kPlain},
               {field(queue, "region")},
               {field(queue, "waiting")},
               {when(session, queue, "waiting_since")},
               {field(queue, "running")},
               {starves ? "no worker asks" : "", Paint::kBad}});
  }
  if (table.is_empty()) return;
  session.out() << '\n';
  table.print(session.out(), session.look());
}

Answer<int> show_workers(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(answer, client->get("/api/v1/workers"));
  if (!session.is_table()) {
    session.print(session.globals().output == "json" ? answer : answer.at("workers"));
    return int{kOk};
  }
  const Json& workers = answer.at("workers");
  if (workers.empty()) {
    session.say("no worker has asked for runs in the last two minutes; start one:  belfry worker");
  } else {
    print_workers(workers, session);
  }
  print_queues(answer.at("queues"), session);
  if (answer.at("exact") == false) session.say("there are more than were looked at");
  return int{kOk};
}

}  // namespace

void add_worker_list_verb(const Program& program) {
  program.verb("workers", "who takes runs, what each holds, and what waits for them", show_workers)
      .alias("queues")
      .examples({"belfry workers", "belfry workers -o json"});
}

}  // namespace belfry::cli
