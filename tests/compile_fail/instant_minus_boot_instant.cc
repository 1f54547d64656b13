// expect: no match for .operator-
#include "base/time.h"

namespace belfry {

Duration use(Instant now, BootInstant start) {
  return now - start;
}

}  // namespace belfry
