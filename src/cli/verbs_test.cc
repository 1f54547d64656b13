#include "base/json.h"
#include "base/manual_clock.h"
#include "base/mutex.h"
#include "base/text/instant_text.h"
#include "cli/cli.h"
#include "cli/frame/exit_code.h"
#include "net/server/server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace belfry::cli {
namespace {

constexpr const char* kJob =
    R"({"job_id":"0000000000012a3b","tenant_id":"default","job_name":"hello","job_type":"default",
        "schedule_type":"EVERY","every":"10s","timezone":"UTC","target":{"kind":"WORKER"},"payload":null,
        "labels":{"env":"prod"},"status":"ACTIVE","next_scheduled_run":"2026-11-15T09:00:10Z","version":3,
        "retry":{"base":"5s","cap":"5m"},"timeout":"5m"})";
constexpr const char* kPreview =
    R"({"sentence":"Every 10 seconds","timezone":"UTC","next":["2026-11-15T09:00:10Z","2026-11-15T09:00:20Z"],
        "warnings":[{"code":"dst_gap","message":"it jumps"}]})";
constexpr const char* kRun =
    R"({"run_id":"0000000000012a3b000643f1c2a80000","job_id":"0000000000012a3b","job_name":"hello",
        "job_type":"default","state":"READY","origin":"MANUAL","scheduled_for":"2026-11-15T09:00:00Z",
        "started_at":null,"duration":null,"attempts":0,"max_attempts":3,"worker":null,"result":null,"error":null})";

// A server with canned answers by "METHOD /path"; it keeps what it was asked.
class VerbsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto started = net::HttpServer::start(
        {}, [this](const net::Request& request, const net::Responder& to) { answer(request, to); });
    ASSERT_TRUE(started);
    server_ = std::move(*started);
  }
  void TearDown() override { server_.reset(); }

  void on(const std::string& call, int status, const std::string& body) {
    answers_[call] = {.status = status,
                      .headers = {{"Content-Type",
                                   status < 400 ? "application/json" : "application/problem+json"}},
                      .body = body};
  }

  int run_cli(std::vector<std::string> arguments, const std::string& input = {}) {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    const ManualClock clock(*parse_instant("2026-11-15T09:00:00Z"), BootInstant());
    const std::string server = "http://127.0.0.1:" + std::to_string(server_->port());
    const auto environment = [&](const char* name) -> std::string {
      if (std::string_view(name) == "BELFRY_SERVER") return server;
      return std::string_view(name) == "TZ" ? "UTC" : "";
    };
    const int code = run(std::move(arguments), {in, out, err, clock, screen_, environment},
                         [](const config::ServeOptions&) { return 42; });
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  // The body of the last such call.
  Json sent(const std::string& call) {
    const MutexLock lock(mutex_);
    const auto found = bodies_.find(call);
    if (found == bodies_.end()) return "it was not called";
    return found->second.empty() ? Json() : *parse_json(found->second);
  }

  std::string out_;
  std::string err_;
  Screen screen_;

 private:
  void answer(const net::Request& request, const net::Responder& to) {
    const std::string call = request.method + " " + request.path;
    {
      const MutexLock lock(mutex_);
      bodies_[call] = request.body;
    }
    const auto found = answers_.find(call);
    if (found != answers_.end()) {
      to.send(found->second);
    } else {
      to.send(
          {.status = 404,
           .headers = {{"Content-Type", "application/problem+json"}},
           .body = R"({"code":"not_found","detail":"nothing here","instance":"r-7","type":"t"})"});
    }
  }

  Mutex mutex_;
  std::map<std::string, std::string> bodies_;
  std::map<std::string, net::Response> answers_;
  std::unique_ptr<net::HttpServer> server_;
};

