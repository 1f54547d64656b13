#include "store/postgres/postgres_store.h"

#include "base/real_clock.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"
#include "store/postgres/ticks/decide.h"
#include "store/postgres/wire/migrate.h"

#include <utility>

namespace belfry::store {
namespace postgres {
namespace {

constexpr int kLoadConnections = 2;

Connection::Options connection_options(const PostgresOptions& options,
                                       std::shared_ptr<Hosts> hosts) {
  return {.url = options.url,
          .statement_timeout = options.call_deadline,
          .prepare = options.prepare != PostgresOptions::Prepare::kOff,
          .hosts = std::move(hosts)};
}

// Planning `decide` takes longer than most decisions: the first tick would wait for it.
Connection::Options decision_options(const PostgresOptions& options, std::shared_ptr<Hosts> hosts) {
  Connection::Options decisions = connection_options(options, std::move(hosts));
  decisions.rehearsal = {kDecide, decide_params({}, Incarnation(), DecideMode::kAdvance, {})};
  return decisions;
}

// Looks at the database before anything is done with it: whether it can hold our texts, and, unless
// that was said, whether a pooler is in between. A pooler hands out session numbers of its own.
Result<PostgresOptions> looked_at(PostgresOptions options) {
  const RealClock clock;
  Connection connection({.url = options.url, .prepare = false}, clock);
  const BootInstant deadline = clock.boot_now() + options.call_deadline;
  BELFRY_CHECK(connection.open(deadline));
  BELFRY_TRY(reply, connection.run(kLookAtDatabase, {}, Effect::kNone, deadline));
  Row row = reply.row(0);
  const std::string encoding = row.text();
  const bool pooled = row.number() != connection.session_number();
  if (encoding != "UTF8") {
    return fail({.code = Errc::kInvalid,
                 .message = "the encoding of the database is " + encoding + ", and not UTF8",
                 .field = "store",
                 .hint = "make another one: createdb --encoding=UTF8 --template=template0 NAME"});
  }
  using Prepare = PostgresOptions::Prepare;
  if (options.prepare == Prepare::kAuto) options.prepare = pooled ? Prepare::kOff : Prepare::kOn;
  return options;
}

}  // namespace

PostgresStore::PostgresStore(PostgresOptions options)
    : options_(std::move(options)),
      hosts_(std::make_shared<Hosts>(options_.url)),
      database_(connection_options(options_, hosts_), options_.pool_size, options_.call_deadline,
                clock_),
      ownership_(connection_options(options_, hosts_), 1, options_.call_deadline, clock_),
      decisions_(decision_options(options_, hosts_), 1, options_.call_deadline, clock_),
      loads_(connection_options(options_, hosts_), kLoadConnections, options_.call_deadline,
             clock_),
      hints_(connection_options(options_, hosts_), options_.call_deadline, clock_,
             options_.prepare != PostgresOptions::Prepare::kOff, options_.hints) {}

Status PostgresStore::prepare() {
  BELFRY_CHECK(migrate(database_));
  BELFRY_CHECK(seed(database_, now()));
  // Somebody who reads history for long may keep its tables locked. That is no reason to stay down:
  // until the next chores, the default partition takes the rows of a day that has none of its own.
  const auto made = database_.write(kMakeHistory, Params().instant(now()));
  if (!made && made.error().code != Errc::kUnavailable) return fail(made.error());
  return {};
}

}  // namespace postgres

Result<std::unique_ptr<Store>> open_postgres(PostgresOptions options) {
  BELFRY_TRY(known, postgres::looked_at(std::move(options)));
  auto store = std::make_unique<postgres::PostgresStore>(std::move(known));
  BELFRY_CHECK(store->prepare());
  return store;
}

Result<std::vector<std::string>> pending_postgres(PostgresOptions options) {
  BELFRY_TRY(known, postgres::looked_at(std::move(options)));
  const RealClock clock;
  postgres::Database database(postgres::connection_options(known, nullptr), 1, known.call_deadline,
                              clock);
  return postgres::pending_migrations(database);
}

}  // namespace belfry::store
