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
    const std::string told = ready();
    if (told.empty()) token();
    const auto cluster = client_.get("/api/v1/cluster");
    if (!cluster) {
      const bool is_refused = cluster.error().kind == Problem::Kind::kRefused;
      if (told.empty() && !is_refused) bad("cluster", cluster.error().what, cluster.error().fix);
      return findings_;
    }
    clock(*cluster);
    owners(*cluster);
    problems(*cluster, told);
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

  // What keeps the node from being ready; empty if it is.
  std::string ready() {
    const auto answer = client_.get("/readyz");
    if (answer) {
      good("ready", "the node is ready: its store answers, its jobs are loaded");
      return {};
    }
    const Problem& problem = answer.error();
    const std::string cause = problem.cause.empty() ? "ready" : problem.cause;
    bad(cause, problem.why + ": " + problem.what,
        problem.remedy.empty() ? "look at the server's log" : problem.remedy);
    return cause;
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

  // This machine's, which need not be the server's.
  void clock(const Json& cluster) {
    const auto server = parse_instant(field(cluster, "now"));
    if (!server) return;
    const Duration offset = session_.now() - *server;
    const Duration size = std::max(offset, -offset);
    const std::string detail = "this machine is " + format_duration(size) +
                               (offset > Duration::zero() ? " ahead of" : " behind") +
                               " the database's clock";
    if (size <= kToleratedOffset) return good("clock", detail);
    bad("clock", detail, "times shown here are off: run a time service (NTP)");
  }

  void owners(const Json& cluster) {
    const Json& partitions = cluster.at("partitions");
    good("partitions", field(partitions, "owned") + " of " + field(partitions, "total") +
                           " partitions have a live owner");
  }

  // What the server says is wrong: it knows, and says the same everywhere.
  void problems(const Json& cluster, const std::string& told) {
    bool well = told.empty();
    for (const Json& problem : cluster.at("problems")) {
      const std::string code = field(problem, "code");
      if (field(problem, "severity") == "note") {
        good(code, field(problem, "sentence"));
        continue;
      }
      well = false;
      if (code != told) bad(code, field(problem, "sentence"), field(problem, "remedy"));
    }
    if (well) good("work", "no tick is late, and no run waits for long");
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
  const bool reached = findings.size() > 3 || well;  // more than zones, files and server
  return well ? int{kOk} : reached ? int{kDifferent} : int{kUnreachable};
}

}  // namespace

void add_doctor_verb(const Program& program) {
  program.verb("doctor", "check the server, the store, clocks, owners and workers", doctor)
      .examples({"belfry doctor", "belfry doctor -o json"});
}

}  // namespace belfry::cli