TEST_F(VerbsTest, AddSendsWhatTheFlagsSay) {
  on("POST /api/v1/jobs", 201, kJob);
  on("GET /api/v1/jobs/0000000000012a3b/next", 200, kPreview);
  EXPECT_EQ(run_cli({"add",
                     "hello",
                     "--cron",
                     "30 2 * * *",
                     "--tz",
                     "Europe/Berlin",
                     "--exec",
                     "echo $X",
                     "--label",
                     "env=prod",
                     "--label",
                     "team=a",
                     "--timeout",
                     "10m",
                     "--retries",
                     "0",
                     "--overlap",
                     "queue-one",
                     "--misfire",
                     "fire_all",
                     "--grace",
                     "2h",
                     "--jitter",
                     "5m",
                     "--calendar",
                     "holidays",
                     "--calendar-policy",
                     "delay",
                     "--dst-gap",
                     "skip",
                     "--dst-overlap",
                     "both",
                     "--description",
                     "d",
                     "--payload",
                     "{\"a\": [1]}"}),
            kOk)
      << err_;
  EXPECT_EQ(nlohmann::json(sent("POST /api/v1/jobs")),
            nlohmann::json::parse(R"({"job_name":"hello","cron_expression":"30 2 * * *",
      "timezone":"Europe/Berlin","target":{"kind":"EXEC","command":["/bin/sh","-c","echo $X"]},
      "labels":{"env":"prod","team":"a"},"timeout":"10m","max_attempts":1,
      "concurrency_policy":"QUEUE_ONE","misfire_policy":"FIRE_ALL","misfire_grace":"2h",
      "jitter":"5m","calendar":"holidays","calendar_policy":"DELAY","dst_gap":"SKIP","dst_overlap":"BOTH","description":"d",
      "payload":{"a":[1]}})"));
  EXPECT_EQ(out_,
            "✓ hello created · Every 10 seconds · UTC\n"
            "  next  2026-11-15T09:00:10Z (in 10s), 2026-11-15T09:00:20Z\n"
            "! it jumps\n");
}

TEST_F(VerbsTest, AddKnowsOneShotsAndOtherTargets) {
  on("POST /api/v1/jobs", 201, kJob);
  on("GET /api/v1/jobs/0000000000012a3b/next", 200, kPreview);
  run_cli({"add", "a", "--in", "1h", "--url", "http://x/", "-q"});
  EXPECT_EQ(sent("POST /api/v1/jobs")["delay"], "1h");
  EXPECT_EQ(sent("POST /api/v1/jobs")["target"], (Json{{"kind", "HTTP"}, {"url", "http://x/"}}));
  run_cli({"add", "a", "--at", "10:30", "--tz", "Europe/Berlin", "--topic", "kafka/jobs/x"});
  EXPECT_EQ(sent("POST /api/v1/jobs")["run_at"], "2026-11-15T09:30:00Z");
  EXPECT_EQ(sent("POST /api/v1/jobs")["target"],
            (Json{{"kind", "TOPIC"}, {"broker", "kafka"}, {"topic", "jobs/x"}}));
  EXPECT_EQ(run_cli({"add", "a", "--in", "1h", "--every", "1h"}), kUsage);
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h", "--url", "u", "--exec", "x"}), kUsage);
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h", "--payload", "{a: 1}"}), kUsage);
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h", "--overlap", "maybe"}), kUsage);
  EXPECT_NE(err_.find("queue-one"), std::string::npos);
}

TEST_F(VerbsTest, ProblemsBecomeSentencesAndExitCodes) {
  on("POST /api/v1/jobs", 422,
     R"({"code":"invalid","detail":"d","instance":"r-1","type":"/problems/invalid",
         "errors":[{"pointer":"/cron_expression","code":"invalid","message":"`MOM` is not a weekday","hint":"did you mean `MON`?"}]})");
  EXPECT_EQ(run_cli({"add", "a", "--cron", "0 0 * * MOM"}), kUsage);
  EXPECT_EQ(err_, "belfry: --cron: `MOM` is not a weekday; did you mean `MON`?\n");
  EXPECT_EQ(run_cli({"add", "a", "--cron", "0 0 * * MOM", "-v"}), kUsage);
  EXPECT_NE(err_.find("request r-1"), std::string::npos);
  on("POST /api/v1/jobs", 409, R"({"code":"name_taken","detail":"taken","title":"t"})");
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h"}), kConflict);
  on("POST /api/v1/jobs", 401, R"({"code":"unauthorized","detail":"no key","title":"t"})");
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h"}), kRefused);
  EXPECT_NE(err_.find("BELFRY_TOKEN"), std::string::npos);
  EXPECT_EQ(run_cli({"ls", "--server", "http://127.0.0.1:1"}), kUnreachable);
  EXPECT_EQ(run_cli({"ls", "--server", "nowhere"}), kUsage);
}

