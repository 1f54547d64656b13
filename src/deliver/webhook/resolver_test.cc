#include "deliver/webhook/resolver.h"

#include "tests/support/event.h"

#include <gtest/gtest.h>

namespace belfry::deliver {
namespace {

using test::Event;

TEST(ResolverTest, NamesThatNobodyAnswersDelayOnlyTheirTenant) {
  Event answered;
  Event silent;
  Event over;
  Resolver resolver(4, [&](const std::string& host) -> Resolver::Answer {
    if (host == "fine.example") return std::vector<IpAddress>{*IpAddress::parse("192.0.2.1")};
    over.wait();
    return fail(Errc::kUnavailable, "no answer");
  });
  for (int i = 0; i < 100; ++i) {
    resolver.resolve("silent-" + std::to_string(i) + ".example", TenantId(1),
                     [&](const Resolver::Answer&) { silent.happen(); });
  }
  resolver.resolve("fine.example", TenantId(2),
                   [&](const Resolver::Answer& answer) { answer ? answered.happen() : void(); });
  EXPECT_TRUE(answered.wait());
  EXPECT_EQ(silent.times(), 0);
  over.happen();
  EXPECT_TRUE(silent.wait(100));
}

TEST(ResolverTest, TheSameNameIsAskedOnce) {
  Event asked;
  Event go;
  Event answered;
  Resolver resolver(2, [&](const std::string&) -> Resolver::Answer {
    asked.happen();
    go.wait();
    return fail(Errc::kUnavailable, "no answer");
  });
  for (int i = 0; i < 3; ++i) {
    resolver.resolve("a.example", TenantId(1), [&](const auto&) { answered.happen(); });
  }
  go.happen();
  EXPECT_TRUE(answered.wait(3));
  EXPECT_EQ(asked.times(), 1);
}

}  // namespace
}  // namespace belfry::deliver
