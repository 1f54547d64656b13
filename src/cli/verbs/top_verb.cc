#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/queue_text.h"
#include "cli/text/run_text.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <sstream>
#include <string_view>
#include <vector>

namespace belfry::cli {
namespace {

constexpr std::size_t kRows = 8;
constexpr std::size_t kRecent = 100;  // runs whose lag is told

struct TopAsk {
  std::string interval = "2s";
  std::size_t count = 0;  // 0: until it is stopped
};

// What one screen shows.
struct Figures {
  Json stats;
  Json cluster;
  Json forecast;
  Json failing;
  Json running;
  Json recent;
  Json queues;
};

Answer<Figures> read_figures(client::Client& client) {
  Figures figures;
  BELFRY_TRY(stats, client.get("/api/v1/stats"));
  BELFRY_TRY(cluster, client.get("/api/v1/cluster"));
  BELFRY_TRY(forecast, client.get("/api/v1/forecast", {{"hours", "1"}}));
  BELFRY_TRY(failing, list(client, "/api/v1/jobs", {{"failing", "true"}}, kRows));
  BELFRY_TRY(running, list(client, "/api/v1/runs", {{"state", "RUNNING"}}, kRows));
  BELFRY_TRY(recent, list(client, "/api/v1/runs", {}, kRecent));
  BELFRY_TRY(workers, client.get("/api/v1/workers"));
  figures.stats = std::move(stats);
  figures.cluster = std::move(cluster);
  figures.forecast = std::move(forecast);
  figures.failing = std::move(failing.items);
  figures.running = std::move(running.items);
  figures.recent = std::move(recent.items);
  figures.queues = std::move(workers.at("queues"));
  return figures;
}

std::uint64_t sum_of(const Json& minutes, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < std::min(count, minutes.size()); ++i) {
    sum += minutes[i].get<std::uint64_t>();
  }
  return sum;
}

// "12", or "≥100,000" where counting has stopped.
std::string number(const Json& counts, const char* name) {
  const Json& count = counts.at(name);
  return (count.at("exact") == true ? "" : "≥") + grouped(count.at("value").get<std::uint64_t>());
}

// How late the newest runs began that their schedule asked for, each at its first attempt.
std::string lag_words(const Json& runs) {
  std::vector<Duration> lags;
  for (const Json& run : runs) {
    if (field(run, "origin") != "SCHEDULE" || run.at("attempts") != 1) continue;
    const auto wanted = parse_instant(field(run, "scheduled_for"));
    const auto started = parse_instant(field(run, "started_at"));
    if (wanted && started) lags.push_back(std::max(*started - *wanted, Duration::zero()));
  }
  if (lags.empty()) return "no scheduled run has begun lately";
  std::ranges::sort(lags);
  const auto millis = [](Duration lag) {
    return format_duration(std::chrono::floor<std::chrono::milliseconds>(lag));
  };
  return "half within " + millis(lags[lags.size() / 2]) + ", the worst " + millis(lags.back()) +
         ", of the last " + counted(lags.size(), "scheduled run");
}

void write_figures(const Figures& figures, const Session& session, std::ostream& out) {
  const Json& jobs = figures.stats.at("jobs");
  const Json& runs = figures.stats.at("runs");
  const Json& partitions = figures.cluster.at("partitions");
  const Json& minutes = figures.forecast.at("minutes");
  out << "jobs   " << number(jobs, "active") << " active, " << number(jobs, "paused") << " paused, "
      << number(jobs, "failing") << " failing\n"
      << "runs   " << number(runs, "running") << " running, " << number(runs, "ready")
      << " wait for a worker, " << number(runs, "retrying") << " wait for their next attempt";
  if (!figures.stats.at("oldest_ready_at").is_null()) {
    out << "; the oldest is due " << when(session, figures.stats, "oldest_ready_at");
  }
  out << "\nfires  " << grouped(sum_of(minutes, 5)) << " in 5m, " << grouped(sum_of(minutes, 60))
      << " in 1h\nlag    " << lag_words(figures.recent) << "\nticks  "
      << (partitions.at("oldest_undecided").is_null()
              ? "all that are due are decided"
              : "undecided since " + when(session, partitions, "oldest_undecided"))
      << "; " << field(partitions, "owned") << " of " << field(partitions, "total")
      << " partitions have an owner\n";
}

std::string last_end(const Json& job, const Session& session) {
  const auto last = job.find("last_run");
  return last != job.end() && last->is_object() ? when(session, *last, "finished_at") : "-";
}

void write_tables(const Figures& figures, const Session& session, std::ostream& out) {
  const Look look = session.look();
  Table nodes({{"NODE", true},
               {"REGION", true, false, 1},
               {"STATE"},
               {"PARTITIONS", false, true},
               {"STARTED"}});
  for (const Json& node : figures.cluster.at("nodes")) {
    const bool alive = node.at("alive") == true;
    nodes.row({{field(node, "name"), Paint::kBold},
               {field(node, "region")},
               {alive ? "alive" : "gone", alive ? Paint::kGood : Paint::kBad},
               {field(node, "partitions")},
               {when(session, node, "started_at")}});
  }
  out << '\n';
  nodes.print(out, look);
  Table failing({{"FAILING", true}, {"TIMES", false, true}, {"LAST"}, {"NEXT"}});
  for (const Json& job : figures.failing) {
    failing.row({{field(job, "job_name"), Paint::kBad},
                 {field(job, "failures_in_a_row")},
                 {last_end(job, session)},
                 {when(session, job, "next_scheduled_run")}});
  }
  if (!failing.is_empty()) out << '\n';
  if (!failing.is_empty()) failing.print(out, look);
  Table queues({{"QUEUE", true}, {"WAITING", false, true}, {"OLDEST"}, {"RUNNING", false, true}});
  for (const Json& queue : figures.queues) {
    const bool waits = queue.at("waiting") > 0;
    queues.row({{clean(queue_words(queue)), waits ? Paint::kWarn : Paint::kPlain},
                {field(queue, "waiting")},
                {when(session, queue, "waiting_since")},
                {field(queue, "running")}});
  }
  if (!queues.is_empty()) out << '\n';
  if (!queues.is_empty()) queues.print(out, look);
  Table running({{"RUNNING", true}, {"STARTED"}, {"WORKER", true}});
  for (const Json& run : figures.running) {
    running.row({{field(run, "job_name"), Paint::kBold},
                 {when(session, run, "started_at")},
                 {field(run, "worker")}});
  }
  if (!running.is_empty()) out << '\n';
  if (!running.is_empty()) running.print(out, look);
  for (const Json& problem : figures.cluster.at("problems")) {
    out << '\n'
        << painted("✗", Paint::kBad, look) << ' ' << clean(field(problem, "sentence")) << "\n  → "
        << clean(field(problem, "remedy")) << '\n';
  }
}

// The first columns of a line; colours take none.
std::string cut(std::string_view line, int columns) {
  std::string kept;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_colour = line[i] == '\033';
    const std::size_t end = is_colour ? line.find('m', i) : i;
    const bool begins = !is_colour && (static_cast<unsigned char>(line[i]) & 0xc0U) != 0x80U;
    if (begins) --columns;
    if (is_colour || columns >= 0) kept += line.substr(i, end - i + 1);
    i = std::min(end, line.size());
  }
  return kept;
}