TEST_F(VerbsTest, ListsAsTableAndAsData) {
  on("GET /api/v1/jobs", 200, std::string(R"({"items":[)") + kJob + R"(],"next_cursor":null})");
  EXPECT_EQ(run_cli({"ls"}), kOk);
  EXPECT_EQ(out_,
            "NAME   STATUS  SCHEDULE   ZONE  NEXT                  LAST  TYPE     LABELS\n"
            "hello  active  every 10s        2026-11-15T09:00:10Z  -     default  env=prod\n");
  screen_ = {.out_is_terminal = true, .width = 40};
  EXPECT_EQ(run_cli({"jobs", "list", "--no-color"}), kOk);
  EXPECT_NE(out_.find("in 10s"), std::string::npos);
  EXPECT_EQ(out_.find('\033'), std::string::npos);
  EXPECT_EQ(run_cli({"ls"}), kOk);
  EXPECT_NE(out_.find('\033'), std::string::npos);
  EXPECT_EQ(run_cli({"ls", "-o", "json"}), kOk);
  EXPECT_EQ((*parse_json(out_))[0]["job_name"], "hello");
  EXPECT_EQ(run_cli({"-o", "yaml", "ls"}), kOk);
  EXPECT_TRUE(out_.starts_with("- job_id: \"0000000000012a3b\"\n") ||
              out_.starts_with("- job_id: 0000000000012a3b\n"))
      << out_;
  EXPECT_EQ(run_cli({"ls", "-o", "xml"}), kUsage);
}

TEST_F(VerbsTest, AMissingJobIsNamedWithTheNearest) {
  on("GET /api/v1/jobs", 200, std::string(R"({"items":[)") + kJob + R"(],"next_cursor":null})");
  EXPECT_EQ(run_cli({"get", "helo"}), kNotFound);
  EXPECT_EQ(err_, "belfry: there is no job `helo`\n  did you mean `hello`?\n");
}

TEST_F(VerbsTest, RunWaitsForTheOutcome) {
  Json run = *parse_json(kRun);
  on("POST /api/v1/jobs/name:hello/trigger", 202, kRun);
  run["state"] = "SUCCEEDED";
  run["attempts"] = 1;
  run["duration"] = "12ms";
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000", 200, write_json(run));
  EXPECT_EQ(run_cli({"run", "hello"}), kOk);
  EXPECT_EQ(out_, "0000000000012a3b000643f1c2a80000\n");
  EXPECT_EQ(run_cli({"run", "hello", "--wait", "--payload", "[1]"}), kOk);
  EXPECT_EQ(sent("POST /api/v1/jobs/name:hello/trigger"), (Json{{"payload", {1}}}));
  EXPECT_EQ(out_, "✓ succeeded · hello · 12ms · attempt 1 of 3\n");
  run["state"] = "DEAD";
  run["error"] = "HTTP 503";
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000", 200, write_json(run));
  EXPECT_EQ(run_cli({"run", "hello", "--wait"}), kDifferent);
  EXPECT_NE(out_.find("✗ dead"), std::string::npos);
  EXPECT_EQ(run_cli({"run", "hello", "--wait", "--timeout", "0s"}), kTimedOut);
}

