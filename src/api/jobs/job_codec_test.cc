#include "api/jobs/job_codec.h"

#include "core/job_fields.h"

#include <gtest/gtest.h>

namespace belfry::api {
namespace {

constexpr Instant kNow = from_unix_seconds(1'800'000'000);  // 2027-01-15T08:00:00Z

struct Reading {
  JobDraft draft;
  std::vector<Complaint> complaints;
};

Reading read(const std::string& json, const core::JobDefinition* before = nullptr) {
  Reading reading;
  reading.draft =
      read_job(parse_json(json).value(), "", {.now = kNow, .before = before}, reading.complaints);
  return reading;
}

// "pointer: code", one for each complaint.
std::vector<std::string> complaints_of(const std::string& json) {
  std::vector<std::string> list;
  for (const Complaint& complaint : read(json).complaints) {
    list.push_back(complaint.pointer + ": " + complaint.code);
  }
  return list;
}

using List = std::vector<std::string>;

TEST(JobCodecTest, AJobNeedsANameAndASchedule) {
  EXPECT_EQ(complaints_of("{}"), (List{"/job_name: required", "/cron_expression: required"}));
  EXPECT_EQ(complaints_of(R"({"job_name": "a", "cron_expression": "* * * * *"})"), List());
  EXPECT_EQ(complaints_of("[]").at(0), ": invalid");
}

TEST(JobCodecTest, TheFieldsTellTheKindOfSchedule) {
  using Type = core::ScheduleSpec::Type;
  EXPECT_EQ(read(R"({"job_name": "a", "every": "90s"})").draft.definition.schedule.type,
            Type::kEvery);
  const Reading once = read(R"({"job_name": "a", "delay": "1h"})");
  EXPECT_EQ(once.draft.definition.schedule.type, Type::kOnce);
  EXPECT_EQ(once.draft.definition.schedule.run_at, kNow + std::chrono::hours(1));
  EXPECT_EQ(complaints_of(R"({"job_name": "a", "every": "90s", "cron_expression": "* * * * *"})"),
            List{"/cron_expression: invalid"});
  EXPECT_EQ(complaints_of(R"({"job_name": "a", "schedule_type": "ONCE"})"),
            List{"/run_at: required"});
}

TEST(JobCodecTest, AllThatIsWrongIsSaidAtOnce) {
  const List all = complaints_of(R"({
      "job_name": " a", "cron_expression": 5, "timezone": true, "max_attempts": 0,
      "retry": {"base": "1x", "factor": 2}, "concurrency_policy": "NEVER", "labels": {"a=b": "c"},
      "payload_": 1, "target": {"kind": "HTTP"}, "misfire_grace": "1h 5m"})");
  EXPECT_EQ(all,
            (List{"/job_name: invalid", "/cron_expression: invalid", "/timezone: invalid",
                  "/target/url: required", "/max_attempts: out_of_range", "/retry/base: invalid",
                  "/retry/factor: unknown_field", "/concurrency_policy: invalid",
                  "/misfire_grace: invalid", "/labels/a=b: invalid", "/payload_: unknown_field"}));
}

TEST(JobCodecTest, AMisspeltFieldGetsAProposal) {
  const Reading reading =
      read(R"({"job_name": "a", "cron_expresion": "* * * * *", "every": "1m"})");
  ASSERT_EQ(reading.complaints.size(), 1U);
  EXPECT_EQ(reading.complaints[0].hint, "did you mean `cron_expression`?");
}

TEST(JobCodecTest, ControlCharactersAreRefused) {
  EXPECT_EQ(complaints_of("{\"job_name\": \"a\\r\\nX-Evil: 1\", \"every\": \"1m\"}"),
            List{"/job_name: invalid"});
  EXPECT_EQ(complaints_of("{\"job_name\": \"a\\nb\", \"every\": \"1m\"}"),
            List{"/job_name: invalid"});
}

TEST(JobCodecTest, WhatIsWrittenReadsBackTheSame) {
  const std::string full = R"({
      "job_name": "backup", "job_type": "exec", "cron_expression": "30 2 * * MON-FRI",
      "timezone": "Europe/Berlin", "dst_gap": "SKIP", "dst_overlap": "BOTH",
      "start_at": "2027-02-01T00:00:00Z", "end_at": "2028-02-01T00:00:00Z", "jitter": "5m",
      "calendar": "holidays", "calendar_policy": "DELAY", "target": {"kind": "EXEC", "command": ["backup.sh", "--all"]},
      "payload": {"z": 1, "a": [1.5, null]}, "max_attempts": 7, "retry": {"base": "2s", "cap": "1m"},
      "timeout": "1h", "concurrency_policy": "ALLOW", "max_concurrent": 3,
      "misfire_policy": "FIRE_ALL", "misfire_grace": "2h", "max_missed_firings": 9,
      "labels": {"team": "data"}, "description": "nightly", "priority": -2})";
  const Reading first = read(full);
  EXPECT_TRUE(first.complaints.empty());
  const Json written = write_definition(first.draft.definition);
  const Reading second = read(write_json(written));
  EXPECT_TRUE(second.complaints.empty());
  EXPECT_TRUE(core::same_definition(first.draft.definition, second.draft.definition));
  EXPECT_TRUE(core::same_ticks(first.draft.definition, second.draft.definition));
  EXPECT_EQ(write_definition(second.draft.definition), written);
  EXPECT_EQ(first.draft.definition.payload, R"({"z":1,"a":[1.5,null]})");
}

