#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/job_type.h"
#include "store/author.h"
#include "store/runs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a tenant has said of its job types. A type needs no row: without one it has no limits, and
// its jobs have the usual defaults. Limits are kept by RunStore::grant; defaults are applied by
// whoever reads a definition.
namespace belfry::store {

inline constexpr std::size_t kMostTypes = 1'000;  // of a tenant

struct JobType {
  TenantId tenant;
  std::string name;
  core::TypeLimits limits;
  core::TypeDefaults defaults;
  Instant updated_at = {};  // set by the store, like the next
  std::string updated_by = {};
};

// How a limited type stands; once for each queue (core/queue.h) in which its runs wait.
struct TypeLoad {
  LimitedType type;
  std::int64_t held = 0;  // in somebody's hands, in all queues
  std::int64_t room = 0;  // how many could start now
  std::string queue;      // empty: none waits
  std::int64_t waiting = 0;
  std::optional<Instant> waiting_since;
};

class JobTypeStore {
 public:
  virtual ~JobTypeStore() = default;

  // Makes or changes a type. What runs already counts, but is not stopped, and what has started is
  // forgotten by the rate. kNotFound when there is no such tenant, kQuotaExceeded when it has too
  // many. Repeating is harmless.
  virtual Result<JobType> put_type(const JobType& type, const Author& author) = 0;
  virtual Result<JobType> find_type(TenantId tenant, const std::string& name) = 0;
  // Ordered by name, those after `after`.
  virtual Result<std::vector<JobType>> list_types(TenantId tenant, const std::string& after,
                                                  std::size_t limit) = 0;
  virtual Status delete_type(TenantId tenant, const std::string& name, const Author& author) = 0;

  // By tenant and name; of at most 20,000 live runs.
  virtual Result<std::vector<TypeLoad>> type_loads() = 0;
};

}  // namespace belfry::store
