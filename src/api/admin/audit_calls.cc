#include "api/admin/audit_calls.h"

#include "api/frame/context.h"
#include "core/spelling.h"
#include "service/audit/verify.h"

#include <fmt/format.h>

#include <charconv>

namespace belfry::api {
namespace {

using Kind = service::AuditFlaw::Kind;

constexpr core::Words<Kind, 7> kFlaws{{{"CHANGED", Kind::kChanged},
                                       {"MISSING", Kind::kMissing},
                                       {"LINK_BROKEN", Kind::kLinkBroken},
                                       {"ADDED", Kind::kAdded},
                                       {"HEAD_MISSING", Kind::kHeadMissing},
                                       {"HEAD_CHANGED", Kind::kHeadChanged},
                                       {"HEAD_FORGOTTEN", Kind::kHeadForgotten}}};

Json number_or_null(std::uint64_t number) {
  return number == 0 ? Json() : Json(number);
}

// "position.seq.done.hash"
std::string to_text(const service::AuditCheck& check) {
  return fmt::format("{}.{}.{}.{}", check.position, check.seq, check.links_done ? 1 : 0,
                     check.hash);
}

std::optional<service::AuditCheck> parse_check(std::string_view text) {
  service::AuditCheck check;
  int done = 0;
  const auto read = [&text](auto& number) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop == text.data() + text.size() || *stop != '.') return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
    return true;
  };
  if (!read(check.position) || !read(check.seq) || !read(done)) return std::nullopt;
  if (check.position > INT64_MAX || check.seq > INT64_MAX) return std::nullopt;
  check.links_done = done == 1;
  check.hash = text;
  return check;
}

// One step of the check; the answer says where to go on.
Outcome verify_audit(const Services& services, const Call& call,
                     std::vector<Complaint> complaints) {
  service::AuditCheck from;
  if (const auto cursor = call.request.parameter("cursor")) {
    const auto parsed = parse_check(*cursor);
    if (!parsed) {
      complaints.push_back({"?cursor", "invalid", "this is not where a check stopped", ""});
    }
    from = parsed.value_or(from);
  }
  std::optional<service::AuditHead> noted;
  if (const auto text = call.request.parameter("head")) {
    noted = service::read_head(*text);
    if (!noted) {
      complaints.push_back({"?head", "invalid", "a head is a position and its hash, `1234:5f3a…`",
                            "give it as `belfry audit verify` printed it"});
    }
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(verdict, service::verify_audit(services.store, from));
  if (noted) {
    BELFRY_NEED(flaw, service::check_head(services.store, *noted));
    if (flaw) verdict.flaws.push_back(*flaw);
  }
  Json flaws = Json::array();
  for (const service::AuditFlaw& flaw : verdict.flaws) {
    flaws.push_back({{"kind", core::word_for(flaw.kind, kFlaws)},
                     {"position", number_or_null(flaw.position)},
                     {"seq", number_or_null(flaw.seq)}});
  }
  return json_response(
      200, {{"checked", verdict.checked},
            {"waiting", verdict.waiting},
            {"flaws", std::move(flaws)},
            {"head", {{"position", verdict.reached.position}, {"hash", verdict.reached.hash}}},
            {"next_cursor", verdict.is_done ? Json() : Json(to_text(verdict.reached))}});
}

}  // namespace

std::vector<Route> audit_routes() {
  return {
      {"GET", "/api/v1/audit:verify", Access::kRoot, at_once(verify_audit), {"cursor", "head"}}};
}

}  // namespace belfry::api
