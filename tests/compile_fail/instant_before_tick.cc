// expect: no match for .operator<
#include "base/time.h"

namespace belfry {

bool use(Instant now, Tick tick) {
  return now < tick;
}

}  // namespace belfry
