#include "base/text/instant_text.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr int kSlices = 256;
constexpr int kSlicesPerLine = 32;

// "A" to "Z", then "a" to "z": the owner of a block of the map.
char letter_of(std::size_t index) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return index < kLetters.size() ? kLetters[index] : '*';
}

using Letters = std::map<std::string, char>;

Letters print_nodes(const Json& cluster, const Session& session) {
  Letters letters;
  const std::string leader =
      cluster.at("leader").is_object() ? field(cluster.at("leader"), "node_id") : "";
  Table table({{"MAP"},
               {"NODE", true},
               {"REGION"},
               {"STATE"},
               {"PARTITIONS", false, true},
               {"STARTED", false, false, 1},
               {"LEASE", false, false, 2},
               {"INCARNATION", true, false, 3}});
  for (const Json& node : cluster.at("nodes")) {
    const bool alive = node.at("alive") == true;
    const std::string id = field(node, "node_id");
    const std::string mark = alive ? std::string(1, letter_of(letters.size())) : "-";
    if (alive) letters.emplace(id, mark[0]);
    table.row({{mark},
               {field(node, "name") + (id == leader ? " (leader)" : ""), Paint::kBold},
               {field(node, "region")},
               {alive ? "alive" : "gone", alive ? Paint::kGood : Paint::kDim},
               {field(node, "partitions")},
               {when(session, node, "started_at")},
               {when(session, node, "lease_until")},
               {id, Paint::kDim}});
  }
  table.print(session.out(), session.look());
  return letters;
}

void print_map(const Json& partitions, const Letters& letters, const Session& session) {
  const Json& map = partitions.at("map");
  for (std::size_t i = 0; i < map.size(); ++i) {
    const int number = map[i].at("partition").get<int>();
    if (number % kSlicesPerLine == 0 || i == 0) {
      session.out() << (i == 0 ? "" : "\n") << fmt::format("  {:>5}  ", number);
    }
    const auto owner = letters.find(field(map[i], "owner"));
    const bool owned = owner != letters.end();
    session.out() << painted(owned ? std::string(1, owner->second) : "·",
                             owned ? Paint::kPlain : Paint::kBad, session.look());
    if (number % kSlices == kSlices - 1 && i + 1 < map.size()) session.out() << '\n';
  }
  session.out() << '\n';
}

void print_problems(const Json& problems, const Session& session) {
  if (problems.empty()) return;
  session.out() << '\n';
  for (const Json& problem : problems) {
    const bool is_note = field(problem, "severity") == "note";
    session.out() << painted(is_note ? "·" : "✗", is_note ? Paint::kDim : Paint::kBad,
                             session.look())
                  << ' ' << field(problem, "code") << ": " << clean(field(problem, "sentence"))
                  << "\n  → " << clean(field(problem, "remedy")) << '\n';
  }
}

Answer<int> cluster(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(cluster, client->get("/api/v1/cluster"));
  if (!session.is_table()) {
    session.print(cluster);
    return int{kOk};
  }
  const Letters letters = print_nodes(cluster, session);
  const Json& partitions = cluster.at("partitions");
  session.out() << '\n'
                << field(partitions, "owned") << " of " << field(partitions, "total")
                << " partitions have an owner; "
                << (partitions.at("oldest_undecided").is_null()
                        ? "every tick that is due is decided"
                        : "a tick is undecided, of " +
                              when(session, partitions, "oldest_undecided"))
                << '\n';
  print_map(partitions, letters, session);
  print_problems(cluster.at("problems"), session);
  return int{kOk};
}

struct ForecastAsk {
  int hours = 24;
  bool advise = false;
  bool apply = false;
};

// One block for every five minutes.
std::string blocks_of(const Json& minutes, std::size_t begin, std::uint64_t highest) {
  constexpr std::array<const char*, 9> kBlocks{"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (std::size_t i = begin; i < begin + 60; i += 5) {
    std::uint64_t sum = 0;
    for (std::size_t j = i; j < i + 5; ++j) sum += minutes[j].get<std::uint64_t>();
    const std::uint64_t height =
        sum == 0 ? 0 : std::clamp<std::uint64_t>((sum * 8 + highest - 1) / highest, 1, 8);
    text += kBlocks.at(height);
  }
  return text;
}

std::uint64_t highest_block(const Json& minutes) {
  std::uint64_t highest = 1;
  for (std::size_t i = 0; i + 5 <= minutes.size(); i += 5) {
    std::uint64_t sum = 0;
    for (std::size_t j = i; j < i + 5; ++j) sum += minutes[j].get<std::uint64_t>();
    highest = std::max(highest, sum);
  }
  return highest;
}

