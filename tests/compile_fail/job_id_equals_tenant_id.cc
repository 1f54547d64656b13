// expect: no match for .operator==
#include "base/ids.h"

namespace belfry {

bool use(JobId job, TenantId tenant) {
  return job == tenant;
}

}  // namespace belfry
