// expect: no matching function for call to .*Field
#include "base/log/log_field.h"

namespace belfry {

Field use(const char* input) {
  return Field(input, 1);
}

}  // namespace belfry
