#include "base/text/instant_text.h"
#include "base/text/visible.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/run_text.h"
#include "cli/text/text.h"
#include "cli/text/time_argument.h"
#include "client/events.h"
#include "core/schedule/zone_catalog.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <ostream>
#include <set>

namespace belfry::cli {
namespace {

constexpr Duration kSilence = std::chrono::seconds(60);
constexpr Duration kAgain = std::chrono::seconds(1);

struct TailAsk {
  std::string job;
  JobFilter filter;
  bool all_states = false;
  std::uint64_t count = 0;  // 0: without end
};

// Writes a line for each change of a run, until the count is reached.
class Tail {
 public:
  Tail(const TailAsk& ask, client::Client& client, const Session& session)
      : ask_(ask), client_(client), session_(session) {
    const auto& environment = session.terminal().environment;
    const std::string zone = local_zone(environment ? environment("TZ") : "");
    if (const auto found = zones_.find(zone)) zone_ = *found;
  }

  // The jobs to follow; all of them without a filter.
  Answer<void> select() {
    if (!ask_.job.empty()) {
      const auto job = client_.get(client::job_path(ask_.job));
      if (!job) return fail(with_suggestion(job.error(), ask_.job, client_));
      wanted_.insert(field(*job, "job_id"));
    }
    if (ask_.filter.is_empty()) return {};
    BELFRY_TRY(listing, list(client_, "/api/v1/jobs", to_query(ask_.filter), 1'000'000));
    for (const Json& job : listing.items) wanted_.insert(field(job, "job_id"));
    if (!wanted_.empty()) return {};
    return fail(Problem(Problem::Kind::kNotFound, "no job matches", "", "`belfry ls` lists them"));
  }

  // False: the count is reached.
  bool event(const client::StreamEvent& event) {
    if (event.name == "reset") session_.say("some changes were missed");
    if (event.name != "runs") return true;
    const auto data = parse_json(event.data);
    if (!data) return true;
    const Json runs = data->value("runs", Json::array());
    for (const Json& news : runs) {
      if (!tell(news)) return false;
    }
    const auto count = data->value("count", std::uint64_t{0});
    if (count > runs.size() && wanted_.empty()) {
      session_.say("… and " + grouped(count - runs.size()) + " more");
    }
    return true;
  }

 private:
  bool tell(const Json& news) {
    const std::string id = field(news, "run_id");
    const std::string state = field(news, "state");
    if (!wanted_.empty() && !wanted_.contains(id.substr(0, 16))) return true;
    if (!ask_.all_states && !is_over(state) && state != "RETRYING") return true;
    const auto run = client_.get(client::path_of("runs", id));
    if (!run) return true;  // gone, or not readable now: the next change will tell
    if (!ask_.all_states && !is_over(field(*run, "state")) && is_over(state)) return true;
    if (session_.is_table()) {
      line(*run);
    } else if (session_.globals().output == "json") {
      session_.out() << visible_json(write_json(*run)) << std::endl;
    } else {
      session_.out() << "---\n";
      session_.print(*run);
      session_.out() << std::flush;
    }
    return ask_.count == 0 || ++told_ < ask_.count;
  }

  void line(const Json& run) const {
    const std::string state = field(run, "state");
    const Look look = session_.look();
    std::string text = painted(time_of(field(run, "scheduled_for")), Paint::kDim, look) + "  " +
                       painted(clean(field(run, "job_name")), Paint::kBold, look) + "  " +
                       painted(state, paint_of(state), look);
    const auto add = [&](const std::string& label, const std::string& value) {
      if (!value.empty()) text += "  " + label + value;
    };
    add("", field(run, "duration"));
    add("lag ", lag_of(run));
    if (state != "SUCCEEDED")
      add("try ", field(run, "attempts") + "/" + field(run, "max_attempts"));
    const std::string said = state == "SUCCEEDED" ? field(run, "result") : field(run, "error");
    add("", clean(said));
    session_.out() << text << std::endl;
  }

  static std::string lag_of(const Json& run) {
    const auto scheduled = parse_instant(field(run, "scheduled_for"));
    const auto started = parse_instant(field(run, "started_at"));
    if (!scheduled || !started || *started < *scheduled) return {};
    const auto lag = std::chrono::duration_cast<std::chrono::milliseconds>(*started - *scheduled);
    return fmt::format("{}ms", lag.count());
  }

  // For a person: the wall clock of this machine, with milliseconds.
  std::string time_of(const std::string& rfc3339) const {
    const auto at = parse_instant(rfc3339);
    if (!at || !session_.is_for_person() || zone_ == nullptr) return rfc3339;
    const auto offset = zone_->offset_at(floor_unix_seconds(*at));
    const std::string local = format_instant_micros(*at + std::chrono::seconds(offset));
    return local.substr(11, 12);
  }

  const TailAsk& ask_;
  client::Client& client_;
  const Session& session_;
  core::ZoneCatalog zones_;
  const core::Zone* zone_ = nullptr;
  std::set<std::string> wanted_;
  std::uint64_t told_ = 0;
};

Answer<int> tail(const TailAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  // The stream keeps its client busy: the details come over another connection.
  Session other(session.globals(), session.terminal());
  BELFRY_TRY(reader, other.client());
  Tail tail(ask, *reader, session);
  BELFRY_CHECK(tail.select());
  client::EventReader events;
  bool enough = false;
  for (bool first = true; !enough; first = false) {
    const auto read =
        client->stream("/api/v1/events", events.last_id(), kSilence, [&](std::string_view line) {
          const auto event = events.line(line);
          if (event && !tail.event(*event)) enough = true;
          if (!session.out().flush()) enough = true;  // nobody can read it
          return !enough;
        });
    if (enough) break;
    const bool lost = !read && read.error().kind != Problem::Kind::kUnreachable &&
                      read.error().kind != Problem::Kind::kTimedOut;
    if (lost || (first && !read)) return fail(read.error());
    if (!read) session.say("the connection is lost; trying again");
    events.restart();
    client::wait(kAgain);
  }
  return int{kOk};
}

}  // namespace

void add_tail_verb(const Program& program) {
  const auto ask = std::make_shared<TailAsk>();
  Command& command = program.verb("tail", "follow runs as they end, one line each",
                                  [ask](Session& session) { return tail(*ask, session); });
  command.option("job", ask->job, "only runs of this job").proposes(Proposal::kJob);
  add_selector(command, ask->filter);
  command.flag("--all-states", ask->all_states, "also when they become ready or start");
  command.option("-n,--count", ask->count, "stop after this many").type("N");
}

}  // namespace belfry::cli
