// expect: could not convert .7
#include "base/ids.h"

namespace belfry {

void take_job(JobId);

void use() {
  take_job(7);
}

}  // namespace belfry
