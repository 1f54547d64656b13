#include "store/common/audit_chain.h"

#include "base/digest.h"
#include "base/json.h"

#include <fmt/format.h>

#include <string_view>

namespace belfry::store {

std::string chain_hash(const std::string& previous, std::uint64_t position, const AuditRow& row) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}", previous, position, row.seq, row.at.micros(),
                                 row.tenant.value());
  // With their lengths, so that nothing can move from one to the next.
  for (const std::string_view field :
       {std::string_view(row.actor), std::string_view(row.action), std::string_view(row.object),
        std::string_view(row.detail)}) {
    text += fmt::format("\n{}:{}", field.size(), field);
  }
  std::string hex;
  for (const std::uint8_t byte : sha256(text)) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::vector<AuditLink> links_after(const AuditLink& last, const std::vector<AuditRow>& rows) {
  std::vector<AuditLink> links;
  links.reserve(rows.size());
  AuditLink link = last;
  for (const AuditRow& row : rows) {
    link = {.position = link.position + 1, .seq = row.seq, .previous = link.hash, .hash = {}};
    link.hash = chain_hash(link.previous, link.position, row);
    links.push_back(link);
  }
  return links;
}

std::string origin_of(const Author& author) {
  Json origin = Json::object();
  if (!author.request_id.empty()) origin["request_id"] = author.request_id;
  if (!author.key_id.empty()) origin["key_id"] = author.key_id;
  if (!author.address.empty()) origin["address"] = author.address;
  return write_json(origin);
}

}  // namespace belfry::store
