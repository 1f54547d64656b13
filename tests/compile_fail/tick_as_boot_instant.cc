// expect: could not convert .*Tick
#include "base/time.h"

namespace belfry {

void take_boot(BootInstant);

void use(Tick tick) {
  take_boot(tick);
}

}  // namespace belfry
