#pragma once

#include "base/condition.h"
#include "base/mutex.h"
#include "store/postgres/wire/connection.h"

#include <memory>
#include <utility>
#include <vector>

namespace belfry::store::postgres {

// A fixed number of connections, opened when first needed. Thread-safe.
class Pool {
 public:
  // The clock must outlive the pool.
  Pool(const Connection::Options& options, int size, const Clock& clock);

  // A connection for one caller; goes back by itself.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    Connection* operator->() const { return connection_.get(); }
    Connection& operator*() const { return *connection_; }

   private:
    Pool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  // An open connection; kUnavailable when none is free, or opens, before the deadline.
  Result<Lease> take(BootInstant deadline);

 private:
  Result<std::unique_ptr<Connection>> take_closed(BootInstant deadline);
  void put_back(std::unique_ptr<Connection> connection);

  const Clock& clock_;
  Mutex mutex_;
  Condition freed_;
  std::vector<std::unique_ptr<Connection>> free_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::store::postgres
