// What a command may do to us, to its guard and to the machine.
#include "worker/closed_files.h"
#include "worker/command.h"
#include "worker/tryout.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

namespace belfry::worker {
namespace {

using namespace std::chrono_literals;

class ConfinementTest : public testing::Test {
 protected:
  ConfinementTest() {
    char name[] = "/tmp/belfry-confinement-XXXXXX";
    folder_ = mkdtemp(name);
    std::filesystem::permissions(folder_, std::filesystem::perms::all);
    run_.task.timeout = 60s;
  }
  ~ConfinementTest() override { std::filesystem::remove_all(folder_); }

  Result<CommandEnd> shell(const std::string& script, const Confinement& confinement) {
    return run_command({.arguments = {"/bin/sh", "-c", script},
                        .environment = {"PATH=/usr/bin:/bin", "F=" + folder_},
                        .input = "the input\n",
                        .confinement = confinement},
                       run_.context());
  }
  Confinement as_nobody() {
    const auto user = find_exec_user("");
    EXPECT_TRUE(user && user->is_other);
    return {.user = user.value_or(ExecUser{})};
  }
  // A daemon that kills its guard to be free.
  static constexpr const char* kEscape =
      "setsid sh -c 'echo $$ > $F/daemon; touch $F/up; exec sleep 300' &"
      "while ! [ -e $F/up ]; do sleep 0.01; done; kill -9 $PPID; sleep 300";
  bool daemon_is_gone() {
    pid_t pid = 0;
    std::ifstream(folder_ + "/daemon") >> pid;
    EXPECT_GT(pid, 0);
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state = "none";
    stat >> number >> name >> state;
    return state == "none" || state == "Z" || state == "X";  // dead, though init has yet to see it
  }

  std::string folder_;
  TryOut run_;
};

TEST_F(ConfinementTest, RootsCommandsAreNobodys) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  const std::string node = std::to_string(getpid());
  const auto end = shell(
      "id -un; id -Gn; pwd; umask; ulimit -c; grep NoNewPrivs /proc/self/status | tr -d '\\t';"
      "cat /dev/stdin; echo again > /dev/stdout; echo more > /dev/stderr;"
      "kill -0 $PPID 2>/dev/null || echo no signal to its guard;"
      "kill -0 " +
          node +
          " 2>/dev/null || echo no signal to us;"
          "cat /proc/" +
          node + "/environ 2>/dev/null || echo not read",
      as_nobody());
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_EQ(run_.log(),
            "nobody\nnogroup\n/\n0022\n0\nNoNewPrivs:1\nthe input\nagain\nmore\n"
            "no signal to its guard\nno signal to us\nnot read\n");
}

TEST_F(ConfinementTest, AnotherUserCannotFreeItselfFromItsGuard) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  run_.task.timeout = 3s;  // it goes on after its vain attempt
  const auto end = shell(kEscape, as_nobody());
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_TRUE(end->stopped);
  EXPECT_TRUE(daemon_is_gone());
}

TEST_F(ConfinementTest, WhoKillsItsGuardDiesAllTheSame) {
  const auto end = shell(kEscape, {});  // as ourselves: it may
  ASSERT_FALSE(end);
  EXPECT_NE(end.error().message.find("guard was killed"), std::string::npos);
  EXPECT_TRUE(daemon_is_gone());
}

TEST_F(ConfinementTest, AGroupEndsWithItsRun) {
  const auto home = find_group_home({});
  if (!home) GTEST_SKIP() << "no cgroup is delegated to us here";
  const auto count = [&] {
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(home->folder)) {
      const std::string own = "belfry-run-" + std::to_string(getpid()) + "-";
      if (entry.path().filename().string().starts_with(own)) ++found;
    }
    return found;
  };
  const auto killer = shell(kEscape, {.groups = home});
  EXPECT_FALSE(killer);
  EXPECT_TRUE(daemon_is_gone());
  EXPECT_EQ(count(), 0);
  const auto end = shell("grep -o belfry-run /proc/self/cgroup", {.groups = home});
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_EQ(run_.log(), "belfry-run\n");
  EXPECT_EQ(count(), 0);
}

TEST_F(ConfinementTest, MemoryIsLimited) {
  const ExecLimits limits{.memory = 256ULL << 20};
  const auto end = shell("head -c 400000000 /dev/zero | tail -c 399999999 > /dev/null",
                         {.limits = limits, .groups = find_group_home(limits)});
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_NE(end->exit_code, 0);
}

TEST_F(ConfinementTest, ProcessesAreLimited) {
  if (geteuid() != 0) GTEST_SKIP() << "beside other processes of our own the limit is of no use";
  Confinement confinement = as_nobody();
  confinement.limits.processes = 20;
  confinement.groups = find_group_home(confinement.limits);
  const auto end =
      shell("i=0; while [ $i -lt 40 ]; do sleep 300 & i=$((i+1)); done; echo all", confinement);
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_NE(end->exit_code, 0);
  EXPECT_EQ(run_.log().find("all"), std::string::npos);
}

TEST_F(ConfinementTest, ClosedFilesAreClosedAlsoToOurOwnUser) {
  const std::string closed = folder_ + "/closed";
  std::filesystem::create_directory(closed);
  std::ofstream(closed + "/secret") << "a secret\n";
  std::filesystem::create_directory(folder_ + "/open");
  const Confinement confinement{.closed = {closed}};
  const auto can = close_files(confinement.closed);
  const std::string why_not = can ? "" : can.error().message;
  if (why_not.starts_with("this kernel has no Landlock")) GTEST_SKIP() << why_not;
  ASSERT_TRUE(can) << why_not;
  const auto end = shell(
      "cd $F/open; cat $F/closed/secret; echo mine > $F/closed/secret; rm $F/closed/secret;"
      "ln $F/closed/secret own; mv $F/closed/secret own; mv $F/closed gone;"
      "sh -c 'cat $F/closed/secret'; echo ok > free; cat free",
      confinement);
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_EQ(end->exit_code, 0) << run_.log();
  EXPECT_EQ(run_.log().find("a secret"), std::string::npos);
  EXPECT_NE(run_.log().find("ok\n"), std::string::npos);
  std::ifstream file(closed + "/secret");
  std::string kept;
  std::getline(file, kept);
  EXPECT_EQ(kept, "a secret");
}

TEST_F(ConfinementTest, AUserThatIsNotThereIsRefused) {
  const auto user = find_exec_user("no-such-user");
  ASSERT_FALSE(user);
  EXPECT_EQ(user.error().field, "exec_user");
}

TEST_F(ConfinementTest, RootOnlyWhereThatIsSaid) {
  if (geteuid() != 0) GTEST_SKIP() << "we are not root";
  EXPECT_EQ(find_exec_user("")->name, "nobody");
  EXPECT_FALSE(find_exec_user("root")->is_other);
}

}  // namespace
}  // namespace belfry::worker
