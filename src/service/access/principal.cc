#include "service/access/principal.h"

namespace belfry::service {

bool allows(store::Scope scope, Access access) {
  using store::Scope;
  if (scope == Scope::kRoot) return true;
  switch (access) {
    case Access::kPublic: return true;
    case Access::kRead: return scope != Scope::kWorker && scope != Scope::kMetrics;
    case Access::kOperate: return scope == Scope::kOperator || scope == Scope::kAdmin;
    case Access::kWork: return scope != Scope::kViewer && scope != Scope::kMetrics;
    case Access::kAdminister: return scope == Scope::kAdmin;
    case Access::kMetrics: return scope == Scope::kMetrics;
    case Access::kRoot: break;
  }
  return false;
}

std::string_view name_of(Access access) {
  switch (access) {
    case Access::kPublic: return "public";
    case Access::kRead: return "read";
    case Access::kOperate: return "operate";
    case Access::kWork: return "work";
    case Access::kAdminister: return "administer";
    case Access::kMetrics: return "metrics";
    case Access::kRoot: break;
  }
  return "root";
}

}  // namespace belfry::service
