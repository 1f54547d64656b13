#include "worker/command.h"

#include "worker/tryout.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace belfry::worker {
namespace {

using namespace std::chrono_literals;

class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    char name[] = "/tmp/belfry-command-XXXXXX";
    folder_ = mkdtemp(name);
    run_.task.timeout = 60s;
  }
  ~CommandTest() override { std::system(("rm -rf " + folder_).c_str()); }

  CommandEnd shell(const std::string& script, Duration grace = 10s) {
    const auto end = run_command({.arguments = {"/bin/sh", "-c", "cd " + folder_ + "; " + script},
                                  .environment = {"PATH=/usr/bin:/bin", "GIVEN=yes"},
                                  .input = "the input",
                                  .grace = grace},
                                 run_.context());
    EXPECT_TRUE(end) << to_string(end.error());
    return end.value_or(CommandEnd{});
  }
  // Cancels the run once the script has made this file.
  void cancel_when(const std::string& file) {
    run_.context();  // is made here, not by two threads at once
    canceller_ = std::jthread([this, file](const std::stop_token& over) {
      while (!std::ifstream(folder_ + "/" + file)) {
        if (over.stop_requested()) return;  // it never came
        poll(nullptr, 0, 5);
      }
      run_.context().cancel(CancelReason::kAsked);
    });
  }
  pid_t pid_in(const std::string& file) {
    pid_t pid = 0;
    std::ifstream(folder_ + "/" + file) >> pid;
    return pid;
  }
  static bool is_gone(pid_t pid) { return pid > 0 && kill(pid, 0) != 0; }

  std::string folder_;
  TryOut run_;
  std::jthread canceller_;
};

TEST_F(CommandTest, TellsTheExitCodeAndTheSignal) {
  EXPECT_EQ(shell("exit 3").exit_code, 3);
  EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV);
}

TEST_F(CommandTest, GetsItsInputAndEnvironmentAndNothingElse) {
  const int leak = open("/etc/passwd", O_RDONLY);  // without O_CLOEXEC
  // The last without a pipe, which would be one of the shell's descriptors for a moment.
  EXPECT_EQ(
      shell("cat; env | grep -v ^PWD | grep -v ^OLDPWD | sort; ls /proc/$$/fd; true").exit_code, 0);
  close(leak);
  EXPECT_EQ(run_.log(), "the inputGIVEN=yes\nPATH=/usr/bin:/bin\n0\n1\n2\n");
}

TEST_F(CommandTest, BothOutputsAreKeptInTheirOrder) {
  shell("echo one; echo two >&2; echo three");
  EXPECT_EQ(run_.log(), "one\ntwo\nthree\n");
}

TEST_F(CommandTest, AFloodIsCapped) {
  EXPECT_EQ(shell("head -c 100000000 /dev/zero; echo the end").exit_code, 0);
  const std::string log = run_.log();
  EXPECT_LE(log.size(), Context::kMostLog);
  EXPECT_TRUE(log.ends_with("the end\n"));
}

TEST_F(CommandTest, DoesNotWaitForAChildThatKeepsThePipeOpen) {
  EXPECT_EQ(shell("sleep 300 & echo $! > child; echo done").exit_code, 0);
  EXPECT_EQ(run_.log(), "done\n");
  EXPECT_TRUE(is_gone(pid_in("child")));
}

TEST_F(CommandTest, ADaemonDoesNotOutliveIt) {
  EXPECT_EQ(
      shell("setsid sh -c '(setsid sh -c \"echo \\$\\$ > daemon; touch up; exec sleep 300\" &)' ;"
            "while ! [ -e up ]; do sleep 0.01; done")
          .exit_code,
      0);
  EXPECT_TRUE(is_gone(pid_in("daemon")));
}

TEST_F(CommandTest, ACancelledOneIsToldFirst) {
  cancel_when("up");
  const CommandEnd end =
      shell("trap 'echo told; exit 0' TERM; touch up; while :; do sleep 0.01; done");
  EXPECT_TRUE(end.stopped);
  EXPECT_TRUE(run_.log().ends_with("told\n")) << run_.log();  // after the shell's own words
}

TEST_F(CommandTest, WhoIgnoresTermIsKilledWithAllItsChildren) {
  cancel_when("up");
  const CommandEnd end = shell(
      "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > child; touch up; while :; do sleep 0.1; "
      "done' & wait; "
      "while :; do sleep 0.1; done",
      100ms);
  EXPECT_TRUE(end.stopped);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_TRUE(is_gone(pid_in("child")));
}

TEST_F(CommandTest, IsStoppedBeforeItsDeadline) {
  run_.task.timeout = 3s;  // time enough for a shell to begin, also beside other work
  const CommandEnd end = shell("trap '' TERM; while :; do sleep 0.1; done");
  EXPECT_TRUE(end.stopped);
  EXPECT_EQ(end.signal, SIGKILL);
}

TEST_F(CommandTest, AProgramThatIsNotThereIsNamed) {
  const auto end = run_command({.arguments = {"/no/such/program"}}, run_.context());
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, Errc::kInvalid);
  EXPECT_NE(end.error().message.find("/no/such/program"), std::string::npos);
}

}  // namespace
}  // namespace belfry::worker
