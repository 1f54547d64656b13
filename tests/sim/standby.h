#pragma once

#include "base/time.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <string>

struct sqlite3;

namespace belfry::sim {

// A copy of the database that lags behind, and takes over: what was committed since it was taken is
// gone. As where PostgreSQL replicates without waiting and its primary is lost.
class Standby {
 public:
  // Of the database in memory of that name.
  explicit Standby(const std::string& uri);

  void catch_up();

  // The copy becomes the database, on a timeline of its own. PostgreSQL's statements see the new
  // timeline and take no epoch of an older one for an ownership, nor give out a fence below it;
  // here the rows are changed accordingly, unless one of the two is to be left out.
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
