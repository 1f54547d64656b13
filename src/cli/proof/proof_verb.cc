#include "cli/proof/proof_verb.h"

#include "base/text/instant_text.h"
#include "cli/frame/lookup.h"
#include "cli/text/text.h"
#include "client/pages.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr const char* kProof = "/api/v1/proof";
constexpr int kRowsAtOnce = 1'000;

struct ProofAsk {
  std::string day;
  bool ledger = false;
  std::size_t limit = 30;
};

std::string number_of(const Json& summary, const char* name) {
  const auto found = summary.find(name);
  if (found == summary.end() || !found->is_number_integer()) return "?";
  return grouped(static_cast<std::uint64_t>(found->get<std::int64_t>()));
}

bool is_flawless(const Json& summary) {
  for (const char* name : {"holes", "doubles", "early", "strays", "wrong_fates", "wrong_counts"}) {
    if (number_of(summary, name) != "0") return false;
  }
  return true;
}

Cell count_cell(const Json& summary, const char* name) {
  const std::string number = number_of(summary, name);
  return {number, number == "0" ? Paint::kPlain : Paint::kBad};
}

void print_days(const Json& days, Session& session) {
  Table table({{"DAY"},
               {"TICKS", false, true},
               {"RUNS", false, true},
               {"HOLES", false, true},
               {"DOUBLES", false, true},
               {"EARLY", false, true},
               {"UNPROVEN", false, true, 1},
               {"SIGNED"},
               {"DIGEST", true}});
  for (const Json& day : days) {
    const Json& summary = day.at("summary");
    table.row({{field(day, "day"), Paint::kBold},
               {number_of(summary, "ticks")},
               {number_of(summary, "runs")},
               count_cell(summary, "holes"),
               count_cell(summary, "doubles"),
               count_cell(summary, "early"),
               {number_of(summary, "unproven")},
               {field(day, "signature").empty() ? "no" : "yes"},
               {field(day, "digest")}});
  }
  if (table.is_empty()) {
    session.say("no day is over yet since the proof began");
  } else {
    table.print(session.out(), session.look());
  }
}

void print_violations(const Json& found, Session& session) {
  for (const Json& each : found) {
    session.out() << painted(field(each, "kind"), Paint::kBad, session.look()) << " of "
                  << clean(field(each, "job_name")) << " at " << field(each, "tick") << ", found "
                  << field(each, "found_at") << ": " << clean(field(each, "evidence")) << '\n';
  }
}

Answer<int> show_days(const ProofAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(answer, client->get(kProof, {{"limit", std::to_string(ask.limit)}}));
  const Json& found = answer.at("violations");
  if (session.is_table()) {
    print_days(answer.at("items"), session);
    print_violations(found, session);
    const std::string through = field(answer, "checked_through");
    session.out() << (through.empty() ? "nothing is proven yet: the node has just begun"
                                      : "proven through " + through)
                  << '\n';
  } else {
    session.print(answer);
  }
  return int{found.empty() ? kOk : kDifferent};
}

Answer<int> show_day(const ProofAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(day, client->get(std::string(kProof) + "/" + ask.day));
  const Json& summary = day.at("summary");
  if (session.is_table()) {
    session.out() << day.at("statement").get<std::string>() << '\n'
                  << "digest " << field(day, "digest") << '\n';
    const std::string signature = field(day, "signature");
    session.out() << (signature.empty()
                          ? "not signed: the server had no key"
                          : "signature " + signature + '\n' + field(day, "public_key"))
                  << '\n';
  } else {
    session.print(day);
  }
  return int{is_flawless(summary) ? kOk : kDifferent};
}

// One line of JSON for each row, by job and tick.
Answer<int> export_ledger(const ProofAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  client::Pages rows(*client, std::string(kProof) + "/" + ask.day + "/ledger", {}, kRowsAtOnce);
  while (true) {
    BELFRY_TRY(row, rows.next());
    if (!row) return int{kOk};
    session.out() << write_json(*row) << '\n';
  }
}

Answer<int> proof(const ProofAsk& ask, Session& session) {
  if (ask.ledger && ask.day.empty()) {
    return fail(
        Problem(Problem::Kind::kInvalid, "--ledger needs a day: belfry proof 2026-11-17 --ledger"));
  }
  if (ask.day.empty()) return show_days(ask, session);
  if (!parse_instant(ask.day + "T00:00:00Z")) {
    return fail(Problem(Problem::Kind::kInvalid, "`" + ask.day + "` is not a day", "",
                        "write it like 2026-11-17; `belfry proof` lists them"));
  }
  return ask.ledger ? export_ledger(ask, session) : show_day(ask, session);
}

}  // namespace

void add_proof_verb(const Program& program) {
  const auto ask = std::make_shared<ProofAsk>();
  Command& command = program
                         .verb("proof", "what is proven so far; statements by day",
                               [ask](Session& session) { return proof(*ask, session); })
                         .examples({"belfry proof", "belfry proof 2026-11-17",
                                    "belfry proof 2026-11-17 --ledger > day.jsonl"});
  command.option("day", ask->day, "a day of UTC (default: all of them)");
  command.flag("--ledger", ask->ledger, "the rows that its digest is made of, as lines of JSON");
  command.option("--limit", ask->limit, "at most this many days (default: 30)");
  command.note("The exit code is 1 if the ledger was found to be wrong.");
}

}  // namespace belfry::cli
