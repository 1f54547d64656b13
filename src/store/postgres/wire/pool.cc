#include "store/postgres/wire/pool.h"

#include <algorithm>

namespace belfry::store::postgres {

Pool::Pool(const Connection::Options& options, int size, const Clock& clock) : clock_(clock) {
  for (int i = 0; i < std::max(size, 1); ++i) {
    free_.push_back(std::make_unique<Connection>(options, clock));
  }
}

Pool::Lease::~Lease() {
  if (connection_) pool_->put_back(std::move(connection_));
}

Result<std::unique_ptr<Connection>> Pool::take_closed(BootInstant deadline) {
  MutexLock lock(mutex_);
  while (free_.empty()) {
    const Duration left = deadline - clock_.boot_now();
    if (left <= Duration(0)) {
      return fail(Errc::kUnavailable, "all connections to the database are in use");
    }
    freed_.wait_for(mutex_, left);
  }
  // The one used last is the likeliest to be open, and to have its plans.
  auto connection = std::move(free_.back());
  free_.pop_back();
  return connection;
}

Result<Pool::Lease> Pool::take(BootInstant deadline) {
  BELFRY_TRY(connection, take_closed(deadline));
  Lease lease(*this, std::move(connection));
  BELFRY_CHECK(lease->open(deadline));
  return lease;
}

void Pool::put_back(std::unique_ptr<Connection> connection) {
  if (!connection->is_idle()) connection->close();
  {
    MutexLock lock(mutex_);
    free_.push_back(std::move(connection));
  }
  freed_.notify_one();
}

}  // namespace belfry::store::postgres
