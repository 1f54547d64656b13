#include "base/manual_clock.h"
#include "core/job_fields.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/must.h"
#include "transfer/export.h"
#include "transfer/import.h"

#include <gtest/gtest.h>

#include <sstream>

namespace belfry::transfer {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::must;

constexpr TenantId kDefault(1);
const store::Author kAlice{.actor = "alice", .request_id = "req-1"};

// A store with its keys.
struct House {
  explicit House(const ManualClock& clock, std::string with_keys = service::draw_seal_key())
      : store(must(store::open_sqlite(
            {.path = ":memory:", .now = [&clock] { return clock.wall_now(); }}))),
        keys(std::move(with_keys)),
        box(*store, clock, {.read = [this] { return Result<std::string>(keys); }}) {
    EXPECT_TRUE(box.start());
  }

  JobId add(const std::string& name, const std::string& target = R"({"kind":"WORKER"})",
            TenantId tenant = kDefault) {
    core::JobDefinition job{.name = name};
    job.schedule.cron_expression = "0 * * * *";
    job.target = must(box.seal_target(tenant, target, ""));
    job.payload = R"({"b": 1,  "a": 0.10})";
    const store::NewJob wanted{.tenant = tenant, .definition = job};
    return must(store->create_jobs({&wanted, 1})).at(0).id;
  }
  std::string exported() {
    std::ostringstream out;
    EXPECT_TRUE(export_all(*store, out));
    return out.str();
  }
  Result<Imported> import(const std::string& text,
                          core::MissedTicks missed = core::MissedTicks::kSkip) {
    std::istringstream in(text);
    core::ZoneCatalog zones;
    return import_all({*store, box, zones}, in, missed);
  }