TEST_F(VerbsTest, RunShowsTheLastLinesOfTheOutput) {
  Json run = *parse_json(kRun);
  on("POST /api/v1/jobs/name:hello/trigger", 202, kRun);
  run["state"] = "DEAD";
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000", 200, write_json(run));
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000/log", 200,
     R"({"log":"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nno such customer\n"})");
  EXPECT_EQ(run_cli({"run", "hello", "--wait"}), kDifferent);
  EXPECT_NE(out_.find("  │ 2\n"), std::string::npos) << out_;
  EXPECT_EQ(out_.find("  │ 1\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("  │ no such customer\n"), std::string::npos) << out_;
  EXPECT_NE(err_.find("belfry logs"), std::string::npos);
}

TEST_F(VerbsTest, LogsAreThoseOfAJobOrOfARunByItsBeginning) {
  Json run = *parse_json(kRun);
  run["state"] = "SUCCEEDED";
  const std::string page = R"({"items":[)" + write_json(run) + R"(],"next_cursor":null})";
  on("GET /api/v1/jobs/name:hello", 200, kJob);
  on("GET /api/v1/jobs/name:hello/runs", 200, page);
  on("GET /api/v1/jobs/0000000000012a3b/runs", 200, page);
  on("GET /api/v1/jobs", 200, R"({"items":[],"next_cursor":null})");
  on("GET /api/v1/runs", 200, page);
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000", 200, write_json(run));
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000/log", 200, R"({"log":"one\ntwo\n"})");
  for (const char* subject : {"hello", "000000000001", "0000000000012a3b000643f1"}) {
    EXPECT_EQ(run_cli({"logs", subject}), kOk) << err_;
    EXPECT_EQ(out_, "one\ntwo\n") << subject;
  }
  EXPECT_EQ(run_cli({"logs", "hello", "-n", "1", "-f"}), kOk) << err_;
  EXPECT_EQ(out_, "two\n");
  EXPECT_EQ(run_cli({"runs", "get", "0000000000012a3b000643f1"}), kOk) << err_;
  EXPECT_EQ(run_cli({"runs", "get", "0000000000012a3bff"}), kNotFound);
  EXPECT_EQ(run_cli({"runs", "get", "17"}), kNotFound);
  EXPECT_EQ(run_cli({"logs", "nobody"}), kNotFound);
  EXPECT_NE(err_.find("no job `nobody`"), std::string::npos) << err_;
}

TEST_F(VerbsTest, DataAsLinesAndNames) {
  on("GET /api/v1/jobs", 200,
     std::string(R"({"items":[)") + kJob + "," + kJob + R"(],"next_cursor":null})");
  EXPECT_EQ(run_cli({"ls", "-o", "name"}), kOk);
  EXPECT_EQ(out_, "hello\nhello\n");
  EXPECT_EQ(run_cli({"ls", "-o", "jsonl"}), kOk);
  EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 2);
  screen_ = {.out_is_terminal = true, .width = 40};
  EXPECT_EQ(run_cli({"ls", "-o", "wide", "--no-color"}), kOk);
  EXPECT_NE(out_.find("env=prod"), std::string::npos) << out_;
}

TEST_F(VerbsTest, WhoAsksForJsonGetsErrorsAsJson) {
  EXPECT_EQ(run_cli({"get", "helo", "-o", "json"}), kNotFound);
  EXPECT_EQ((*parse_json(err_))["error"]["what"], "there is no job `helo`");
  EXPECT_EQ((*parse_json(err_))["error"]["exit_code"], int{kNotFound});
  EXPECT_EQ(run_cli({"ls", "--foo", "-o", "json"}), kUsage);
  EXPECT_EQ((*parse_json(err_))["error"]["exit_code"], int{kUsage});
}

TEST_F(VerbsTest, FlagsForWebhooksCommandsAndPolicies) {
  on("POST /api/v1/jobs", 201, kJob);
  on("GET /api/v1/jobs/0000000000012a3b/next", 200, kPreview);
  EXPECT_EQ(run_cli({"add",
                     "a",
                     "--every",
                     "1h",
                     "--url",
                     "http://127.0.0.1/",
                     "--method",
                     "put",
                     "--header",
                     "X-Team: data",
                     "--secret",
                     "hook",
                     "--retry",
                     "10s..1m",
                     "--priority",
                     "5",
                     "--max-concurrent",
                     "3",
                     "--run-in",
                     "any",
                     "--region",
                     "eu",
                     "--start-at",
                     "2027-03-09 07:00",
                     "--end-at",
                     "2027-03-10T07:00Z",
                     "--tz",
                     "Europe/Berlin"}),
            kOk)
      << err_;
  const Json sent_job = sent("POST /api/v1/jobs");
  EXPECT_EQ(sent_job["target"], (Json{{"kind", "HTTP"},
                                      {"url", "http://127.0.0.1/"},
                                      {"method", "PUT"},
                                      {"secret_ref", "hook"},
                                      {"headers", {{"X-Team", "data"}}}}));
  EXPECT_EQ(sent_job["retry"], (Json{{"base", "10s"}, {"cap", "1m"}}));
  EXPECT_EQ(sent_job["priority"], 5);
  EXPECT_EQ(sent_job["max_concurrent"], 3);
  EXPECT_EQ(sent_job["home_region"], "eu");
  EXPECT_EQ(sent_job["run_in"], "any");
  EXPECT_EQ(sent_job["start_at"], "2027-03-09T06:00:00Z");
  EXPECT_EQ(sent_job["end_at"], "2027-03-10T07:00:00Z");
  EXPECT_EQ(
      run_cli({"add", "a", "--every", "1h", "--exec", "pwd", "--cwd", "/srv", "--env", "A=1"}),
      kOk);
  EXPECT_EQ(sent("POST /api/v1/jobs")["target"]["command"],
            (Json{"/usr/bin/env", "--chdir=/srv", "A=1", "/bin/sh", "-c", "pwd"}));
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h", "--env", "A=1"}), kUsage);
  EXPECT_EQ(run_cli({"add", "a", "--every", "1h", "--method", "GET"}), kUsage);
  EXPECT_EQ(run_cli({"add", "a"}), kUsage);
  EXPECT_NE(err_.find("--every"), std::string::npos) << err_;
}

