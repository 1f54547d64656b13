#include "server/file_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace belfry::server {

void raise_file_limit() {
  constexpr rlim_t kWanted = 16'384;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kWanted) return;
  limit.rlim_cur = std::min(limit.rlim_max, kWanted);
  setrlimit(RLIMIT_NOFILE, &limit);  // if not, the doctor says so
}

}  // namespace belfry::server
