#include "archive/day_file.h"
#include "archive/day_reader.h"
#include "archive/day_writer.h"
#include "archive/past_runs.h"
#include "base/text/instant_text.h"
#include "tests/support/folder.h"
#include "tests/support/must.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

namespace belfry::archive {
namespace {

using test::code_of;
using test::must;

constexpr std::chrono::sys_days kDay{std::chrono::year(2026) / 8 / 20};

std::string line_of(const std::string& id, const std::string& finished_at,
                    const std::string& state = "SUCCEEDED", const std::string& job = "backup") {
  return write_json({{"run_id", id},
                     {"job_id", "0001"},
                     {"job_name", job},
                     {"tenant_id", "default"},
                     {"state", state},
                     {"finished_at", finished_at}});
}

class ArchiveTest : public testing::Test {
 protected:
  std::string folder() const { return folder_.path().string(); }

  std::string write(std::chrono::sys_days day, const std::vector<std::string>& lines) {
    const auto writer = must(DayWriter::begin(folder(), day));
    for (const std::string& line : lines) must(writer->add(line));
    return must(writer->finish());
  }

  // "id state", newest first.
  std::vector<std::string> read(const PastFilter& filter = {}, std::size_t most = 100) {
    std::vector<std::string> runs;
    must(read_past_runs(folder(), filter, [&](const Json& run) {
      runs.push_back(run.value("run_id", "") + " " + run.value("state", ""));
      return runs.size() < most;
    }));
    return runs;
  }

  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  test::Folder folder_;
};

using Runs = std::vector<std::string>;

TEST_F(ArchiveTest, FilesAreNamedForTheirDay) {
  const std::string name = file_name(kDay, "0123456789abcdef");
  EXPECT_EQ(name, "runs-2026-08-20-0123456789abcdef.jsonl.gz");
  EXPECT_EQ(day_of(name), kDay);
  for (const char* other :
       {"runs-2026-08-20.jsonl.gz", "runs-2026-02-30-0123456789abcdef.jsonl.gz",
        "runs-2026-08-20-0123456789abcdef.jsonl.xz", ".runs-2026-08-20-0123456789.jsonl.gz"}) {
    EXPECT_FALSE(day_of(other)) << other;
  }
}

TEST_F(ArchiveTest, RunsComeBackThoseThatEndedLastFirst) {
  write(kDay, {line_of("a", "2026-08-20T01:00:00Z"), line_of("b", "2026-08-20T02:00:00.5Z"),
               line_of("c", "2026-08-20T02:00:00.25Z", "DEAD", "mail")});
  write(kDay + std::chrono::days(1), {line_of("d", "2026-08-21T00:00:00Z")});
  EXPECT_EQ(read(), (Runs{"d SUCCEEDED", "b SUCCEEDED", "c DEAD", "a SUCCEEDED"}));
  EXPECT_EQ(read({}, 2), (Runs{"d SUCCEEDED", "b SUCCEEDED"}));
  EXPECT_EQ(read({.job = "mail"}), (Runs{"c DEAD"}));
  EXPECT_EQ(read({.job = "0001", .state = "DEAD"}), (Runs{"c DEAD"}));
  EXPECT_EQ(read({.tenant = "other"}), Runs());
  const PastFilter window{.from = must(parse_instant("2026-08-20T02:00:00.25Z")),
                          .to = must(parse_instant("2026-08-20T02:00:00.5Z"))};
  EXPECT_EQ(read(window), (Runs{"c DEAD"}));
}

TEST_F(ArchiveTest, ADayThatIsArchivedAgainIsTheSameFile) {
  const std::string first = write(kDay, {line_of("a", "2026-08-20T01:00:00Z")});
  EXPECT_EQ(write(kDay, {line_of("a", "2026-08-20T01:00:00Z")}), first);
  EXPECT_EQ(files(), 1U);
}

TEST_F(ArchiveTest, ARunThatWasArchivedTwiceIsGivenOnceWithItsLastEnd) {
  write(kDay, {line_of("a", "2026-08-20T01:00:00Z"), line_of("b", "2026-08-20T02:00:00Z", "DEAD")});
  write(kDay, {line_of("a", "2026-08-20T01:00:00Z")});  // `b` was retried in between
  write(kDay + std::chrono::days(90), {line_of("b", "2026-11-18T02:00:00Z")});
  EXPECT_EQ(files(), 3U);
  EXPECT_EQ(read(), (Runs{"b SUCCEEDED", "a SUCCEEDED"}));
  EXPECT_EQ(read({.state = "DEAD"}), Runs());
}

TEST_F(ArchiveTest, WhatIsNotFinishedIsNotThere) {
  {
    const auto writer = must(DayWriter::begin(folder(), kDay));
    must(writer->add(line_of("a", "2026-08-20T01:00:00Z")));
    EXPECT_EQ(read(), Runs());
    EXPECT_EQ(files(), 1U);
    must(DayWriter::begin(folder(), kDay));  // somebody else's, who leaves this one alone
    EXPECT_EQ(files(), 1U);
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(ArchiveTest, WhatAKilledWriterLeftIsRemovedByTheNext) {
  std::ofstream(folder() + "/.runs-2026-08-20-abc.partial") << "half a file";
  std::ofstream(folder() + "/notes.txt") << "not ours";
  write(kDay, {line_of("a", "2026-08-20T01:00:00Z")});
  EXPECT_EQ(files(), 2U);
}

// A limit of the process stands for the disk's.
TEST_F(ArchiveTest, AFullDiskIsToldAndLeavesNothingBehind) {
  const rlimit old = [] {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    return limit;
  }();
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1'000, .rlim_max = old.rlim_max};
  {
    const auto writer = must(DayWriter::begin(folder(), kDay));
    setrlimit(RLIMIT_FSIZE, &small);
    Status done;
    for (int i = 0; done && i < 100'000; ++i) {
      done = writer->add(line_of(std::to_string(i * 7'919), "2026-08-20T01:00:00Z"));
    }
    if (done) {
      if (const auto finished = writer->finish(); !finished) done = fail(finished.error());
    }
    setrlimit(RLIMIT_FSIZE, &old);
    ASSERT_EQ(code_of(done), Errc::kUnavailable);
    EXPECT_NE(to_string(done.error()).find("make room"), std::string::npos);
  }
  std::signal(SIGXFSZ, ignored);
  EXPECT_EQ(files(), 0U);
}

TEST_F(ArchiveTest, AFileThatWasCutShortIsNotTakenForAShorterDay) {
  Runs lines;
  for (int i = 0; i < 1'000; ++i) {
    lines.push_back(line_of(std::to_string(i * 7'919), "2026-08-20T01:00:00Z"));
  }
  const std::string path = write(kDay, lines);
  ASSERT_EQ(read({}, 2'000).size(), 1'000U);
  const auto size = std::filesystem::file_size(path);
  for (const auto left : {size - 1, size - 9, size / 2, std::uintmax_t{5}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(path, left);
    const auto broken = read_past_runs(folder(), {}, [](const Json&) { return true; });
    ASSERT_FALSE(broken) << left;
    EXPECT_NE(to_string(broken.error()).find(path), std::string::npos);
  }
}

TEST_F(ArchiveTest, AMissingFolderIsNamed) {
  const auto none = read_past_runs(folder() + "/none", {}, [](const Json&) { return true; });
  EXPECT_EQ(code_of(none), Errc::kNotFound);
  EXPECT_NE(to_string(none.error()).find("archive_dir"), std::string::npos);
}

}  // namespace
}  // namespace belfry::archive
