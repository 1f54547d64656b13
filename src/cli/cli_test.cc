#include "cli/cli.h"

#include "base/json.h"
#include "base/manual_clock.h"
#include "base/text/instant_text.h"
#include "cli/frame/exit_code.h"

#include <gtest/gtest.h>

#include <sstream>

namespace belfry::cli {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run_cli(std::vector<std::string> arguments, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const ManualClock clock(*parse_instant("2026-11-15T09:00:00.25Z"), BootInstant());
  const int code = run(std::move(arguments), {in, out, err, clock},
                       [](const config::ServeOptions&) { return 42; });
  return {code, out.str(), err.str()};
}

TEST(CliTest, NextPrintsOneInstantALineInTheZonesOffset) {
  const Outcome outcome = run_cli({"cron", "next", "0 9 * * MON-FRI", "--tz", "Europe/Berlin",
                                   "--from", "2026-10-22T12:00:00Z", "-n", "3"});
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_EQ(outcome.out,
            "2026-10-23T09:00:00+02:00\n2026-10-26T09:00:00+01:00\n2026-10-27T09:00:00+01:00\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(CliTest, NextStartsNowAndGivesFive) {
  const Outcome outcome = run_cli({"cron", "next", "0 * * * *"});
  EXPECT_EQ(outcome.out,
            "2026-11-15T10:00:00Z\n2026-11-15T11:00:00Z\n2026-11-15T12:00:00Z\n"
            "2026-11-15T13:00:00Z\n2026-11-15T14:00:00Z\n");
}

TEST(CliTest, NextSaysSoWhenThereIsNone) {
  const Outcome never = run_cli({"cron", "next", "0 0 30 2 *"});
  EXPECT_EQ(never.code, kDifferent);
  EXPECT_EQ(never.out, "");
  EXPECT_NE(never.err.find("never fires"), std::string::npos);
  const Outcome ends = run_cli({"cron", "next", "0 0 0 1 1 * 2027"});
  EXPECT_EQ(ends.code, kOk);
  EXPECT_EQ(ends.out, "2027-01-01T00:00:00Z\n");
  EXPECT_NE(ends.err.find("no fire after"), std::string::npos);
}

TEST(CliTest, PointsAtWhatIsWrong) {
  const Outcome outcome = run_cli({"cron", "next", "0 9 * * MOM"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "belfry: day-of-week: `MOM` is not a weekday; did you mean `MON`?\n"
            "  0 9 * * MOM\n"
            "          ^^^\n");
  EXPECT_NE(run_cli({"cron", "next", "@daily", "--tz", "Berlin"}).err.find("Europe/Berlin"),
            std::string::npos);
  EXPECT_NE(run_cli({"cron", "next", "@daily", "--from", "tomorrow"}).err.find("--from"),
            std::string::npos);
}

TEST(CliTest, BatchAnswersEveryLine) {
  const Outcome outcome = run_cli({"cron", "next", "--batch"},
                                  "30 2 * * *\tAmerica/New_York\t2024-03-09T12:00:00Z\tignored\n"
                                  "@every 90s\tUTC\t2026-01-01T00:00:07Z\n"
                                  "0 0 0 1 1 * 2027\tUTC\t2026-01-01T00:00:00Z\r\n"
                                  "0 0 30 2 *\tUTC\t2026-01-01T00:00:00Z\n"
                                  "0 0 * * FUN\tUTC\t2026-01-01T00:00:00Z\n"
                                  "@daily\tMars/Base\t2026-01-01T00:00:00Z\n"
                                  "@daily\tUTC\tyesterday\n"
                                  "\n");
  EXPECT_EQ(outcome.code, kOk);
  std::istringstream lines(outcome.out);
  std::vector<std::string> line;
  for (std::string text; std::getline(lines, text);) line.push_back(text);
  ASSERT_EQ(line.size(), 8U);
  EXPECT_EQ(line[0],
            "2024-03-10T07:00:00Z 2024-03-11T06:30:00Z 2024-03-12T06:30:00Z 2024-03-13T06:30:00Z "
            "2024-03-14T06:30:00Z");
  EXPECT_EQ(line[1],
            "2026-01-01T00:01:37Z 2026-01-01T00:03:07Z 2026-01-01T00:04:37Z 2026-01-01T00:06:07Z "
            "2026-01-01T00:07:37Z");
  EXPECT_EQ(line[2], "2027-01-01T00:00:00Z -");
  EXPECT_EQ(line[3], "-");
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(line[i].substr(0, 6), "ERROR ") << line[i];
  EXPECT_NE(line[4].find("day-of-week"), std::string::npos);
  EXPECT_NE(line[5].find("timezone"), std::string::npos);
}

TEST(CliTest, BatchTakesTheQuartzDialect) {
  const std::string line = "0 0 12 ? * 2\tUTC\t2026-11-15T00:00:00Z\n";  // 2: Monday in Quartz
  EXPECT_EQ(run_cli({"cron", "next", "--batch", "--dialect", "quartz"}, line).out.substr(0, 20),
            "2026-11-16T12:00:00Z");
  EXPECT_EQ(run_cli({"cron", "next", "--batch"}, line).out.substr(0, 20), "2026-11-17T12:00:00Z");
}

TEST(CliTest, ResolvesHashes) {
  const Outcome outcome =
      run_cli({"cron", "resolve", "--batch"}, "H/15 * * * *\tbillingtenant-42\nH * * * MOM\tx\n");
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "10,25,40,55 * * * *");
  EXPECT_NE(outcome.out.find("\nERROR day-of-week"), std::string::npos);
}

TEST(CliTest, ExplainsInWordsWithFiresAndWarnings) {
  const Outcome outcome =
      run_cli({"cron", "explain", "30 2 * * *", "--tz", "Europe/Berlin", "-n", "2"});
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "At 02:30 every day (Europe/Berlin)");
  EXPECT_NE(outcome.out.find("  Mon 2026-11-16T02:30:00+01:00  in 16h29m\n"), std::string::npos);
  EXPECT_NE(outcome.out.find("28 Mar 2027"), std::string::npos) << outcome.out;
  EXPECT_NE(run_cli({"cron", "explain", "@every 90s"}).out.find("Every 90 seconds"),
            std::string::npos);
  EXPECT_NE(run_cli({"cron", "explain", "H * * * *", "--key", "acme/x"}).out.find("acme/x"),
            std::string::npos);
}

TEST(CliTest, CronAnswersAsJsonAndYaml) {
  for (const char* verb : {"next", "explain"}) {
    const Outcome outcome = run_cli({"cron", verb, "30 2 * * *", "--tz", "Europe/Berlin", "--from",
                                     "2027-03-27T00:00:00Z", "-n", "2", "-o", "json"});
    EXPECT_EQ(outcome.code, kOk);
    const auto json = parse_json(outcome.out);
    ASSERT_TRUE(json) << outcome.out;
    EXPECT_EQ(json->at("timezone"), "Europe/Berlin");
    EXPECT_EQ(json->at("next"),
              Json::array({"2027-03-27T02:30:00+01:00", "2027-03-28T03:00:00+02:00"}));
    EXPECT_EQ(json->at("warnings").size(), 2U);
    EXPECT_FALSE(json->at("sentence").get<std::string>().empty());
  }
  const Outcome yaml = run_cli({"cron", "next", "@every 90s", "-n", "1", "-o", "yaml"});
  EXPECT_NE(yaml.out.find("  - 2026-11-15T09:01:30Z"), std::string::npos) << yaml.out;
  EXPECT_EQ(run_cli({"cron", "next", "0 0 30 2 *", "-o", "json"}).code, kDifferent);
}

TEST(CliTest, UsageErrorsEndWithTwo) {
  EXPECT_EQ(run_cli({"cron"}).code, kUsage);
  EXPECT_EQ(run_cli({"cron", "next"}).code, kUsage);
  EXPECT_EQ(run_cli({"crom"}).code, kUsage);
  EXPECT_EQ(run_cli({"crom"}).err, "belfry: there is no command `crom`\n  did you mean `cron`?\n");
  EXPECT_EQ(run_cli({"cron", "next", "@daily", "-n", "0"}).code, kUsage);
  EXPECT_EQ(run_cli({"cron", "next", "@daily", "--dialect", "mayan"}).code, kUsage);
}

TEST(CliTest, ServeIsHandedToTheServer) {
  EXPECT_EQ(run_cli({"serve", "--lease-ttl", "10s", "--lease-renew", "2s"}).code, 42);
  EXPECT_EQ(run_cli({"serve", "--lease-ttl", "soon"}).code, kUsage);
  EXPECT_EQ(run_cli({"serve", "--lease-ttl", "1s"}).code, kUsage);
}

TEST(CliTest, HelpAndVersion) {
  EXPECT_EQ(run_cli({"--help"}).code, kOk);
  EXPECT_NE(run_cli({}).out.find("Examples:"), std::string::npos);
  EXPECT_EQ(run_cli({"version"}).out.substr(0, 7), "belfry ");
}

}  // namespace
}  // namespace belfry::cli
