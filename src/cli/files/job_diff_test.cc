#include "cli/files/job_diff.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

// A job as the server shows it.
Json server_job() {
  return {{"job_id", "0000000000012a3b"},
          {"tenant_id", "default"},
          {"job_name", "sync"},
          {"job_type", "default"},
          {"schedule_type", "EVERY"},
          {"every", "1m30s"},
          {"timezone", "UTC"},
          {"dialect", "standard"},
          {"dst_gap", "RUN_AFTER"},
          {"dst_overlap", "FIRST"},
          {"calendar_policy", "SKIP"},
          {"target",
           {{"kind", "HTTP"}, {"url", "http://x/"}, {"method", "POST"}, {"secret", "********"}}},
          {"payload", {{"b", 1}, {"a", 2}}},
          {"max_attempts", 3},
          {"retry", {{"base", "5s"}, {"cap", "5m"}}},
          {"timeout", "5m"},
          {"concurrency_policy", "FORBID"},
          {"misfire_policy", "FIRE_ONCE"},
          {"misfire_grace", "1h"},
          {"max_missed_firings", 1000},
          {"priority", 0},
          {"labels", {{"env", "prod"}}},
          {"description", ""},
          {"home_region", "default"},
          {"status", "ACTIVE"},
          {"next_scheduled_run", "2026-11-15T12:00:00Z"},
          {"version", 4},
          {"created_at", "2026-11-15T12:00:00Z"},
          {"updated_at", "2026-11-15T12:00:00Z"}};
}

std::vector<std::string> diff(const Json& before, const Json& after) {
  std::vector<std::string> lines;
  for (const auto& change : changes_between(normalised(before), normalised(after))) {
    lines.push_back(to_string(change));
  }
  return lines;
}

TEST(JobDiffTest, TheSameJobWrittenOtherwiseIsTheSame) {
  const Json file{{"job_name", "sync"},         {"every", "90s"},
                  {"handler_url", "http://x/"}, {"payload", {{"b", 1}, {"a", 2}}},
                  {"retry", {{"cap", "300s"}}}, {"labels", {{"env", "prod"}}},
                  {"description", nullptr}};
  Json with_secret = file;
  with_secret["target"] = {{"kind", "HTTP"}, {"url", "http://x/"}, {"secret", "whsec_x"}};
  with_secret.erase("handler_url");
  EXPECT_EQ(diff(server_job(), with_secret), std::vector<std::string>());
  EXPECT_EQ(diff(server_job(), file), std::vector<std::string>{"target.secret  ******** → none"});
}

TEST(JobDiffTest, SecretsOfAFileAreNotShown) {
  Json file = server_job();
  file["target"] = {{"kind", "HTTP"},
                    {"url", "http://x/?token=canary"},
                    {"method", "POST"},
                    {"secret", "canary"},
                    {"headers", {{"Authorization", "canary"}, {"Accept", "text/plain"}}}};
  EXPECT_EQ(
      diff(server_job(), file),
      (std::vector<std::string>{
          "target.url  http://x/ → http://x/?token=********",
          "target.headers  none → {\"Authorization\":\"********\",\"Accept\":\"text/plain\"}"}));
}

TEST(JobDiffTest, NamesEachFieldThatDiffers) {
  Json changed = server_job();
  changed["timeout"] = "10m";
  changed["labels"] = {{"env", "test"}, {"team", "a"}};
  changed["retry"]["base"] = "1s";
  changed["every"] = nullptr;
  changed["schedule_type"] = nullptr;
  changed["cron_expression"] = "0 * * * *";
  EXPECT_EQ(diff(server_job(), changed),
            (std::vector<std::string>{"schedule_type  EVERY → CRON", "every  1m30s → none",
                                      "retry.base  5s → 1s", "timeout  5m → 10m",
                                      "labels.env  prod → test", "labels.team  none → a",
                                      "cron_expression  none → 0 * * * *"}));
}

TEST(JobDiffTest, WrittenLeavesOutWhatIsTheDefault) {
  EXPECT_EQ(
      written(server_job()),
      (Json{{"job_name", "sync"},
            {"every", "1m30s"},
            {"target",
             {{"kind", "HTTP"}, {"url", "http://x/"}, {"method", "POST"}, {"secret", "********"}}},
            {"payload", {{"b", 1}, {"a", 2}}},
            {"labels", {{"env", "prod"}}}}));
  EXPECT_EQ(diff(server_job(), written(server_job())), std::vector<std::string>());
}

TEST(JobDiffTest, WhatAJobDoesNotSayItsTypeSays) {
  const Json types = Json::array(
      {{{"job_type", "mail"}, {"defaults", {{"timeout", "90s"}, {"max_attempts", 7}}}}});
  const Json file{{"job_name", "a"}, {"every", "1m"}, {"job_type", "mail"}};
  Json there = normalised(file, types);
  EXPECT_EQ(there["timeout"], "1m30s");
  EXPECT_EQ(there["max_attempts"], 7);
  EXPECT_TRUE(changes_between(normalised(there), normalised(file, types)).empty());
  EXPECT_EQ(written(there, types).dump(), Json(file).dump()) << "as it was written";
  there["timeout"] = "5m";
  EXPECT_EQ(written(there, types)["timeout"], "5m") << "usual, but not for this type";
  EXPECT_EQ(normalised({{"job_name", "b"}, {"every", "1m"}}, types)["timeout"], "5m");
}

}  // namespace
}  // namespace belfry::cli
