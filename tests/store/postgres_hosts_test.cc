#include "store/postgres/wire/hosts.h"
#include "tests/store/postgres_fixture.h"
#include "tests/support/fake_server.h"

// Addresses that name several servers, of which one is the primary and others may be anything.
namespace belfry::store {
namespace {

using postgres::Hosts;

class PostgresHostsTest : public PostgresTest {
 protected:
  // The database's address, with another server before its own.
  std::string url_behind(const std::string& other, const std::string& query) const {
    const std::size_t at = url_.find('@') + 1;
    return url_.substr(0, at) + other + "," + url_.substr(at) + query;
  }
};

TEST(HostsTest, AreThoseOfTheAddress) {
  const Hosts hosts("postgres://u@a:1,b,c:3/d");
  ASSERT_EQ(hosts.size(), 3U);
  EXPECT_EQ(hosts.at(0).name, "a");
  EXPECT_EQ(hosts.at(0).port, "1");
  EXPECT_EQ(hosts.at(1).name, "b");
  EXPECT_EQ(hosts.at(1).port, "5432");
  EXPECT_EQ(hosts.at(2).port, "3");
  const Hosts pairs("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=7");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs.at(1).address, "10.0.0.2");
  EXPECT_EQ(pairs.at(1).port, "7");
}

TEST(HostsTest, WithoutAnyLibpqKnows) {
  for (const char* address : {"postgres:///d", "dbname=d", "postgres://[", ""}) {
    const Hosts hosts(address);
    ASSERT_EQ(hosts.size(), 1U) << address;
    EXPECT_EQ(hosts.at(0).name + hosts.at(0).address + hosts.at(0).port, "");
    EXPECT_FALSE(hosts.patience());
  }
}

TEST(HostsTest, EachOfSeveralHasATimeToGreet) {
  EXPECT_EQ(Hosts("postgres://a,b/d").patience(), seconds(2));
  EXPECT_EQ(Hosts("postgres://a,b/d?connect_timeout=7").patience(), seconds(7));
  EXPECT_EQ(Hosts("postgres://a/d?connect_timeout=7").patience(), seconds(7));
  EXPECT_FALSE(Hosts("postgres://a,b/d?connect_timeout=0").patience());
  EXPECT_FALSE(Hosts("postgres://a/d").patience());
}

TEST_F(PostgresHostsTest, OneThatSaysNothingHoldsUpNobody) {
  const test::FakeServer silent("", [](const std::string&) { return std::string(); });
  PostgresOptions several = options();
  several.url = url_behind(silent.address(), "?connect_timeout=1");
  const auto store = open(several);
  EXPECT_EQ(must(store->clock()), kStart);
}

TEST_F(PostgresHostsTest, OneThatRefusesIsPassedOver) {
  PostgresOptions several = options();
  several.url = url_behind("127.0.0.1:1", "?target_session_attrs=read-write");
  const auto store = open(several);
  must(store->put_tenant({.name = "t"}));
}

}  // namespace
}  // namespace belfry::store
