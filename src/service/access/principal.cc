#include "service/access/principal.h"

namespace belfry::service {

bool allows(store::Scope scope, Access access) {
  using store::Scope;
  switch (access) {
    case Access::kPublic: return true;
    case Access::kRead: return scope != Scope::kWorker;
    case Access::kOperate: return scope == Scope::kOperator || scope == Scope::kAdmin;
    case Access::kWork: return scope != Scope::kViewer;
    case Access::kAdminister: break;
  }
  return scope == Scope::kAdmin;
}

std::string_view name_of(Access access) {
  switch (access) {
    case Access::kPublic: return "public";
    case Access::kRead: return "read";
    case Access::kOperate: return "operate";
    case Access::kWork: return "work";
    case Access::kAdminister: break;
  }
  return "administer";
}

}  // namespace belfry::service
