#include "store/postgres/wire/database.h"

#include "store/postgres/sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace belfry::store::postgres {
template <typename Call>
auto Database::repeated(const Call& call)
    -> decltype(call(std::declval<Connection&>(), BootInstant())) {
  const BootInstant deadline = clock_.boot_now() + call_deadline_;
  BELFRY_TRY(lease, pool_.take(deadline));
  auto result = call(*lease, deadline);
  for (int i = 1; i < kTries && !result && lease->was_contention(); ++i) {
    result = call(*lease, deadline);
  }
  return result;
}

Result<Reply> Database::run(std::string_view sql, const Params& params, Effect effect) {
  return repeated([&](Connection& connection, BootInstant deadline) {
    return connection.run(sql, params, effect, deadline);
  });
}

Result<std::vector<Reply>> Database::write_together(std::span<const Statement> statements) {
  return repeated([&](Connection& connection, BootInstant deadline) {
    return connection.run_together(statements, deadline);
  });
}

Status Database::transaction(const Body& body, Duration longest) {
  const BootInstant deadline = clock_.boot_now() + longest;
  BELFRY_TRY(lease, pool_.take(deadline));
  Ending ending = transaction_once(*lease, body, deadline);
  for (int i = 1; i < kTries && ending.contention; ++i) {
    ending = transaction_once(*lease, body, deadline);
  }
  return ending.status;
}

Database::Ending Database::transaction_once(Connection& connection, const Body& body,
                                            BootInstant deadline) {
  Status filled = fill(connection, body, deadline);
  if (!filled) {
    const bool contention = connection.was_contention();
    // Closing rolls back as well, but a connection is worth keeping.
    if (!connection.run_script(kRollback, Effect::kNone, deadline)) connection.close();
    return {std::move(filled), contention};
  }
  const auto reply = connection.run_script(kCommit, Effect::kCommits, deadline);
  if (!reply) return {fail(reply.error()), connection.was_contention()};
  if (reply->command() != "COMMIT") return {fail(Errc::kInternal, "the transaction had failed")};
  return {};
}

Status Database::fill(Connection& connection, const Body& body, BootInstant deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.boot_now());
  const std::string begin = fmt::format(fmt::runtime(kBegin), std::max(left.count(), 1L));
  BELFRY_TRY(begun, connection.run_script(begin, Effect::kNone, deadline));
  Transaction transaction(connection, deadline);
  return body(transaction);
}

}  // namespace belfry::store::postgres