TEST_F(VerbsTest, TimesAboutAJobAreThoseOfItsZone) {
  Json job = *parse_json(kJob);
  job["timezone"] = "Europe/Berlin";
  on("GET /api/v1/jobs/name:hello", 200, write_json(job));
  on("POST /api/v1/jobs/name:hello/pause", 200, write_json(job));
  on("POST /api/v1/jobs/name:hello/backfill", 200,
     R"({"dry_run":true,"ticks":3,"created":2,"excluded":0,"undecided":0,"existing":[{}]})");
  EXPECT_EQ(run_cli({"backfill", "hello", "--from", "2026-11-01 07:00", "--to", "now"}), kOk)
      << err_;
  EXPECT_EQ(sent("POST /api/v1/jobs/name:hello/backfill")["from"], "2026-11-01T06:00:00Z");
  EXPECT_EQ(run_cli({"pause", "hello", "--until", "2027-03-09 07:00"}), kOk) << err_;
  EXPECT_EQ(sent("POST /api/v1/jobs/name:hello/pause")["until"], "2027-03-09T06:00:00Z");
}

TEST_F(VerbsTest, ManyJobsAreNotChangedWithoutAYes) {
  on("POST /api/v1/jobs:bulk", 200,
     R"({"dry_run":true,"matched":2,"exact":true,"samples":[{"job_id":"1","job_name":"hello"}],
         "bulk_id":"7","state":"DONE","total":2,"done":1,"skipped":1,"failed":0,"error":""})");
  EXPECT_EQ(run_cli({"pause", "-l", "env=prod"}), kUsage);
  EXPECT_NE(err_.find("--yes"), std::string::npos);
  EXPECT_EQ(sent("POST /api/v1/jobs:bulk")["dry_run"], true);
  EXPECT_EQ(
      run_cli({"pause", "-l", "env in (a,b),team!=x", "--yes", "-m", "lunch", "--until", "10:00"}),
      kOk);
  EXPECT_EQ(sent("POST /api/v1/jobs:bulk"),
            (Json{{"note", "lunch"},
                  {"until", "2026-11-15T10:00:00Z"},
                  {"action", "pause"},
                  {"selector", {{"labels", {"env in (a,b)", "team!=x"}}, {"status", "ACTIVE"}}}}));
  EXPECT_NE(err_.find("pause 2 jobs:\n  hello\n  … and 1 more"), std::string::npos);
  EXPECT_NE(err_.find("1 done, 1 left as they were"), std::string::npos);
  EXPECT_EQ(run_cli({"rm", "--prefix", "tmp-", "--ready-runs", "cancel", "--dry-run"}), kOk);
  EXPECT_EQ(sent("POST /api/v1/jobs:bulk"), (Json{{"action", "delete"},
                                                  {"selector", {{"name_prefix", "tmp-"}}},
                                                  {"ready_runs", "cancel"},
                                                  {"dry_run", true}}));
  EXPECT_EQ(run_cli({"pause"}), kUsage);
  screen_ = {.in_is_terminal = true, .err_is_terminal = true};
  EXPECT_EQ(run_cli({"resume", "--all"}, "n\n"), kOk);
  EXPECT_NE(err_.find("nothing was changed"), std::string::npos);
}

