#include "base/log/log.h"

#include "base/manual_clock.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace belfry {
namespace {

constexpr Instant kNow = Instant::from_micros(1'772'953'200'123'456);

// Keeps the lines in memory.
class LogTest : public testing::Test {
 protected:
  Logger logger(LogOptions options = {}) {
    return Logger(clock_, [this](std::string_view line) { lines_.emplace_back(line); }, options);
  }
  Logger json_logger() { return logger({.format = LogFormat::kJson}); }

  ManualClock clock_{kNow};
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

TEST_F(LogTest, WritesTimeLevelEventAndFields) {
  const std::string node = "bell-1";
  logger().info("node_started", {{"node", node}, {"partitions", 256}, {"note", "two words"}});
  EXPECT_EQ(lines_, Lines{"2026-03-08T07:00:00.123456Z INFO node_started "
                          "node=bell-1 partitions=256 note=\"two words\"\n"});
}

TEST_F(LogTest, WritesJson) {
  json_logger().warn("node_slow", {{"node", "a\"b"}, {"lag", std::chrono::milliseconds(1'500)}});
  EXPECT_EQ(lines_, Lines{R"({"ts":"2026-03-08T07:00:00.123456Z","level":"warn",)"
                          R"("event":"node_slow","node":"a\"b","lag":1.5})"
                          "\n"});
}

TEST_F(LogTest, AnEventNeedsNoFields) {
  logger().error("gone");
  json_logger().error("gone");
  EXPECT_EQ(lines_, (Lines{"2026-03-08T07:00:00.123456Z ERROR gone\n",
                           "{\"ts\":\"2026-03-08T07:00:00.123456Z\",\"level\":\"error\","
                           "\"event\":\"gone\"}\n"}));
}

TEST_F(LogTest, FieldsOfEveryType) {
  const std::initializer_list<Field> fields = {
      {"int", -1},
      {"huge", std::numeric_limits<std::uint64_t>::max()},
      {"byte", std::uint8_t{7}},
      {"real", 0.25},
      {"nan", std::numeric_limits<double>::quiet_NaN()},
      {"yes", true},
      {"at", from_unix_seconds(0)},
      {"lag", Duration(-1'250'000)},
      {"tiny", Duration(1)},
      {"whole", std::chrono::seconds(100)},
      {"none", Duration::zero()},
      {"least", Duration::min()},
      {"text", static_cast<const char*>("literal")},
  };
  logger().info("all", fields);
  json_logger().info("all", fields);
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_EQ(lines_[0],
            "2026-03-08T07:00:00.123456Z INFO all int=-1 huge=18446744073709551615 byte=7 "
            "real=0.25 nan=nan yes=true at=1970-01-01T00:00:00Z lag=-1.25s tiny=0.000001s "
            "whole=100s none=0s least=-9223372036854.775808s text=literal\n");
  EXPECT_EQ(lines_[1],
            R"({"ts":"2026-03-08T07:00:00.123456Z","level":"info","event":"all","int":-1,)"
            R"("huge":18446744073709551615,"byte":7,"real":0.25,"nan":"nan","yes":true,)"
            R"("at":"1970-01-01T00:00:00Z","lag":-1.25,"tiny":0.000001,"whole":100,"none":0,)"
            R"("least":-9223372036854.775808,"text":"literal"})"
            "\n");
}

TEST_F(LogTest, LeavesOutWhatIsBelowTheLeastLevel) {
  Logger log = logger({.least = LogLevel::kWarn});
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_NE(lines_[0].find(" WARN c"), std::string::npos);
  EXPECT_NE(lines_[1].find(" ERROR d"), std::string::npos);
}

TEST_F(LogTest, LeavesOutDebugUnlessAsked) {
  logger().debug("a");
  logger({.least = LogLevel::kDebug}).debug("b");
  EXPECT_EQ(lines_, Lines{"2026-03-08T07:00:00.123456Z DEBUG b\n"});
}

TEST_F(LogTest, NoValueCanForgeALineOrAField) {
  const std::string evil = "x\" admin=true\r\n2026-03-08T07:00:00Z ERROR forged\n";
  logger().info("seen", {{"value", evil}});
  EXPECT_EQ(lines_, Lines{"2026-03-08T07:00:00.123456Z INFO seen value=\"x\\\" admin=true\\r\\n"
                          "2026-03-08T07:00:00Z ERROR forged\\n\"\n"});
  json_logger().info("seen", {{"value", "\",\"level\":\"error\"\n"}});
  EXPECT_EQ(lines_.back().find('\n'), lines_.back().size() - 1);
  EXPECT_NE(lines_.back().find(R"("value":"\",\"level\":\"error\"\n"})"), std::string::npos);
}

TEST_F(LogTest, LinesOfManyThreadsStayWhole) {
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  Logger log = logger();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&log, t] {
      for (int i = 0; i < kEach; ++i) log.info("tick", {{"thread", t}, {"i", i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(lines_.size(), static_cast<std::size_t>(kThreads * kEach));
  std::array<int, kThreads> next{};
  for (const std::string& line : lines_) {
    const auto thread = static_cast<std::size_t>(line.at(line.find("thread=") + 7) - '0');
    EXPECT_EQ(line, "2026-03-08T07:00:00.123456Z INFO tick thread=" + std::to_string(thread) +
                        " i=" + std::to_string(next.at(thread)++) + "\n");
  }
}

// On a datagram socket each write is one message.
TEST(StderrSinkTest, WritesEachLineAtOnce) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends.data()), 0);
  const int saved = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  const ManualClock clock(kNow);
  Logger log(clock, stderr_sink());
  log.info("one");
  log.info("two", {{"pad", std::string(2'000, 'x')}});
  ::dup2(saved, STDERR_FILENO);
  ::close(saved);

  std::array<char, 4'096> buffer{};
  const auto receive = [&] {
    const ssize_t got = ::recv(ends[0], buffer.data(), buffer.size(), MSG_DONTWAIT);
    return got < 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(got));
  };
  EXPECT_EQ(receive(), "2026-03-08T07:00:00.123456Z INFO one\n");
  EXPECT_EQ(receive(),
            "2026-03-08T07:00:00.123456Z INFO two pad=" + std::string(2'000, 'x') + "\n");
  EXPECT_EQ(receive(), "");
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace belfry
