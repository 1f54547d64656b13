// How long a page of a list takes among a million jobs of one tenant: the 95th percentile of pages
// that begin all over the list. The goal is 20 ms, on both stores, for every filter.
//
// usage: lists_bench [jobs] [sqlite|postgres]
#include "base/real_clock.h"
#include "bench/must.h"
#include "bench/served_port.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/child_process.h"
#include "tests/support/postgres_server.h"
#include "tests/support/raw_client.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

namespace belfry {
namespace {

using bench::must;
using BenchClock = std::chrono::steady_clock;
using store::JobFilter;
constexpr double kGoalMillis = 20;
constexpr TenantId kTenant{1};
constexpr int kPages = 100;
constexpr std::size_t kLimit = 100;

std::string name_of(std::uint64_t number) {
  // Spread, so that neighbours by name were not made together.
  char text[40];
  std::snprintf(text, sizeof text, "job-%08llx-report",
                static_cast<unsigned long long>(number * 2654435761U % 4294967296U));
  return text;
}

void fill(store::Store& store, std::uint64_t jobs) {
  const auto begin = BenchClock::now();
  std::vector<store::JobStore::NewJob> batch;
  for (std::uint64_t i = 0; i < jobs; ++i) {
    store::JobStore::NewJob job{.tenant = kTenant, .region = RegionNo(0)};
    job.definition.name = name_of(i);
    job.definition.schedule.cron_expression = "0 0 * * *";
    if (i % 2 == 0) job.definition.labels = R"({"half":"even"})";
    if (i % 100'000 == 77) job.definition.labels = R"({"rare":"1"})";
    if (i % 50'000 == 33) job.definition.job_type = "mail";
    batch.push_back(std::move(job));
    if (batch.size() < 5'000 && i + 1 < jobs) continue;
    const auto made = must(store.create_jobs(batch));
    if (batch.size() > 11) {
      must(store.change_job({.job = made[11].id, .status = core::JobStatus::kPaused}));
    }
    batch.clear();
  }
  const std::chrono::duration<double> took = BenchClock::now() - begin;
  std::printf("  %.0f jobs a second registered\n", static_cast<double>(jobs) / took.count());
}

bool report(const char* what, std::vector<double> millis, std::size_t found) {
  std::ranges::sort(millis);
  const double p95 = millis[millis.size() * 95 / 100];
  const bool met = p95 <= kGoalMillis;
  std::printf("  %-28s p50 %6.2f ms  p95 %6.2f ms  %7zu found  %s\n", what,
              millis[millis.size() / 2], p95, found, met ? "met" : "MISSED");
  std::fflush(stdout);
  return met;
}

bool measure(store::Store& store, const char* what, const JobFilter& filter) {
  std::vector<double> millis;
  std::size_t found = 0;
  std::string after;
  for (int i = 0; i < kPages; ++i) {
    // Half of the pages follow each other, half begin anywhere.
    const std::string from = i % 2 == 0 ? after : name_of(static_cast<std::uint64_t>(i) * 9'973);
    const auto begin = BenchClock::now();
    const store::JobPage page = must(store.list_jobs(filter, from, kLimit));
    const std::chrono::duration<double, std::milli> took = BenchClock::now() - begin;
    millis.push_back(took.count());
    found += page.jobs.size();
    if (i % 2 == 0) after = page.next.value_or("");
  }
  return report(what, std::move(millis), found);
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) {
    ++found;
  }
  return found;
}

// GET /jobs, page after page, as a client sees it.
bool measure_calls(std::uint16_t port, const char* what, const std::string& query) {
  test::RawClient client(port);
  std::vector<double> millis;
  std::size_t found = 0;
  std::string cursor;
  for (int i = 0; i < kPages; ++i) {
    const std::string from = cursor.empty() ? "" : "&cursor=" + cursor;
    const auto begin = BenchClock::now();
    client.send("GET /api/v1/jobs?limit=100" + query + from +
                " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const auto response = client.read_response();
    const std::chrono::duration<double, std::milli> took = BenchClock::now() - begin;
    if (response.status != 200) {
      std::printf("%d: %s\n", response.status, response.body.c_str());
      std::exit(1);
    }
    millis.push_back(took.count());
    found += count(response.body, "\"job_id\"");
    std::smatch next;
    const std::regex pattern("\"next_cursor\": ?\"([^\"]*)\"");
    cursor = std::regex_search(response.body, next, pattern) ? next[1].str() : "";
  }
  return report(what, std::move(millis), found);
}

bool run_calls(const std::string& url) {
  std::printf("PostgreSQL, the same by GET /jobs\n");
  const test::ChildProcess server(
      {BELFRY_BINARY, "serve", "--store", url, "--listen", "127.0.0.1:0", "--with-worker", "off"});
  const std::uint16_t port = bench::served_port(server);
  bool met = measure_calls(port, "no filter", "");
  met &= measure_calls(port, "a rare label", "&label=rare%3D1");
  met &= measure_calls(port, "a common label", "&label=half%3Deven");
  met &= measure_calls(port, "paused", "&status=PAUSED");
  met &= measure_calls(port, "active", "&status=ACTIVE");
  met &= measure_calls(port, "text: in all names", "&q=REPORT");
  return met;
}

bool run(const char* name, store::Store& store, std::uint64_t jobs) {
  std::printf("%s, %llu jobs of one tenant, pages of %zu\n", name,
              static_cast<unsigned long long>(jobs), kLimit);
  fill(store, jobs);
  bool met = measure(store, "no filter", {.tenant = kTenant});
  met &= measure(store, "a rare label", {.tenant = kTenant, .labels = {"rare=1"}});
  met &= measure(store, "a common label", {.tenant = kTenant, .labels = {"half=even"}});
  met &= measure(store, "both, which nobody has",
                 {.tenant = kTenant, .labels = {"half=even", "rare=1"}});
  met &= measure(store, "paused", {.tenant = kTenant, .status = core::JobStatus::kPaused});
  met &= measure(store, "active", {.tenant = kTenant, .status = core::JobStatus::kActive});
  met &= measure(store, "a rare type", {.tenant = kTenant, .job_type = "mail"});
  met &= measure(store, "text: a beginning", {.tenant = kTenant, .text = "job-00"});
  met &= measure(store, "text: in all names", {.tenant = kTenant, .text = "REPORT"});
  met &= measure(store, "text: in no name", {.tenant = kTenant, .text = "nothing"});
  return met;
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  using namespace belfry;
  const std::uint64_t jobs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::string which = argc > 2 ? argv[2] : "";
  bool met = true;
  if (which != "sqlite") {
    const std::string url = test::PostgresServer::shared().fresh_database();
    const auto postgres = must(store::open_postgres({.url = url}));
    met &= run("PostgreSQL", *postgres, jobs);
    met &= run_calls(url);
  }
  if (which != "postgres") {
    const RealClock clock;
    const auto sqlite =
        must(store::open_sqlite({.path = ":memory:", .now = [&] { return clock.wall_now(); }}));
    met &= run("SQLite", *sqlite, jobs);
  }
  return met ? 0 : 1;
}