TEST_F(VerbsTest, ExplainShowsTheChecks) {
  on("GET /api/v1/jobs/name:hello/explain", 200,
     R"({"at":"2026-11-15T09:00:00Z","verdict":"paused","sentence":"It did not run: paused",
         "checks":[{"check":"existed","passed":true,"detail":"yes"},
                   {"check":"active","passed":false,"detail":"paused","remedy":"resume it"},
                   {"check":"run","passed":null,"detail":"not reached"}]})");
  on("GET /api/v1/jobs/name:hello", 200, kJob);
  EXPECT_EQ(run_cli({"explain", "hello", "--at", "09:00"}), kOk);
  EXPECT_EQ(out_,
            "hello at 2026-11-15T09:00:00Z\nIt did not run: paused\n\n"
            "  ✓ existed   yes\n  ✗ active    paused\n              → resume it\n"
            "  · run       not reached\n");
  EXPECT_EQ(run_cli({"explain", "30 2 * * *"}), kOk);
  EXPECT_EQ(out_.substr(0, 18), "At 02:30 every day");
  EXPECT_EQ(run_cli({"next", "@hourly", "-n", "1"}), kOk);
  EXPECT_EQ(out_, "2026-11-15T10:00:00Z\n");
}

TEST_F(VerbsTest, BackfillOnlyTellsWithoutAYes) {
  on("POST /api/v1/jobs/name:hello/backfill", 200,
     R"({"dry_run":true,"ticks":3,"created":2,"excluded":0,"undecided":0,"existing":[{}]})");
  EXPECT_EQ(run_cli({"backfill", "hello", "--from", "-1h", "--to", "now"}), kOk);
  EXPECT_EQ(sent("POST /api/v1/jobs/name:hello/backfill")["dry_run"], true);
  EXPECT_NE(err_.find("--yes"), std::string::npos);
  EXPECT_EQ(run_cli({"backfill", "hello", "--from", "-1h", "--to", "now", "--yes"}), kOk);
  EXPECT_FALSE(sent("POST /api/v1/jobs/name:hello/backfill").contains("dry_run"));
}

TEST_F(VerbsTest, DiffAndApply) {
  on("POST /api/v1/jobs:batch", 200,
     R"({"created":1,"replaced":0,"unchanged":0,"repeated":0,"refused":0,
         "items":[{"outcome":"CREATED","job_id":"0000000000012a3b","job_name":"new","version":1}]})");
  on("GET /api/v1/jobs/name:hello", 200, kJob);
  const std::string same = "jobs: {hello: {every: 10s, labels: {env: prod}}}\n";
  EXPECT_EQ(run_cli({"diff", "-"}, same), kOk) << out_ << err_;
  EXPECT_EQ(
      run_cli({"diff"}, "jobs: {hello: {every: 20s, labels: {env: prod}}, new: {every: 1h}}\n"),
      kDifferent);
  EXPECT_NE(out_.find("~ hello\n    every  10s → 20s\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("lost"), std::string::npos);
  EXPECT_NE(out_.find("+ new\n"), std::string::npos);
  EXPECT_EQ(run_cli({"apply", "-f", "-"}, "jobs: {new: {every: 1h}}\n"), kOk) << err_;
  EXPECT_EQ(sent("POST /api/v1/jobs:batch")["jobs"],
            Json::array({Json{{"job_name", "new"}, {"every", "1h"}}}));
  EXPECT_EQ(out_, "+ created  new\n");
  EXPECT_EQ(run_cli({"apply", "--prune"}, same), kUsage);
  EXPECT_EQ(run_cli({"apply", "--prune", "--selector", "set=a"}, same), kUsage);
  EXPECT_NE(err_.find("set=a"), std::string::npos);
}

TEST_F(VerbsTest, WarnsOfWhatWouldKeepAJobWaiting) {
  on("POST /api/v1/jobs", 201, kJob);
  on("GET /api/v1/jobs/0000000000012a3b/next", 200, kPreview);
  on("GET /api/v1/jobs/name:hello/warnings", 200,
     R"({"warnings":[{"code":"dst_gap","message":"it jumps"},
                     {"code":"no_worker","message":"nobody asks"}]})");
  EXPECT_EQ(run_cli({"add", "hello", "--every", "10s"}), kOk);
  EXPECT_EQ(err_.find("! hello: nobody asks\n  who takes runs:  belfry workers\n"), 0U) << err_;
  EXPECT_EQ(err_.find("jumps"), std::string::npos) << "stdout has said that";
  EXPECT_EQ(run_cli({"add", "hello", "--every", "10s", "-o", "json"}), kOk);
  EXPECT_NE(err_.find("nobody asks"), std::string::npos);
  on("POST /api/v1/jobs:batch", 200,
     R"({"created":2,"replaced":0,"unchanged":1,"repeated":0,"refused":0,
         "items":[{"outcome":"CREATED"},{"outcome":"UNCHANGED"},{"outcome":"REPLACED"}]})");
  EXPECT_EQ(run_cli({"apply"}, "jobs: {hello: {every: 1h}, same: {every: 1h}, new: {every: 1h}}\n"),
            kOk);
  EXPECT_EQ(err_.find("! hello (and 1 other job): nobody asks\n"), 0U) << err_;
}

