#pragma once

#include "base/real_clock.h"
#include "bench/must.h"
#include "core/book/run_book.h"
#include "store/postgres/wire/connection.h"
#include "store/store.h"
#include "tests/support/postgres_server.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace belfry::bench {

// A PostgreSQL of our own, as durable as in production, full of definitions and history, and a node
// that owns all partitions.
class World {
 public:
  struct Size {
    std::uint64_t jobs = 0;
    std::uint64_t history = 0;
  };
  // `script` makes the rows.
  World(const std::string& script, Size size);

  store::Store& store() { return *store_; }
  const store::OwnershipStore::Node& node() const { return node_; }
  const Size& size() const { return size_; }

  // A session of the caller's own, set up like those of the store.
  std::unique_ptr<store::postgres::Connection> connect() const;
  BootInstant deadline() const;
  store::postgres::Reply sql(const std::string& statement);

  // Decides one tick of the next `runs` jobs, a few hundred in each partition, as when many jobs
  // are due at one instant. No job comes twice before all have had a turn.
  store::DecideResult decide(std::size_t runs);

  std::vector<store::ClaimedRun> claim(std::size_t most);

  // Processor time of the server's processes so far, without those that have ended.
  Duration server_time() const;
  BootInstant now() const { return clock_.boot_now(); }

 private:
  JobId job(std::size_t slice, std::uint64_t index) const;
  store::PartitionDecision next_decision(std::size_t slice, std::size_t runs, Instant at);
  void load(const std::string& script);
  void own_everything();
  void read_book();

  struct Slice {
    store::OwnedPartition owned;
    std::uint64_t next_job = 0;
  };

  RealClock clock_;
  Size size_;
  store::OwnershipStore::Node node_;
  test::PostgresServer server_;
  std::string url_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::postgres::Connection> own_;
  std::array<Slice, 256> slices_;
  std::size_t next_slice_ = 0;
  core::RunBook book_;  // what claim() hands out
};

}  // namespace belfry::bench