TEST(JobCodecTest, ASecretIsHiddenAndKept) {
  const Reading first = read(
      R"({"job_name": "a", "every": "1m",
          "target": {"kind": "HTTP", "url": "http://x/", "secret": "whsec_MQ=="}})");
  const Json shown = write_definition(first.draft.definition);
  EXPECT_EQ(shown["target"]["secret"], "********");
  const Reading again = read(write_json(shown), &first.draft.definition);
  EXPECT_TRUE(again.complaints.empty());
  EXPECT_EQ(again.draft.definition.target, first.draft.definition.target);
  EXPECT_EQ(complaints_of(write_json(shown)), List{"/target/secret: invalid"});
}

TEST(JobCodecTest, HeadersAndCredentialsOfTheUrlAreHiddenAndKept) {
  const Reading first = read(
      R"({"job_name": "a", "every": "1m", "target": {"kind": "HTTP",
          "url": "http://x/?a=1&token=canary&token=canary2#end", "headers":
          {"Authorization": "Bearer canary", "X-Any": "canary", "content-type": "text/plain"}}})");
  const Json shown = write_definition(first.draft.definition);
  EXPECT_EQ(write_json(shown["target"]),
            R"({"kind":"HTTP","url":"http://x/?a=1&token=********&token=********#end",)"
            R"("method":"POST","headers":{"Authorization":"********","X-Any":"********",)"
            R"("content-type":"text/plain"}})");
  const Reading again = read(write_json(shown), &first.draft.definition);
  EXPECT_TRUE(again.complaints.empty());
  EXPECT_EQ(again.draft.definition.target, first.draft.definition.target);
  EXPECT_EQ(complaints_of(write_json(shown)),
            (List{"/target/headers/Authorization: invalid", "/target/headers/X-Any: invalid",
                  "/target/url: invalid", "/target/url: invalid"}));
}

TEST(JobCodecTest, AHiddenHeaderIsNotKeptForAnotherHost) {
  const Reading first = read(R"({"job_name": "a", "every": "1m", "target": {"kind": "HTTP",
      "url": "http://x/a", "headers": {"Authorization": "canary"}, "secret": "canary"}})");
  Json shown = write_definition(first.draft.definition);
  const auto complaints = [&](const char* url) {
    shown["target"]["url"] = url;
    return read(write_json(shown), &first.draft.definition).complaints;
  };
  EXPECT_EQ(complaints("http://x/b").size(), 0U);
  for (const char* other : {"http://y/a", "https://x/a", "http://x:81/a"}) {
    const auto refused = complaints(other);
    ASSERT_EQ(refused.size(), 1U) << other;
    EXPECT_EQ(refused[0].pointer, "/target/headers/Authorization");
  }
}

TEST(JobCodecTest, AWrongUrlIsToldWithoutItsCredentials) {
  for (const char* url : {"ftp://x/?token=canary", "http://me:canary@x/", "me:canary@x"}) {
    const Reading reading = read(std::string(R"({"job_name": "a", "every": "1m", "target":
        {"kind": "HTTP", "url": ")") +
                                 url + "\"}}");
    ASSERT_EQ(reading.complaints.size(), 1U) << url;
    EXPECT_EQ(reading.complaints[0].message.find("canary"), std::string::npos) << url;
  }
}

TEST(JobCodecTest, ASecretCanBeNamed) {
  const Reading named = read(R"({"job_name": "a", "every": "1m", "target": {"kind": "HTTP",
      "url": "http://x/", "secret_ref": "one", "headers": {"X": {"secret_ref": "two"}}}})");
  EXPECT_TRUE(named.complaints.empty());
  EXPECT_EQ(named.draft.definition.target,
            R"({"kind":"HTTP","url":"http://x/","method":"POST",)"
            R"("headers":{"X":{"secret_ref":"two"}},"secret_ref":"one"})");
  EXPECT_EQ(write_json(write_definition(named.draft.definition)["target"]),
            named.draft.definition.target);
  EXPECT_EQ(complaints_of(R"({"job_name": "a", "every": "1m", "target": {"kind": "HTTP",
      "url": "http://x/", "secret_ref": "one", "secret": "b", "headers": {"X": {"y": 1}}}})"),
            (List{"/target/headers/X/secret_ref: required", "/target/headers/X/y: unknown_field",
                  "/target/secret_ref: invalid"}));
}

TEST(JobCodecTest, ASecretIsWhatItSeems) {
  const auto complaints = [](const std::string& secret) {
    return complaints_of(R"({"job_name": "a", "every": "1m", "target":
        {"kind": "HTTP", "url": "http://x/", "secret": ")" +
                         secret + "\"}}");
  };
  for (const char* good : {"whsec_MQ==", "any words", "whsec_MQ== whsec_Mg==", " whsec_MQ== "}) {
    EXPECT_EQ(complaints(good), List()) << good;
  }
  for (const char* bad : {"whsec_", "whsec_!", "whsec_MQ== whsec_", "", "  "}) {
    EXPECT_EQ(complaints(bad), List{"/target/secret: invalid"}) << bad;
  }
}

TEST(JobCodecTest, OrderInLabelsDoesNotCount) {
  const auto with = [](const char* labels) {
    core::JobDefinition job;
    job.labels = labels;
    return job;
  };
  EXPECT_TRUE(core::same_definition(with(R"({"a":"1","b":"2"})"), with(R"({"b": "2", "a": "1"})")));
  EXPECT_FALSE(core::same_definition(with(R"({"a":"1"})"), with(R"({"a":"2"})")));
}

}  // namespace
}  // namespace belfry::api