TEST_F(VerbsTest, CompletesTheIdOfAJob) {
  const auto job = [](const std::string& id, const std::string& name) {
    return R"({"job_id":")" + id + R"(","job_name":")" + name + R"("})";
  };
  on("GET /api/v1/jobs", 200,
     R"({"items":[)" + job("0000000000012a3b", "hello") + "," + job("0000000000012b00", "other") +
         R"(],"next_cursor":null})");
  on("POST /api/v1/jobs/0000000000012a3b/trigger", 201, kRun);
  EXPECT_EQ(run_cli({"run", "0000000000012a"}), kOk) << err_;
  EXPECT_EQ(run_cli({"run", "0000000000012"}), kUsage);
  EXPECT_EQ(err_,
            "belfry: 2 jobs begin with `0000000000012`\n  - 0000000000012a3b  hello\n"
            "  - 0000000000012b00  other\n  give more of the id\n");
  EXPECT_EQ(run_cli({"run", "facade"}), kNotFound);
  on("POST /api/v1/jobs/name:facade/trigger", 201, kRun);
  on("GET /api/v1/jobs/name:facade", 200, kJob);
  EXPECT_EQ(run_cli({"run", "facade"}), kOk) << "that is its name";
}

TEST_F(VerbsTest, WorkersShowWhatTheyHoldAndWhatWaits) {
  on("GET /api/v1/workers", 200,
     R"({"now":"2026-11-15T09:00:00Z","exact":true,
         "workers":[{"worker":"w1","region":"eu","takes":[{"kind":"WORKER","name":"mail"},{"kind":"EXEC","name":"x"}],
                     "room":3,"asked_at":"2026-11-15T08:59:50Z","running":0,"runs":[]},
                    {"worker":"w2","region":null,"takes":[],"room":null,"asked_at":null,"running":2,
                     "runs":[{"run_id":"0000000000012a3b000643f1c2a80000","job_name":"backup","job_type":"default",
                              "started_at":"2026-11-15T08:00:00Z"}]}],
         "queues":[{"kind":"TOPIC","name":"kafka","region":null,"waiting":4,"waiting_since":"2026-11-15T08:00:00Z",
                    "running":0,"running_since":null,"asked_for":false}]})");
  EXPECT_EQ(run_cli({"workers"}), kOk) << err_;
  EXPECT_EQ(out_,
            "WORKER  REGION  TAKES               FREE  HOLDS  SEEN                  WORKS ON\n"
            "w1      eu      mail, x (commands)     3      0  2026-11-15T08:59:50Z\n"
            "w2              -                      -      2  2026-11-15T08:00:00Z  backup, …\n"
            "\n"
            "QUEUE         REGION  WAITING  OLDEST                RUNNING\n"
            "broker kafka                4  2026-11-15T08:00:00Z        0  no worker asks\n");
  EXPECT_EQ(run_cli({"workers", "-o", "name"}), kOk);
  EXPECT_EQ(out_, "w1\nw2\n");
}

