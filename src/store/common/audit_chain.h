#pragma once

#include "store/audit.h"

#include <string>
#include <vector>

// The chain over the audit: pure rules.
namespace belfry::store {

// The hash that a row has at a position of the chain, after the link whose hash is `previous`
// (empty: there is none).
std::string chain_hash(const std::string& previous, std::uint64_t position, const AuditRow& row);

// The links for rows that follow `last`, in their order.
std::vector<AuditLink> links_after(const AuditLink& last, const std::vector<AuditRow>& rows);

// {"request_id": "…", "key_id": "7", "address": "…"}: what the audit says of an author besides his
// name. What is not known is left out.
std::string origin_of(const Author& author);

}  // namespace belfry::store
