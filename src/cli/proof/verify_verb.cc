#include "cli/proof/verify_verb.h"

#include "cli/frame/lookup.h"
#include "cli/text/text.h"
#include "cli/verbs/job_flags.h"

#include <map>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr int kMostSteps = 10'000'000;  // of a proof; each takes some hundred jobs

struct VerifyAsk {
  std::string job;
  bool all = false;
  std::string from;
  std::string to;
};

// What the steps of a proof found together.
struct Proof {
  std::int64_t jobs = 0;
  std::int64_t ticks = 0;
  std::int64_t runs = 0;
  std::map<std::string, std::int64_t> skips;
  Json flaws = Json::array();
  Json unproven = Json::array();
  std::string undecided;
  std::string from;
  std::string to;

  void add(const Json& step) {
    const Json& counts = step.at("counts");
    jobs += step.at("jobs").get<std::int64_t>();
    ticks += counts.at("ticks").get<std::int64_t>();
    runs += counts.at("runs").get<std::int64_t>();
    for (const auto& [reason, count] : counts.at("skips").items()) {
      skips[reason] += count.get<std::int64_t>();
    }
    for (const Json& flaw : step.at("flaws")) flaws.push_back(flaw);
    for (const Json& gap : step.at("unproven")) unproven.push_back(gap);
    const std::string due = field(step, "undecided");
    if (!due.empty() && (undecided.empty() || due < undecided)) undecided = due;
    if (from.empty()) from = field(step, "from");
    to = field(step, "to");
  }
  Json to_json() const {
    return {{"from", from},
            {"to", to},
            {"jobs", jobs},
            {"counts", {{"ticks", ticks}, {"runs", runs}, {"skips", skips}}},
            {"flaws", flaws},
            {"unproven", unproven},
            {"undecided", undecided.empty() ? Json() : Json(undecided)}};
  }
};

Answer<Proof> prove(const VerifyAsk& ask, client::Client& client, Session& session) {
  const std::string path = ask.all ? "/api/v1/ledger:verify" : client::job_path(ask.job, "/verify");
  client::Query query;
  for (const auto& [name, text] : {std::pair("from", ask.from), std::pair("to", ask.to)}) {
    if (text.empty()) continue;
    BELFRY_TRY(at, to_instant(text, std::string("--") + name, "", session));
    query.push_back({name, at});
  }
  Proof proof;
  std::string cursor;
  for (int i = 0; i < kMostSteps; ++i) {
    client::Query step_query = query;
    if (!cursor.empty()) step_query.push_back({"cursor", cursor});
    const auto step = client.get(path, step_query);
    if (!step && !ask.all) return fail(with_suggestion(step.error(), ask.job, client));
    if (!step) return fail(step.error());
    proof.add(*step);
    cursor = field(*step, "next_cursor");
    if (cursor.empty()) break;
  }
  return proof;
}

void print_flaws(const Proof& proof, Session& session) {
  Table table({{"WHAT"},
               {"JOB", true},
               {"TICK"},
               {"TICKS", false, true},
               {"REV", false, true},
               {"EVIDENCE", true}});
  for (const Json& flaw : proof.flaws) {
    table.row({{field(flaw, "kind"), Paint::kBad},
               {clean(field(flaw, "job_name")), Paint::kBold},
               {field(flaw, "tick")},
               {field(flaw, "ticks")},
               {field(flaw, "revision")},
               {clean(field(flaw, "evidence"))}});
  }
  if (!table.is_empty()) table.print(session.out(), session.look());
}

void print_proof(const Proof& proof, Session& session) {
  print_flaws(proof, session);
  for (const Json& gap : proof.unproven) {
    session.out() << clean(field(gap, "job_name")) << ": not proven from " << field(gap, "after")
                  << " to " << field(gap, "through") << ": " << clean(field(gap, "why")) << '\n';
  }
  std::string fates = counted(static_cast<std::uint64_t>(proof.runs), "run");
  for (const auto& [reason, count] : proof.skips) {
    fates += ", " + grouped(static_cast<std::uint64_t>(count)) + " " + reason;
  }
  session.out() << counted(static_cast<std::uint64_t>(proof.jobs), "job") << ", "
                << counted(static_cast<std::uint64_t>(proof.ticks), "tick") << " from "
                << proof.from << " to " << proof.to << ": " << fates << '\n';
  if (!proof.undecided.empty()) {
    session.out() << "still to be decided: " << proof.undecided << " and what follows it\n";
  }
  if (proof.flaws.empty()) {
    session.out() << painted("no hole, no double, nothing early", Paint::kGood, session.look())
                  << '\n';
  } else {
    session.out() << painted(counted(proof.flaws.size(), "finding"), Paint::kBad, session.look())
                  << '\n';
  }
}

Answer<int> verify(const VerifyAsk& ask, Session& session) {
  if (ask.all == !ask.job.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "of which job?", "", "name one, or give --all"));
  }
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(proof, prove(ask, *client, session));
  if (session.is_table()) {
    print_proof(proof, session);
  } else {
    session.print(proof.to_json());
  }
  return int{proof.flaws.empty() ? kOk : kDifferent};
}

}  // namespace

void add_verify_verb(const Program& program) {
  const auto ask = std::make_shared<VerifyAsk>();
  Command& command = program
                         .verb("verify", "prove that every tick has exactly one fate",
                               [ask](Session& session) { return verify(*ask, session); })
                         .examples({"belfry verify nightly", "belfry verify --all --from -1d"});
  command.option("job", ask->job, "its name or id").proposes(Proposal::kJob);
  command.flag("--all", ask->all, "all jobs that are not deleted");
  command.option("--from", ask->from, "the first instant (default: as far back as is kept)")
      .type("TIME");
  command.option("--to", ask->to, "the last instant (default: now)").type("TIME");
  command.note("The exit code is 1 if a tick has no fate, two, or a wrong one.");
}

}  // namespace belfry::cli
