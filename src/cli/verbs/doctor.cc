#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "core/schedule/zone_catalog.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr Duration kToleratedOffset = std::chrono::seconds(2);
constexpr Duration kToleratedWait = std::chrono::minutes(1);
constexpr rlim_t kEnoughFiles = 1'024;

struct Finding {
  std::string check;
  bool good = true;
  std::string detail;
  std::string remedy;
};

// Checks one thing after the other, and skips what needs a server when none answers.
class Doctor {
 public:
  Doctor(client::Client& client, const Session& session) : client_(client), session_(session) {}

  std::vector<Finding> examine() {
    zones();
    files();
    if (!server()) return findings_;
    ready();
    token();
    if (const auto cluster = client_.get("/api/v1/cluster")) {
      clocks(*cluster);
      owners(*cluster);
      decisions(*cluster);
    }
    if (const auto stats = client_.get("/api/v1/stats")) waiting(*stats);
    return findings_;
  }

 private:
  void good(const std::string& check, std::string detail) {
    findings_.push_back({check, true, std::move(detail), ""});
  }
  void bad(const std::string& check, std::string detail, std::string remedy) {
    findings_.push_back({check, false, std::move(detail), std::move(remedy)});
  }

  void zones() {
    core::ZoneCatalog catalog;
    for (const char* name : {"UTC", "Europe/Berlin", "America/New_York"}) {
      if (const auto zone = catalog.find(name); !zone) {
        return bad("time zones", to_string(zone.error()), "install the package tzdata");
      }
    }
    good("time zones", "the time-zone database loads");
  }

  void files() {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::string detail = "this shell may open " + grouped(limit.rlim_cur) + " files";
    if (limit.rlim_cur >= kEnoughFiles) return good("file limit", detail);
    bad("file limit", detail, "a server wants more connections: ulimit -n 65536 (LimitNOFILE=)");
  }

  bool server() {
    const Clock& clock = session_.terminal().clock;
    const BootInstant begin = clock.boot_now();
    const auto health = client_.get("/healthz");
    if (!health) {
      bad("server",
          health.error().what + (health.error().why.empty() ? "" : ": ") + health.error().why,
          health.error().fix);
      return false;
    }
    good("server", client_.server() + " answers in " + format_duration(clock.boot_now() - begin));
    return true;
  }

  void ready() {
    const auto answer = client_.get("/readyz");
    if (answer)
      return good("store",
                  "the node is ready: its store answers, its schema fits, its jobs are loaded");
    bad("store", answer.error().what, "look at the server's log, and at the database");
  }

  void token() {
    const auto read = client_.get("/api/v1/stats");
    if (!read && read.error().kind == Problem::Kind::kRefused) {
      return bad("key", read.error().what, read.error().fix);
    }
    if (!read) return bad("key", read.error().what, "look at the server's log");
    const bool admin = client_.get("/api/v1/keys").has_value();
    good("key", admin ? "it may administer" : "it may read; keys and tenants need an admin key");
  }

  void clocks(const Json& cluster) {
    const auto server = parse_instant(field(cluster, "now"));
    if (!server) return;
    const Duration offset = session_.now() - *server;
    const Duration size = std::max(offset, -offset);
    const std::string detail = "this machine is " + format_duration(size) +
                               (offset > Duration::zero() ? " ahead of" : " behind") +
                               " the database's clock";
    if (size <= kToleratedOffset) return good("clock", detail);
    bad("clock", detail,
        "jobs are safe (the database's clock decides), but times shown are off: run NTP");
  }

  void owners(const Json& cluster) {
    const Json& partitions = cluster.at("partitions");
    const auto total = partitions.value("total", 0);
    const auto owned = partitions.value("owned", 0);
    const std::string detail =
        std::to_string(owned) + " of " + std::to_string(total) + " partitions have a live owner";
    if (owned == total) return good("partitions", detail);
    bad("partitions", detail,
        "start a node for the region that has none; `belfry cluster` shows it");
  }

  void decisions(const Json& cluster) {
    const auto now = parse_instant(field(cluster, "now"));
    const auto oldest = parse_instant(field(cluster.at("partitions"), "oldest_decided_through"));
    if (!now || !oldest) return;
    const Duration behind = std::max(*now - *oldest, Duration::zero());
    const std::string detail = "ticks are decided up to " + format_duration(behind) + " ago";
    if (behind <= kToleratedWait) return good("decisions", detail);
    bad("decisions", detail, "look for overload or a lost node: `belfry cluster`, /metrics");
  }

  void waiting(const Json& stats) {
    const auto now = parse_instant(field(stats, "now"));
    const auto oldest = parse_instant(field(stats, "oldest_ready_at"));
    const std::string ready = field(stats.at("runs").at("ready"), "value");
    if (!now || !oldest || *now - *oldest <= kToleratedWait) {
      return good("workers", ready + " runs wait, none of them long");
    }
    bad("workers", ready + " runs wait for a worker, one since " + field(stats, "oldest_ready_at"),
        waiting_types());
  }

  // Which workers are missing.
  std::string waiting_types() {
    std::string types;
    if (const auto runs = client_.get("/api/v1/runs", {{"state", "READY"}, {"limit", "100"}})) {
      for (const Json& run : runs->at("items")) {
        const std::string type = "`" + field(run, "job_type") + "`";
        if (types.find(type) == std::string::npos) types += (types.empty() ? "" : ", ") + type;
      }
    }
    return types.empty() ? "start workers" : "start workers for the type " + types;
  }

  client::Client& client_;
  const Session& session_;
  std::vector<Finding> findings_;
};

Answer<int> doctor(Session& session) {
  BELFRY_TRY(client, session.client());
  const std::vector<Finding> findings = Doctor(*client, session).examine();
  Json list = Json::array();
  bool well = true;
  for (const Finding& finding : findings) {
    well = well && finding.good;
    list.push_back({{"check", finding.check},
                    {"passed", finding.good},
                    {"detail", finding.detail},
                    {"remedy", finding.remedy}});
    if (!session.is_table()) continue;
    session.out() << painted(finding.good ? "✓" : "✗", finding.good ? Paint::kGood : Paint::kBad,
                             session.look())
                  << ' ' << finding.check
                  << std::string(12 - std::min<std::size_t>(11, finding.check.size()), ' ')
                  << clean(finding.detail) << '\n';
    if (!finding.remedy.empty())
      session.out() << "              → " << clean(finding.remedy) << '\n';
  }
  if (!session.is_table()) session.print(list);
  const bool reached = findings.size() > 3 || well;
  return well ? int{kOk} : reached ? int{kDifferent} : int{kUnreachable};
}

}  // namespace

void add_doctor_verb(const Program& program) {
  program.verb("doctor", "check the server, the store, clocks, owners and workers", doctor);
}

}  // namespace belfry::cli
