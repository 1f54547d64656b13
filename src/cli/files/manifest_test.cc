#include "cli/files/manifest.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

std::string error_of(const std::string& text) {
  const auto jobs = read_manifest({{"jobs.yaml", text}});
  return jobs ? "none" : to_string(jobs.error());
}

TEST(ManifestTest, ListsAndMapsAndDefaults) {
  const auto jobs =
      read_manifest({{"a.yaml",
                      "version: v1\n"
                      "defaults: {timezone: Europe/Berlin, labels: {env: prod, n: 1}}\n"
                      "jobs:\n"
                      "  a: {cron_expression: '@daily'}\n"
                      "  b: {every: 90s, timezone: UTC, labels: {env: test}}\n"
                      "---\n"
                      "jobs:\n"
                      "  - {job_name: c, every: 5m}\n"},
                     {"b.yaml", "jobs:\n  d:\n    every: 1h\n"}});
  ASSERT_TRUE(jobs) << to_string(jobs.error());
  ASSERT_EQ(jobs->size(), 4U);
  EXPECT_EQ((*jobs)[0], (Json{{"job_name", "a"},
                              {"cron_expression", "@daily"},
                              {"timezone", "Europe/Berlin"},
                              {"labels", {{"env", "prod"}, {"n", "1"}}}}));
  EXPECT_EQ((*jobs)[1]["timezone"], "UTC");
  EXPECT_EQ((*jobs)[1]["labels"]["env"], "test");
  EXPECT_EQ((*jobs)[1]["labels"]["n"], "1");
  EXPECT_EQ((*jobs)[2], (Json{{"job_name", "c"}, {"every", "5m"}}));
  EXPECT_EQ((*jobs)[3]["job_name"], "d");
}

TEST(ManifestTest, ComplaintsNameFileAndJob) {
  EXPECT_EQ(error_of("job: {}\n").substr(0, 33), "jobs.yaml: there is no `jobs:` in");
  EXPECT_EQ(error_of("jobs: {a: {every: 1m}}\nowner: me\n"),
            "jobs.yaml: `owner` is not one of version, defaults and jobs");
  EXPECT_EQ(error_of("jobs: [{job_name: a, every: 1m}, {job_name: a, every: 1m}]\n"),
            "jobs.yaml, a: this job is given twice");
  EXPECT_NE(error_of("jobs: {a: {delay: 1m}}\n").find("run_at"), std::string::npos);
  EXPECT_NE(error_of("jobs: [{every: 1m}]\n").find("job_name"), std::string::npos);
  EXPECT_NE(error_of("jobs:\n  a: [\n").find("jobs.yaml, line"), std::string::npos);
}

TEST(ManifestTest, WhatIsWrittenIsReadBack) {
  const std::vector<Json> jobs{
      {{"job_name", "a: b #"},
       {"cron_expression", "*/5 * * * *"},
       {"payload", {{"x", {1, "2", nullptr}}}}},
      {{"job_name", "true"}, {"every", "1h"}, {"description", "two\nlines"}}};
  const auto read = read_manifest({{"x", write_manifest(jobs)}});
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(*read, jobs);
}

}  // namespace
}  // namespace belfry::cli
