#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "core/schedule/zone_catalog.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string_view>
#include <utility>

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

struct Cause {
  std::string code;
  std::string sentence;
  std::string remedy;
};

// What a server that cannot serve says is wrong, from its lines: "code: sentence → remedy".
std::vector<Cause> causes_of(const Problem& problem) {
  constexpr std::string_view kArrow = " → ";
  std::vector<std::string> lines = problem.details;
  if (lines.empty() && !problem.cause.empty()) lines.push_back(problem.what);
  std::vector<Cause> causes;
  for (const std::string& line : lines) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::size_t arrow = line.find(kArrow, colon);
    Cause cause{line.substr(0, colon), line.substr(colon + 2, arrow - colon - 2), ""};
    if (arrow != std::string::npos) cause.remedy = line.substr(arrow + kArrow.size());
    causes.push_back(std::move(cause));
  }
  return causes;
}

// Checks one thing after the other, and skips what needs a server when none answers.
class Doctor {
 public:
  Doctor(client::Client& client, const Session& session) : client_(client), session_(session) {}

  std::vector<Finding> examine() {
    zones();
    files();
    if (!server()) return findings_;
    const bool is_ready = ready();
    if (is_ready) token();
    const auto cluster = client_.get("/api/v1/cluster");
    if (cluster) {
      clock(*cluster);
      owners(*cluster);
      problems(*cluster);
    } else {
      without_cluster(cluster.error(), is_ready);
    }
    tell_rest(is_ready && cluster);
    if (cluster && well_) good("work", "no tick is late, and no run waits for long");
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

  // What /readyz says is wrong waits in `untold_` until somebody tells more of it.
  bool ready() {
    const auto answer = client_.get("/readyz");
    if (answer) {
      good("ready", "the node is ready: its store answers, its jobs are loaded");
      for (const Json& code : answer->value("problems", Json::array())) {
        untold_.push_back({code.get<std::string>(), "the node says so; a key shows more", ""});
      }
      return true;
    }
    untold_ = causes_of(answer.error());
    well_ = false;
    if (untold_.empty()) bad("ready", answer.error().what, "look at the server's log");
    return false;
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
  void problems(const Json& cluster) {
    for (const Json& problem : cluster.at("problems")) {
      const Cause cause{field(problem, "code"), field(problem, "sentence"),
                        field(problem, "remedy")};
      tell(cause, field(problem, "severity") == "note");
    }
  }

  void without_cluster(const Problem& problem, bool is_ready) {
    if (problem.kind == Problem::Kind::kUnreachable) {
      for (const Cause& cause : causes_of(problem)) tell(cause, false);
    }
    const bool is_refused = problem.kind == Problem::Kind::kRefused;
    if (is_ready && !is_refused) bad("cluster", problem.what, problem.fix);
  }

  void tell(const Cause& cause, bool is_note) {
    std::erase_if(untold_, [&](const Cause& each) { return each.code == cause.code; });
    if (is_note) return good(cause.code, cause.sentence);
    well_ = false;
    bad(cause.code, cause.sentence, cause.remedy);
  }

  // Codes that only /readyz told. Where the cluster's answer came without them they are not ours.
  void tell_rest(bool is_known_of) {
    for (const Cause& cause : std::exchange(untold_, {})) {
      if (!is_known_of) {
        tell(cause, false);
      } else {
        tell({cause.code, "told by /readyz alone: another tenant's, or just over", ""}, true);
      }
    }
  }

  client::Client& client_;
  const Session& session_;
  std::vector<Finding> findings_;
  std::vector<Cause> untold_;
  bool well_ = true;
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
