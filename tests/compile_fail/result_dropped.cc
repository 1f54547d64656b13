// expect: ignoring returned value.*Werror=unused-result
#include "base/result.h"

namespace belfry {

Result<int> count_jobs();

void use() {
  count_jobs();
}

}  // namespace belfry