  std::unique_ptr<store::Store> store;
  std::string keys;
  service::SecretBox box;
};

class TransferTest : public testing::Test {
 protected:
  ManualClock clock_{from_unix_seconds(1'800'000'000)};
  House old_{clock_};
  House fresh_{clock_, service::draw_seal_key() + "\n" + old_.keys};
};

constexpr const char* kHook =
    R"({"kind":"HTTP","url":"http://x/","headers":{"X-Any":"canary"},"secret":"canary"})";

TEST_F(TransferTest, JobsArriveAsTheyWere) {
  const JobId id = old_.add("hook", kHook);
  const auto before = must(old_.store->find_job(id));
  const std::string text = old_.exported();
  EXPECT_EQ(text.find("canary"), std::string::npos);
  const auto report = must(fresh_.import(text));
  EXPECT_EQ(report.made.at("job"), 1U);
  const auto after = must(fresh_.store->find_job(kDefault, "hook"));
  EXPECT_EQ(after.definition.payload, before.definition.payload);
  EXPECT_EQ(after.definition.policies, before.definition.policies);
  const auto open = [](House& house, const store::JobRow& job) {
    return write_json(
        must(house.box.open_target(job.tenant, must(parse_json(job.definition.target)))));
  };
  EXPECT_EQ(open(fresh_, after), kHook);
  core::JobDefinition same = after.definition;
  same.target = before.definition.target;
  EXPECT_TRUE(core::same_definition(same, before.definition));
}

TEST_F(TransferTest, SecretsOpenUnderTheNewKeyAlone) {
  must(old_.box.put(kDefault, "token", "canary", kAlice));
  must(fresh_.import(old_.exported()));
  const auto row = must(fresh_.store->find_secret(kDefault, "token"));
  EXPECT_EQ(service::SecretBox::key_of(row.sealed), must(fresh_.box.newest_key()));
  EXPECT_EQ(must(fresh_.box.open(kDefault, "named/token", row.sealed)), "canary");
}

TEST_F(TransferTest, WithoutTheOldKeyNothingIsWritten) {
  old_.add("plain");
  old_.add("hook", kHook);
  House stranger(clock_);
  EXPECT_EQ(code_of(stranger.import(old_.exported())), Errc::kInvalid);
  EXPECT_EQ(code_of(stranger.store->find_job(kDefault, "plain")), Errc::kNotFound);
}

TEST_F(TransferTest, TenantsCalendarsTypesAndRulesComeAlong) {
  const TenantId team = must(old_.store->put_tenant({.name = "team", .weight = 3, .max_jobs = 7}));
  must(old_.store->put_calendar(team, "holidays", {"2027-01-01"}, kAlice));
  must(old_.store->put_type({.tenant = team, .name = "mail", .limits = {.max_concurrent = 4}},
                            kAlice));
  const std::string rule = R"({"when":"failed_in_a_row","count":3,"to":[]})";
  must(old_.store->put_alert_rule(team, "watch", rule, kAlice));
  old_.add("ours", R"({"kind":"WORKER"})", team);
  const auto report = must(fresh_.import(old_.exported()));
  const auto tenant = must(fresh_.store->find_tenant("team"));
  EXPECT_EQ(tenant.weight, 3);
  EXPECT_EQ(tenant.max_jobs, 7);
  EXPECT_EQ(must(fresh_.store->find_calendar(tenant.id, "holidays")).rules,
            std::vector<std::string>{"2027-01-01"});
  EXPECT_EQ(must(fresh_.store->find_type(tenant.id, "mail")).limits.max_concurrent, 4);
  EXPECT_TRUE(fresh_.store->find_alert_rule(tenant.id, "watch"));
  EXPECT_TRUE(fresh_.store->find_job(tenant.id, "ours"));
  EXPECT_EQ(report.notes.size(), 0U);
}

TEST_F(TransferTest, WhatIsThereStaysAndASecondImportMakesNothing) {
  old_.add("both");
  fresh_.add("both", R"({"kind":"EXEC","command":["true"]})");
  const std::string text = old_.exported();
  EXPECT_EQ(must(fresh_.import(text)).there.at("job"), 1U);
  EXPECT_EQ(must(fresh_.store->find_job(kDefault, "both")).definition.target,
            R"({"kind":"EXEC","command":["true"]})");
  old_.add("new");
  EXPECT_EQ(must(fresh_.import(old_.exported())).made.at("job"), 1U);
  const auto again = must(fresh_.import(old_.exported()));
  EXPECT_FALSE(again.made.contains("job"));
}

TEST_F(TransferTest, APauseComesAlong) {
  const JobId id = old_.add("paused");
  const Instant until = clock_.wall_now() + 48h;
  must(old_.store->change_job({.job = id,
                               .status = core::JobStatus::kPaused,
                               .paused_until = until,
                               .pause_note = "move",
                               .author = kAlice}));
  must(fresh_.import(old_.exported()));
  const auto job = must(fresh_.store->find_job(kDefault, "paused"));
  EXPECT_EQ(job.status, core::JobStatus::kPaused);
  EXPECT_EQ(job.paused_until, until);
  EXPECT_EQ(job.pause_note, "move");
}

TEST_F(TransferTest, MissedTicksRunAsItIsSaid) {
  old_.add("hourly");
  const std::string text = old_.exported();
  for (const auto& [missed, runs] :
       {std::pair(core::MissedTicks::kSkip, 0), std::pair(core::MissedTicks::kLatest, 1),
        std::pair(core::MissedTicks::kAll, 5)}) {
    ManualClock later{clock_.wall_now() + 5h};
    House house(later, service::draw_seal_key() + "\n" + old_.keys);
    EXPECT_EQ(must(house.import(text, missed)).runs, runs);
  }
}

TEST_F(TransferTest, AFileThatIsCutShortOrOfAnotherKindIsRefused) {
  old_.add("one");
  const std::string text = old_.exported();
  const std::string short_one = text.substr(0, text.rfind("{\"end\""));
  const std::string other = "{\"belfry_export\":{\"format\":99}}\n";
  for (const std::string& wrong : {std::string(), short_one, other, std::string("[]\n"),
                                   "{\"what\":{\"tenant\":\"default\"}}\n" + text}) {
    EXPECT_EQ(code_of(fresh_.import(wrong)), Errc::kInvalid);
  }
  EXPECT_EQ(code_of(fresh_.store->find_job(kDefault, "one")), Errc::kNotFound);
}

}  // namespace
}  // namespace belfry::transfer
