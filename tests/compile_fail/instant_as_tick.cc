// expect: could not convert .*Instant
#include "base/time.h"

namespace belfry {

void take_tick(Tick);

void use(Instant now) {
  take_tick(now);
}

}  // namespace belfry