// Draws over what was there, line by line, so that nothing flickers. What does not fit is left out:
// a screen that scrolls cannot be read.
std::string drawn_over(const std::string& text, const Screen& size) {
  std::string drawn = "\033[H";
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    const bool is_last = line == size.height - 1 && end + 1 < text.size();
    const std::string whole = is_last ? "…" : text.substr(begin, end - begin);
    drawn += (size.width > 0 ? cut(whole, size.width) : whole) + "\033[K\n";
    if (is_last) break;
    begin = end + 1;
  }
  return drawn + "\033[J";
}

std::string screen_of(const Figures& figures, const std::string& server, const Session& session) {
  std::ostringstream screen;
  screen << painted("belfry top", Paint::kBold, session.look()) << " · " << server << " · "
         << field(figures.stats, "now").substr(11, 8) << " UTC\n\n";
  write_figures(figures, session, screen);
  write_tables(figures, session, screen);
  return screen.str();
}

Answer<int> top(const TopAsk& ask, Session& session) {
  const auto interval = parse_duration(ask.interval);
  if (!interval || *interval < std::chrono::milliseconds(200)) {
    return fail(Problem(Problem::Kind::kInvalid, "--interval: `" + ask.interval + "` is too short",
                        "", "write 2s, or 200ms at least"));
  }
  BELFRY_TRY(client, session.client());
  const bool is_live = session.is_for_person() && session.is_table();
  for (std::size_t shown = 1;; ++shown) {
    BELFRY_TRY(figures, read_figures(*client));
    if (!session.is_table()) {
      session.print({{"stats", figures.stats},
                     {"cluster", figures.cluster},
                     {"failing", figures.failing},
                     {"running", figures.running},
                     {"queues", figures.queues}});
    } else {
      std::string screen = screen_of(figures, client->server(), session);
      if (is_live && ask.count == 0) screen += "\nevery " + ask.interval + "; Ctrl-C ends it\n";
      if (is_live) screen = drawn_over(screen, session.terminal().screen);
      session.out() << screen << std::flush;
    }
    const bool enough = ask.count == 0 ? !is_live : shown >= ask.count;
    if (enough || !session.out()) return int{kOk};
    client::wait(*interval);
  }
}

}  // namespace

void add_top_verb(const Program& program) {
  const auto ask = std::make_shared<TopAsk>();
  Command& command = program.verb("top", "a live screen: lag, fires, what fails, queues, nodes",
                                  [ask](Session& session) { return top(*ask, session); });
  command.option("--interval", ask->interval, "how often it is drawn (default: 2s)")
      .type("DURATION");
  command.option("-n,--count", ask->count,
                 "so many screens (default: until Ctrl-C; in a pipe, one)");
  command.examples({"belfry top", "belfry top -n 1"});
}

}  // namespace belfry::cli
