#include "service/audit/verify.h"

#include "store/common/audit_chain.h"

#include <charconv>

namespace belfry::service {
namespace {

constexpr std::size_t kRows = 2'000;  // in one step
// A row whose neighbours are linked and that is not was added later. The chain follows within
// seconds, and what commits late comes within far fewer numbers than these.
constexpr std::size_t kMayBeLate = 100;

void check_link(const store::AuditStore::LinkedRow& each, AuditVerdict& verdict) {
  const store::AuditLink& link = each.link;
  AuditCheck& reached = verdict.reached;
  const bool is_first = reached.hash.empty();
  const bool follows =
      is_first || (link.position == reached.position + 1 && link.previous == reached.hash);
  if (!follows) {
    verdict.flaws.push_back({AuditFlaw::Kind::kLinkBroken, link.position, link.seq});
  } else if (!each.row) {
    verdict.flaws.push_back({AuditFlaw::Kind::kMissing, link.position, link.seq});
  } else if (store::chain_hash(link.previous, link.position, *each.row) != link.hash) {
    verdict.flaws.push_back({AuditFlaw::Kind::kChanged, link.position, link.seq});
  }
  reached.position = link.position;
  reached.hash = link.hash;
  ++verdict.checked;
}

}  // namespace

std::optional<AuditHead> read_head(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  AuditHead head{.position = 0, .hash = std::string(text.substr(colon + 1))};
  const char* const end = text.data() + colon;
  const auto [stop, error] = std::from_chars(text.data(), end, head.position);
  const bool is_position =
      error == std::errc() && stop == end && head.position > 0 && head.position <= INT64_MAX;
  const bool is_hash = head.hash.size() == kDigits &&
                       head.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_position && is_hash ? std::optional(std::move(head)) : std::nullopt;
}

Result<std::optional<AuditFlaw>> check_head(store::AuditStore& store, const AuditHead& noted) {
  using Kind = AuditFlaw::Kind;
  BELFRY_TRY(found, store.list_links(noted.position - 1, 1));
  if (found.empty()) return AuditFlaw{Kind::kHeadMissing, noted.position, 0};
  const store::AuditLink& link = found.front().link;
  if (link.position == noted.position) {
    if (link.hash == noted.hash) return std::nullopt;
    return AuditFlaw{Kind::kHeadChanged, noted.position, link.seq};
  }
  // Old rows go from the beginning. A hole anywhere else was made by somebody.
  BELFRY_TRY(first, store.list_links(0, 1));
  const bool is_forgotten = !first.empty() && first.front().link.position > noted.position;
  return AuditFlaw{is_forgotten ? Kind::kHeadForgotten : Kind::kHeadMissing, noted.position, 0};
}

Result<AuditVerdict> verify_audit(store::AuditStore& store, const AuditCheck& from) {
  AuditVerdict verdict{.reached = from};
  if (!from.links_done) {
    BELFRY_TRY(links, store.list_links(from.position, kRows));
    for (const auto& each : links) check_link(each, verdict);
    verdict.reached.links_done = links.size() < kRows;
    return verdict;
  }
  BELFRY_TRY(rows, store.list_linked(from.seq, kRows));
  std::size_t linked_after = 0;  // from the last one back
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (row->is_linked) {
      ++linked_after;
    } else if (linked_after >= kMayBeLate) {
      verdict.flaws.push_back({AuditFlaw::Kind::kAdded, 0, row->seq});
    } else {
      ++verdict.waiting;
    }
  }
  if (!rows.empty()) verdict.reached.seq = rows.back().seq;
  verdict.is_done = rows.size() < kRows;
  return verdict;
}

}  // namespace belfry::service
