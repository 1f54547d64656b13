#include "bench/plans/world.h"

#include "store/postgres/postgres_store.h"
#include "tests/support/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace belfry::bench {
namespace {

namespace postgres = store::postgres;

constexpr std::size_t kRunsOfPartition = 200;
constexpr Duration kPatience = std::chrono::hours(1);

// The serial numbers of a slice's jobs are its remainder plus multiples of 256; see load.sql.
std::uint64_t remainder_of(std::size_t slice) {
  std::uint64_t serial = 0;
  while ((serial * 167 & 255U) != slice) ++serial;
  return serial;
}

}  // namespace

World::World(const std::string& script, Size size)
    : size_(size),
      node_{Incarnation({1, 1}), "bench", RegionNo(0)},
      // Durable as in production: the test server turns full_page_writes off, a measurement
      // must not.
      server_({"shared_buffers=1GB", "max_wal_size=4GB", "full_page_writes=on"}),
      url_(server_.fresh_database()),
      store_(must(store::open_postgres({.url = url_}))),
      own_(connect()) {
  load(script);
  own_everything();
}

void World::load(const std::string& script) {
  const std::string text = test::read_file(script);
  if (text.empty()) must(Status(fail(Errc::kInvalid, "cannot read " + script)));
  sql("alter system set fsync = off");  // only while loading
  sql("select pg_reload_conf()");
  must(own_->run_script(
      fmt::format("set statement_timeout = 0; set load.jobs = {}; set load.history = {}; {}",
                  size_.jobs, size_.history, text),
      postgres::Effect::kCommits, deadline()));
  own_ = connect();
  sql("vacuum analyze");
  sql("checkpoint");
  sql("alter system reset fsync");
  sql("select pg_reload_conf()");
}

void World::own_everything() {
  must(store_->renew(node_, std::chrono::hours(24)));
  for (const store::OwnedPartition& owned : must(store_->acquire(node_, 256))) {
    slices_.at(owned.partition.value()).owned = owned;
  }
}

std::unique_ptr<postgres::Connection> World::connect() const {
  auto connection = std::make_unique<postgres::Connection>(
      postgres::Connection::Options{.url = url_, .statement_timeout = kPatience}, clock_);
  must(connection->open(deadline()));
  return connection;
}

BootInstant World::deadline() const {
  return clock_.boot_now() + kPatience;
}

postgres::Reply World::sql(const std::string& statement) {
  return must(own_->run_script(statement, postgres::Effect::kCommits, deadline()));
}

JobId World::job(std::size_t slice, std::uint64_t index) const {
  const std::uint64_t jobs = size_.jobs / 256 - 1;
  // A prime stride: neighbours in time are not neighbours on disk.
  const std::uint64_t serial = remainder_of(slice) + 256 * (index * 7919 % jobs) + 256;
  return JobId(serial << 16 | slice);
}

store::PartitionDecision World::next_decision(std::size_t slice, std::size_t runs, Instant at) {
  Slice& from = slices_.at(slice);
  store::PartitionDecision decision{.partition = from.owned.partition,
                                    .epoch = from.owned.epoch,
                                    .version = from.owned.version,
                                    .from = from.owned.decided_through,
                                    .to = at};
  for (std::size_t i = 0; i < runs; ++i) {
    decision.decisions.runs.push_back({.job = job(slice, from.next_job++), .tick = Tick(at)});
  }
  from.owned.decided_through = at;
  return decision;
}

store::DecideResult World::decide(std::size_t runs) {
  const Instant at = must(store_->clock());
  std::vector<store::PartitionDecision> decisions;
  while (runs > 0) {
    const std::size_t part = std::min(runs, kRunsOfPartition);
    decisions.push_back(next_decision(next_slice_, part, at));
    next_slice_ = (next_slice_ + 1) % slices_.size();
    runs -= part;
  }
  store::DecideResult decided = must(store_->decide(node_.incarnation, decisions));
  for (const core::LiveRun& run : decided.runs) book_.put(run);
  return decided;
}

std::vector<store::ClaimedRun> World::claim(std::size_t most) {
  if (book_.size() == 0) read_book();
  const std::vector<std::string> queues{"default"};
  store::GrantRequest request{.takers = {{.worker = "w"}}};
  for (const auto& run : book_.pick({.queues = queues, .most = most}, must(store_->clock()))) {
    request.runs.push_back({.run = run.run, .tenant = run.tenant});
    book_.remove(run.run);
  }
  return must(store_->grant(request));
}

void World::read_book() {
  std::vector<PartitionNo> all;
  for (int i = 0; i < kPartitionCount; ++i) all.emplace_back(static_cast<std::uint16_t>(i));
  for (const PartitionNo partition : all) book_.open(partition);
  for (const core::LiveRun& run : must(store_->read_live(all))) book_.put(run);
}

Duration World::server_time() const {
  std::int64_t nanos = 0;
  for (const pid_t process : server_.processes()) {
    std::int64_t own = 0;
    std::istringstream(test::read_file(fmt::format("/proc/{}/schedstat", process))) >> own;
    nanos += own;
  }
  return std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(nanos));
}

}  // namespace belfry::bench
