// Foreign schedules, most of them modelled on real ones, and what becomes of each line. After a
// change of words, BELFRY_WRITE_CASES=1 writes the reports into the files; read the diff.
#include "base/text/instant_text.h"
#include "import/crontab/crontab.h"
#include "import/k8s/k8s.h"
#include "import/systemd/systemd.h"
#include "tests/import/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace belfry::importer {
namespace {

ImportReport import_case(const std::string& kind, const Case& sample, core::ZoneCatalog& zones) {
  const auto option = [&](const std::string& key) {
    const auto found = sample.options.find(key);
    return found == sample.options.end() ? std::string() : found->second;
  };
  const std::string zone = option("timezone");
  const ImportOptions options{.timezone = zone == "unknown" ? ""
                                          : zone.empty()    ? "UTC"
                                                            : zone,
                              .host = option("host"),
                              .worker_user = option("worker"),
                              .from = *parse_instant("2026-01-01T00:00:00Z")};
  if (kind == "systemd") return import_systemd(sample.files, options, zones);
  if (kind == "k8s") return import_k8s(sample.files.front(), options, zones);
  const std::string style = option("style");
  const CrontabOptions crontab{.style = style == "system"    ? CrontabStyle::kSystem
                                        : style == "anacron" ? CrontabStyle::kAnacron
                                                             : CrontabStyle::kUser,
                               .owner = option("owner")};
  return import_crontab(sample.files.front(), crontab, options, zones);
}

class ImportCases : public testing::TestWithParam<std::pair<std::string, std::size_t>> {};

TEST_P(ImportCases, GiveTheReportThatIsExpected) {
  const auto& [kind, count] = GetParam();
  const std::string path = std::string(BELFRY_IMPORT_DATA) + "/" + kind + ".cases";
  std::vector<Case> cases = read_cases(path);
  EXPECT_GE(cases.size(), count);
  core::ZoneCatalog zones;
  const bool write = std::getenv("BELFRY_WRITE_CASES") != nullptr;
  for (Case& sample : cases) {
    SCOPED_TRACE(kind + ": " + sample.name);
    ASSERT_FALSE(sample.files.empty());
    const ImportReport report = import_case(kind, sample, zones);
    const std::string text = render(report, sample.files.size() > 1);
    if (write) {
      sample.expected = text;
    } else {
      EXPECT_EQ(text, sample.expected);
    }
    EXPECT_EQ(lines_without_entry(sample.files, report), std::vector<std::string>());
    for (const ImportEntry& entry : report.entries) {
      EXPECT_FALSE(entry.reasons.empty() && entry.verdict != Verdict::kImported);
      const bool has_job = entry.job.has_value();
      EXPECT_FALSE(has_job && entry.verdict == Verdict::kRefused);
    }
  }
  if (write) std::ofstream(path) << write_cases(cases);
}

TEST(ImportTest, WhatTheServerWouldRefuseIsRefusedHere) {
  core::ZoneCatalog zones;
  const std::string long_command = "0 1 * * * echo " + std::string(5'000, 'x') + "\n";
  const ImportReport report =
      import_crontab({"long", long_command}, {},
                     {.timezone = "UTC", .from = *parse_instant("2026-01-01T00:00:00Z")}, zones);
  ASSERT_EQ(report.entries.size(), 1U);
  EXPECT_EQ(report.entries[0].verdict, Verdict::kRefused);
  EXPECT_FALSE(report.entries[0].job);
}

INSTANTIATE_TEST_SUITE_P(Import, ImportCases,
                         testing::Values(std::pair("crontab", 81U), std::pair("systemd", 43U),
                                         std::pair("k8s", 31U)),
                         [](const auto& kind) { return kind.param.first; });

}  // namespace
}  // namespace belfry::importer
