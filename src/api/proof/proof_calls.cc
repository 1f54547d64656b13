#include "api/proof/proof_calls.h"

#include "api/frame/context.h"
#include "api/frame/paging.h"
#include "api/proof/flaw_codec.h"
#include "api/proof/proof_place.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/proof/day_tally.h"
#include "engine/proof/ledger_export.h"

#include <chrono>

namespace belfry::api {
namespace {

constexpr std::size_t kViolations = 100;  // shown

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

// The statement is told as the text that was signed, and what it says once more, for reading.
Json write_proof(const store::ProofRow& proof) {
  const auto summary = parse_json(proof.statement);
  return {{"day", core::write_day(proof.day)},
          {"sealed_at", format_instant(proof.sealed_at)},
          {"summary", summary ? *summary : Json()},
          {"statement", proof.statement},
          {"digest", proof.digest},
          {"public_key", text_or_null(proof.public_key)},
          {"signature", text_or_null(proof.signature)}};
}

Json write_violations(const std::vector<store::LedgerViolation>& found) {
  Json list = Json::array();
  for (const store::LedgerViolation& each : found) {
    Json one = write_flaw(each.job, each.name, each.flaw);
    one["found_at"] = format_instant(each.found_at);
    list.push_back(std::move(one));
  }
  return list;
}

Outcome list_proofs(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "proofs", complaints);
  Instant before = Instant::max();
  if (!page.cursor.empty()) {
    const auto day = core::read_day(page.cursor);
    if (!day) complaints.push_back({"?cursor", "invalid", day.error().message, ""});
    if (day) before = *day;
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  const TenantId tenant = call.principal.tenant;
  BELFRY_NEED(check, services.store.ledger_check());
  BELFRY_NEED(found, services.store.ledger_violations(tenant, Instant::min(), kViolations));
  BELFRY_NEED(proofs, services.store.proofs(tenant, before, page.limit + 1));
  BELFRY_NEED(key, services.secrets.signing_key());
  std::optional<std::string> next;
  if (proofs.size() > page.limit) {
    proofs.pop_back();
    next = core::write_day(proofs.back().day);
  }
  Json items = Json::array();
  for (const store::ProofRow& proof : proofs) items.push_back(write_proof(proof));
  Json answer{{"checked_through",
               check.version == 0 ? Json() : Json(format_instant(check.checked_through))},
              {"public_key", key ? Json(key->public_key()) : Json()},
              {"violations", write_violations(found)}};
  return page_response(call.request, std::move(items), next, "proofs", std::move(answer));
}

// The statement about the day that the path names.
Result<store::ProofRow> find_proof(const Services& services, const Call& call) {
  const auto day = core::read_day(call.at("day"));
  if (day) {
    BELFRY_TRY(found, services.store.proofs(call.principal.tenant, *day + Duration(1), 1));
    if (!found.empty() && found.front().day == *day) return found.front();
  }
  return fail(Errc::kNotFound,
              "there is no statement about this day; one is made when a day is over and proven");
}

Outcome get_proof(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(proof, find_proof(services, call));
  return json_response(200, write_proof(proof));
}

Json write_row(const store::LedgerRow& row) {
  const core::FateRow& fate = row.fate;
  return {{"job_id", core::write_job_id(row.job)},
          {"tick", format_instant(fate.first.instant())},
          {"fate", fate.skipped ? core::name_of(*fate.skipped) : "run"},
          {"last_tick", format_instant(fate.last.instant())},
          {"ticks", fate.skipped ? fate.count : 1},
          {"decided_at", format_instant(row.decided_at)}};
}

// The window of a statement, as it says itself.
Result<engine::ProofWindow> window_of(const store::ProofRow& proof) {
  const auto stated = parse_json(proof.statement);
  if (!stated || !stated->is_object()) return fail(Errc::kInternal, "a statement is unreadable");
  BELFRY_TRY(from, parse_instant(stated->value("from", std::string())));
  BELFRY_TRY(to, parse_instant(stated->value("to", std::string())));
  return engine::ProofWindow{.after = from - Duration(1), .through = to};
}

Outcome list_ledger(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const std::string filter = "ledger " + call.at("day");
  const Page page = read_page(call.request, filter, complaints);
  engine::ProofPlace place;
  if (!page.cursor.empty()) {
    const auto read = read_place(page.cursor);
    if (!read) complaints.push_back({"?cursor", "invalid", "this is not where a page ended", ""});
    if (read) place = *read;
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(proof, find_proof(services, call));
  BELFRY_NEED(window, window_of(proof));
  BELFRY_NEED(found, engine::export_ledger(services.store, call.principal.tenant, place, window,
                                           page.limit));
  Json items = Json::array();
  for (const store::LedgerRow& row : found.rows) items.push_back(write_row(row));
  std::optional<std::string> next;
  if (found.next) next = write_place(*found.next);
  return page_response(call.request, std::move(items), next, filter);
}

}  // namespace

std::vector<Route> proof_routes() {
  return {{"GET", "/api/v1/proof", Access::kRead, at_once(list_proofs), {"cursor", "limit"}},
          {"GET", "/api/v1/proof/{day}", Access::kRead, at_once(get_proof)},
          {"GET",
           "/api/v1/proof/{day}/ledger",
           Access::kRead,
           at_once(list_ledger),
           {"cursor", "limit"}}};
}

}  // namespace belfry::api