TEST_F(VerbsTest, ImportTellsFirstAndWritesPaused) {
  const std::string crontab = "# comment\n30 2 * * * backup.sh\n@reboot start.sh\n";
  EXPECT_EQ(run_cli({"import", "crontab", "-", "--tz", "Europe/Berlin"}, crontab), kOk);
  EXPECT_NE(out_.find("1 job: 1 imported, 0 changed, 1 refused"), std::string::npos) << out_;
  EXPECT_NE(err_.find("stdin:2  30 2 * * * backup.sh"), std::string::npos) << err_;
  EXPECT_EQ(sent("POST /api/v1/jobs:batch"), "it was not called");
  on("POST /api/v1/jobs:batch", 200,
     R"({"created":1,"replaced":0,"unchanged":0,"repeated":0,"refused":0,"items":[{"outcome":"CREATED"}]})");
  EXPECT_EQ(run_cli({"import", "crontab", "--write"}, crontab), kOk) << err_;
  EXPECT_EQ(sent("POST /api/v1/jobs:batch")["paused"], true);
  EXPECT_EQ(sent("POST /api/v1/jobs:batch")["jobs"].size(), 1U);
  on("POST /api/v1/jobs:batch", 200,
     R"({"created":0,"replaced":0,"unchanged":0,"repeated":0,"refused":1,
         "items":[{"outcome":"REFUSED","errors":[{"pointer":"/job_name","message":"no"}]}]})");
  EXPECT_EQ(run_cli({"import", "crontab", "--write", "--activate"}, crontab), kPartial);
  EXPECT_EQ(sent("POST /api/v1/jobs:batch")["paused"], false);
}

TEST_F(VerbsTest, TailReadsEventsAndTheRunBehindThem) {
  on("GET /api/v1/events", 200,
     "id: 1-1\nevent: runs\ndata: "
     R"({"at":"2026-11-15T09:00:00Z","count":1,"runs":[{"run_id":"0000000000012a3b000643f1c2a80000","state":"SUCCEEDED"}]})"
     "\n\n");
  Json run = *parse_json(kRun);
  run["state"] = "SUCCEEDED";
  run["started_at"] = "2026-11-15T09:00:00.004Z";
  run["duration"] = "12ms";
  run["result"] = "hello";
  on("GET /api/v1/runs/0000000000012a3b000643f1c2a80000", 200, write_json(run));
  EXPECT_EQ(run_cli({"tail", "-n", "1"}), kOk) << err_;
  EXPECT_EQ(out_, "2026-11-15T09:00:00Z  hello  SUCCEEDED  12ms  lag 4ms  hello\n");
}

TEST_F(VerbsTest, CompletesCommandsFlagsAndJobs) {
  on("GET /api/v1/jobs", 200, std::string(R"({"items":[)") + kJob + R"(],"next_cursor":null})");
  EXPECT_EQ(run_cli({"__complete", "--", "pa"}), kOk);
  EXPECT_EQ(out_, "pause\n");
  run_cli({"__complete", "--", "runs", ""});
  EXPECT_EQ(out_, "list\nget\nlog\ncancel\nunstick\nretry\nhello\n");
  run_cli({"__complete", "--", "pause", "--un"});
  EXPECT_EQ(out_, "--until\n");
  run_cli({"__complete", "--", "pause", "he"});
  EXPECT_EQ(out_, "hello\n");
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(run_cli({"completion", shell}), kOk);
    EXPECT_NE(out_.find("belfry __complete"), std::string::npos);
  }
}

TEST_F(VerbsTest, TheTokenComesFromAFileNotFromAFlag) {
  EXPECT_EQ(run_cli({"ls", "--token-file", "/nonexistent"}), kUsage);
  EXPECT_NE(err_.find("/nonexistent"), std::string::npos);
  EXPECT_EQ(run_cli({"ls", "--token", "bf_x"}), kUsage);
}

TEST_F(VerbsTest, AJobMayBeCalledLikeACommand) {
  on("GET /api/v1/jobs/name:tail/next", 200, kPreview);
  EXPECT_EQ(run_cli({"next", "tail"}), kOk);
  EXPECT_EQ(out_, "2026-11-15T09:00:10Z\n2026-11-15T09:00:20Z\n");
}

}  // namespace
}  // namespace belfry::cli
