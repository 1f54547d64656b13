#include "base/text/visible.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"
#include "net/url.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr int kMostSteps = 1'000'000;  // of a check; each takes some thousand rows

struct AuditAsk {
  std::size_t limit = 50;
  std::string head;  // that somebody noted
};

std::string from_where(const Json& row) {
  const Json detail = row.value("detail", Json::object());
  return field(detail, "address");
}

Answer<int> list_audit(const AuditAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(rows, list(*client, "/api/v1/audit", {}, ask.limit));
  if (!session.is_table()) {
    session.print(rows.items);
    return int{kOk};
  }
  Table table({{"SEQ", false, true},
               {"WHEN"},
               {"WHO", true},
               {"FROM", false, false, 2},
               {"WHAT"},
               {"OBJECT", true},
               {"TENANT", true, false, 1}});
  for (const Json& row : rows.items) {
    table.row({{field(row, "seq")},
               {when(session, row, "at")},
               {field(row, "actor"), Paint::kBold},
               {from_where(row)},
               {field(row, "action")},
               {field(row, "object")},
               {field(row, "tenant_id")}});
  }
  if (table.is_empty()) {
    session.say("nothing was done yet");
  } else {
    table.print(session.out(), session.look());
  }
  return int{kOk};
}

// One line of JSON for each row, newest first.
Answer<int> export_audit(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(rows, list(*client, "/api/v1/audit", {}, kAll));
  for (const Json& row : rows.items) session.out() << visible_json(write_json(row)) << '\n';
  return int{kOk};
}

std::string in_words(const Json& flaw) {
  const std::string kind = field(flaw, "kind");
  const std::string row = "row " + field(flaw, "seq");
  const std::string place = field(flaw, "position");
  const std::string position = " (position " + place + " of the chain)";
  if (kind == "HEAD_MISSING") {
    return "the chain no longer reaches the head that you noted: position " + place +
           " is gone, and with it what came after";
  }
  if (kind == "HEAD_CHANGED") {
    return "the chain is not the one whose head you noted: at position " + place +
           " it has another hash, so it was written anew from there or before";
  }
  if (kind == "HEAD_FORGOTTEN") {
    return "the head that you noted cannot be checked: the chain begins after position " + place +
           "; rows are kept for 400 days, so note a newer one";
  }
  if (kind == "CHANGED") return row + " was changed" + position;
  if (kind == "MISSING") return row + " is missing" + position;
  if (kind == "ADDED") return row + " was added later: the chain does not have it";
  return "the chain is broken at " + row + position + ": a link was changed or is missing";
}

struct Checked {
  std::int64_t links = 0;
  std::int64_t waiting = 0;
  Json flaws = Json::array();
  Json head = Json::object();
};

// `noted`: a head, or empty.
Answer<Checked> check_all(client::Client& client, const std::string& noted) {
  Checked all;
  std::string cursor;
  for (int i = 0; i < kMostSteps; ++i) {
    std::string path = "/api/v1/audit:verify";
    if (!cursor.empty()) {
      path += "?cursor=" + net::encode_percent(cursor);
    } else if (!noted.empty()) {
      path += "?head=" + net::encode_percent(noted);
    }
    BELFRY_TRY(step, client.get(path));
    all.links += step.value("checked", std::int64_t{0});
    all.waiting += step.value("waiting", std::int64_t{0});
    for (const Json& flaw : step.at("flaws")) all.flaws.push_back(flaw);
    all.head = step.at("head");
    cursor = field(step, "next_cursor");
    if (cursor.empty()) break;
  }
  return all;
}

Answer<int> verify_audit(const AuditAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(all, check_all(*client, ask.head));
  const bool is_whole = all.flaws.empty();
  if (!session.is_table()) {
    session.print({{"checked", all.links},
                   {"waiting", all.waiting},
                   {"flaws", all.flaws},
                   {"head", all.head}});
    return int{is_whole ? kOk : kDifferent};
  }
  for (const Json& flaw : all.flaws) session.out() << in_words(flaw) << '\n';
  if (is_whole) {
    session.out() << all.links << " rows are as they were written; "
                  << (all.waiting == 0 ? "none wait" : std::to_string(all.waiting) + " wait")
                  << " for their place in the chain\n";
  }
  if (is_whole && !ask.head.empty()) session.out() << "the chain goes through the noted head\n";
  session.out() << "head " << field(all.head, "position") << ':' << field(all.head, "hash") << '\n';
  return int{is_whole ? kOk : kDifferent};
}

}  // namespace

void add_audit_verbs(const Program& program) {
  const auto ask = std::make_shared<AuditAsk>();
  Command& audit = program.verb("audit", "who did what; also: export, verify",
                                [ask](Session& session) { return list_audit(*ask, session); });
  audit.option("-n,--limit", ask->limit, "how many (default: 50)");
  audit.examples({"belfry audit", "belfry audit -n 200 -o json"});
  program.verb(audit, "export", "write everything as lines of JSON", export_audit)
      .examples({"belfry audit export > audit.jsonl"});
  Command& verify =
      program.verb(audit, "verify", "check that nobody has changed it since; prints the head",
                   [ask](Session& session) { return verify_audit(*ask, session); });
  verify.option("--head", ask->head, "a head that it printed earlier: is it still in the chain?")
      .type("POSITION:HASH");
  verify.examples({"belfry audit verify",
                   "belfry audit verify --head "
                   "3:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"});
}

}  // namespace belfry::cli
