#include "worker/exec_environment.h"

#include <gtest/gtest.h>

namespace belfry::worker {
namespace {

const ExecUser kUser{.name = "ann", .home = "/users/ann", .shell = "/bin/bash", .is_other = true};

TEST(ExecEnvironmentTest, HasWhoTheUserIsAndWhatEverybodyMayKnow) {
  const auto fresh = fresh_environment(
      {"PATH=/bin", "HOME=/users/root", "USER=root", "LC_ALL=C", "TZ=UTC", "TMPDIR=/users/tmp",
       "PGPASSWORD=x", "AWS_SECRET_ACCESS_KEY=x", "DATABASE_URL=x", "BELFRY_TOKEN=x", "OTHER=x"},
      kUser, {});
  ASSERT_TRUE(fresh) << to_string(fresh.error());
  EXPECT_EQ(*fresh,
            (std::vector<std::string>{"HOME=/users/ann", "USER=ann", "LOGNAME=ann",
                                      "SHELL=/bin/bash", "PATH=/bin", "LC_ALL=C", "TZ=UTC"}));
}

TEST(ExecEnvironmentTest, PassesOnWhatIsNamed) {
  const auto fresh = fresh_environment({"ONE=1", "TWO=2", "HOME=/srv"}, kUser, {"TWO", "HOME"});
  ASSERT_TRUE(fresh) << to_string(fresh.error());
  EXPECT_EQ(*fresh, (std::vector<std::string>{"USER=ann", "LOGNAME=ann", "SHELL=/bin/bash", "TWO=2",
                                              "HOME=/srv"}));
}

TEST(ExecEnvironmentTest, NeverPassesOnSecretsOfServers) {
  for (const char* name : {"PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "BELFRY_TOKEN",
                           "BELFRY_STORE", "", "A=B", "A B"}) {
    const auto fresh = fresh_environment({}, kUser, {name});
    ASSERT_FALSE(fresh) << name;
    EXPECT_EQ(fresh.error().field, "exec_env");
  }
}

}  // namespace
}  // namespace belfry::worker