void print_advice(const Json& advice, const Session& session) {
  constexpr std::size_t kShown = 5;
  for (const Json& minute : advice.at("minutes")) {
    session.out() << field(minute, "at").substr(0, 16) << "Z  "
                  << grouped(minute.at("before").get<std::uint64_t>()) << " runs, "
                  << grouped(minute.at("after").get<std::uint64_t>()) << " with the changes: ";
    const Json& jobs = minute.at("jobs");
    const auto count = minute.at("job_count").get<std::uint64_t>();
    const std::size_t shown = std::min(kShown, jobs.size());
    for (std::size_t i = 0; i < shown; ++i) {
      session.out() << (i == 0 ? "" : ", ") << clean(jobs[i].get<std::string>());
    }
    if (count > shown) session.out() << " and " << grouped(count - shown) << " more";
    session.out() << '\n';
  }
  for (const Json& change : advice.at("changes")) {
    const std::string name = field(change, "field");
    session.out() << '\n' << clean(field(change, "job_name")) << '\n';
    if (!change.at("before").is_null()) {
      session.out() << "- " << name << ": " << clean(field(change, "before")) << '\n';
    }
    session.out() << "+ " << name << ": " << clean(field(change, "after")) << '\n';
  }
}

// Only if the job is still as it was looked at.
Answer<int> apply_change(const Json& change, client::Client& client) {
  BELFRY_CHECK(client.call({.method = "PATCH",
                            .path = client::job_path(field(change, "job_id")),
                            .body = Json{{field(change, "field"), field(change, "after")}},
                            .headers = {{"If-Match", "\"" + field(change, "version") + "\""},
                                        {"Content-Type", "application/merge-patch+json"}}}));
  return int{kOk};
}

Answer<int> advise_herds(const ForecastAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(advice,
             client->get("/api/v1/forecast/advice", {{"hours", std::to_string(ask.hours)}}));
  const Json& changes = advice.at("changes");
  if (session.is_table()) {
    print_advice(advice, session);
  } else {
    session.print(advice);
  }
  if (changes.empty()) session.say("nothing to spread");
  if (!ask.apply) {
    if (!changes.empty()) session.say("nothing was changed; --apply does it");
    return int{kOk};
  }
  for (const Json& change : changes) BELFRY_CHECK(apply_change(change, *client));
  session.say(grouped(changes.size()) + " jobs changed");
  return int{kOk};
}

Answer<int> forecast(const ForecastAsk& ask, Session& session) {
  if (ask.advise || ask.apply) return advise_herds(ask, session);
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(answer, client->get("/api/v1/forecast", {{"hours", std::to_string(ask.hours)}}));
  if (!session.is_table()) {
    session.print(answer);
    return int{kOk};
  }
  const Json& minutes = answer.at("minutes");
  BELFRY_TRY(from, parse_instant(field(answer, "from")));
  const std::uint64_t highest = highest_block(minutes);
  for (std::size_t hour = 0; (hour + 1) * 60 <= minutes.size(); ++hour) {
    const auto at = [&](std::size_t minute) {
      return format_instant(from + std::chrono::minutes(minute));
    };
    std::uint64_t sum = 0;
    std::size_t peak = hour * 60;
    for (std::size_t i = hour * 60; i < (hour + 1) * 60; ++i) {
      const auto ticks = minutes[i].get<std::uint64_t>();
      sum += ticks;
      if (ticks > minutes[peak].get<std::uint64_t>()) peak = i;
    }
    session.out() << at(hour * 60).substr(0, 16) << "Z  " << blocks_of(minutes, hour * 60, highest)
                  << fmt::format("  {:>10}", grouped(sum));
    if (sum > 0) {
      session.out() << "  peak " << grouped(minutes[peak].get<std::uint64_t>()) << " at "
                    << at(peak).substr(11, 5);
    }
    session.out() << '\n';
  }
  if (answer.at("exact") == false) session.say("approximate: not every job was counted");
  return int{kOk};
}

}  // namespace

void add_cluster_verbs(const Program& program) {
  program.verb("cluster", "nodes, and who owns which partition", cluster)
      .alias("status")
      .alias("nodes")
      .examples({"belfry cluster", "belfry cluster -o json"});
  const auto ask = std::make_shared<ForecastAsk>();
  Command& command = program.verb("forecast", "ticks in the coming hours, and how to spread them",
                                  [ask](Session& session) { return forecast(*ask, session); });
  command.option("--hours", ask->hours, "how far to look, up to 168 (default: 24)")
      .range(1, 168)
      .type("N");
  command.flag("--advise", ask->advise, "the worst minutes, and changes that would halve them");
  command.flag("--apply", ask->apply, "make these changes");
  command.examples({"belfry forecast --hours 12", "belfry forecast --advise",
                    "belfry forecast --advise --apply"});
}

}  // namespace belfry::cli
