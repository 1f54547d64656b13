// expect: throw "a log name consists of
#include "base/log/log_field.h"

namespace belfry {

Field use() {
  return Field("a\nb", 1);
}

}  // namespace belfry
