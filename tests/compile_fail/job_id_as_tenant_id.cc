// expect: could not convert .*JobId
#include "base/ids.h"

namespace belfry {

void take_tenant(TenantId);

void use(JobId job) {
  take_tenant(job);
}

}  // namespace belfry
