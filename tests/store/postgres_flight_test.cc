#include "tests/store/postgres_fixture.h"

// Statements that are sent together: one transaction, one round trip.
namespace belfry::store {
namespace {

using postgres::Params;
using postgres::Statement;

// With plans kept on the server, and without, as behind a pooler.
class PostgresFlightTest : public PostgresTest, public testing::WithParamInterface<bool> {
 protected:
  PostgresFlightTest()
      : connection_({.url = url_, .statement_timeout = test::kPatience, .prepare = GetParam()},
                    time_) {
    sql("create table things (id bigint unique deferrable initially immediate)");
    sql("create table late_things (id bigint unique deferrable initially deferred)");
    must(connection_.open(deadline()));
  }

  BootInstant deadline() { return time_.boot_now() + test::kPatience; }
  Result<std::vector<postgres::Reply>> fly(const std::vector<Statement>& statements) {
    return connection_.run_together(statements, deadline());
  }
  static Statement add(std::int64_t id) {
    return {"insert into things (id) values ($1::bigint) returning id", Params().bigint(id)};
  }
  static Statement add_late(std::int64_t id) {
    return {"insert into late_things (id) values ($1::bigint)", Params().bigint(id)};
  }
  std::int64_t things() { return sql("select count(*) from things"); }

  RealClock time_;
  postgres::Connection connection_;
};

TEST_P(PostgresFlightTest, EachStatementHasItsAnswer) {
  const auto replies = must(fly({add(1), add_late(1), add(2)}));
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_EQ(replies[0].row(0).number(), 1);
  EXPECT_TRUE(replies[1].empty());
  EXPECT_EQ(replies[2].row(0).number(), 2);
  EXPECT_EQ(things(), 2);
}

TEST_P(PostgresFlightTest, OneThatIsRefusedUndoesAll) {
  must(fly({add(1)}));
  EXPECT_EQ(code_of(fly({add(2), add(1), add(3)})), Errc::kConflict);
  EXPECT_EQ(things(), 1);
  EXPECT_TRUE(connection_.is_idle());
  must(fly({add(2)}));
  EXPECT_EQ(things(), 2);
}

TEST_P(PostgresFlightTest, ARefusedCommitUndoesAll) {
  EXPECT_EQ(code_of(fly({add(1), add_late(7), add_late(7)})), Errc::kConflict);
  EXPECT_EQ(things(), 0);
  must(fly({add(1), add_late(7)}));
  EXPECT_EQ(things(), 1);
}

TEST_P(PostgresFlightTest, AnAnswerThatDoesNotComeLeavesTheOutcomeOpen) {
  const Statement goodbye{"select pg_terminate_backend(pg_backend_pid())", Params()};
  EXPECT_EQ(code_of(fly({add(1), goodbye, add(2)})), Errc::kUnknownOutcome);
  EXPECT_EQ(things(), 0);
  must(connection_.open(deadline()));
  must(fly({add(1)}));
  EXPECT_EQ(things(), 1);
}

INSTANTIATE_TEST_SUITE_P(Sessions, PostgresFlightTest, testing::Bool());

}  // namespace
}  // namespace belfry::store
