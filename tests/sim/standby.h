#pragma once

#include "base/time.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <string>

struct sqlite3;

namespace belfry::sim {

// A copy of the database that lags behind and takes over: what was committed since the copy is
// gone, as when PostgreSQL replicates without waiting and loses its primary.
class Standby {
 public:
  // Copies the database in memory of that name.
  explicit Standby(const std::string& uri);

  void catch_up();

  // The copy becomes the database, on a new timeline. PostgreSQL's statements see the new timeline;
  // they accept no epoch of an older one as an ownership, and grant no fence below it. Here the
  // rows are changed to match, unless one of the two is left out.
  struct Left {
    bool epochs = false;
    bool fences = false;
  };
  void promote(Left out);

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  using Connection = std::unique_ptr<sqlite3, Close>;

  static Connection open(const std::string& uri);
  static void copy(sqlite3* from, sqlite3* to);

  Connection live_;
  Connection copy_;
};

// What a world is built on: the store under test, and its standby where there is one.
struct Database {
  std::unique_ptr<store::Store> store;
  std::unique_ptr<Standby> standby;
};

// In memory, with the given clock. Changes of jobs settle what was due before them, unless somebody
// has sabotaged that.
struct DatabasePlan {
  bool with_standby = false;
  bool settles = true;
};
Database open_database(std::function<Instant()> now, DatabasePlan plan);

}  // namespace belfry::sim
