// expect: ignoring returned value.*Werror=unused-result
#include "base/result.h"

namespace belfry {

Status save_jobs();

void use() {
  save_jobs();
}

}  // namespace belfry
