#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// What alerts have to be told, worked out from what happened by brute force. It shares no code with
// the product, not even its types: a job is a number, and time is seconds since the day began.
namespace belfry::alert_day {

using Seconds = std::int64_t;

enum class Watch : std::uint8_t {
  kInARow,
  kOften,
  kNotStarted,
  kLate,
  kLong,
  kOdd,
  kMissed,
  kIdleType,
  kDeadLetters,
  kZone,
  kClock,
};

struct Rule {
  std::string name;
  Watch watch{};
  int count = 0;
  Seconds within = 0;
  Seconds after = 0;
  int times = 0;  // of kOdd
  int team = -1;  // only its jobs; -1: all
  bool tells_recovery = true;
  Seconds group_wait = 0;
  Seconds quiet_from = -1;  // from then on its calendar keeps it quiet; -1: never
};

// What is negative asks for nothing.
struct Silence {
  std::string rule;
  int job = -1;
  int team = -1;
  int type = -1;
  Seconds until = 0;
};

class Model {
 public:
  struct Shape {
    int jobs = 0;
    int teams = 1;
    int types = 1;
    int nodes = 1;
  };
  Model(Shape shape, std::vector<Rule> rules);

  int team_of(int job) const { return job % shape_.teams; }
  int type_of(int job) const { return job / shape_.teams % shape_.types; }

  // ---- What happens ----
  void tick(int job, Seconds at);
  void miss(int job, Seconds tick);
  void start(int job, Seconds at);
  void end(int job, Seconds at, bool failed);
  void pause(int job, bool paused) { jobs_[static_cast<std::size_t>(job)].paused = paused; }
  void break_zone(int job, bool broken) { jobs_[static_cast<std::size_t>(job)].broken = broken; }
  void set_clock(int node, Seconds offset) { clocks_[static_cast<std::size_t>(node)] = offset; }
  void silence(const Silence& silence) { silences_.push_back(silence); }

  // Somebody has looked, and that took effect.
  void look(Seconds now);

  // What receivers must have been told by now, as "rule|subject|opened|since" and, of what is
  // over, "rule|subject|recovered|since|until".
  const std::multiset<std::string>& told() const { return told_; }
  // What is said to be wrong now: "rule|subject|since".
  std::set<std::string> open() const;
  std::size_t kept_back() const { return kept_back_; }  // ended unheard

 private:
  struct Run {
    Seconds tick = 0;
    std::optional<Seconds> start = {};
    std::optional<Seconds> end = {};
    bool failed = false;
  };
  struct Job {
    std::vector<Run> runs;  // one after the other
    std::optional<Seconds> missed;
    bool paused = false;
    bool broken = false;
  };
  struct Subject {
    int job = -1;
    int type = -1;
    int node = -1;
  };
  struct Episode {
    Seconds since = 0;
    bool quiet = false;
  };
  struct News {
    std::string subject;
    Seconds since = 0;
    std::optional<Seconds> until;  // it is over
    Seconds at = 0;                // when it became news
  };
  using Subjects = std::vector<std::pair<std::string, Subject>>;
  struct State {  // of one rule
    Subjects subjects;
    std::map<std::string, Episode> open;
    std::vector<News> news;
  };

  bool is_wrong(const Rule& rule, const Job& job, Seconds now) const;
  bool is_idle(int type, const Rule& rule, Seconds now) const;
  Subjects subjects_of(const Rule& rule) const;
  bool is_wrong(const Rule& rule, const Subject& subject, Seconds now) const;
  bool is_quiet(const Rule& rule, const Subject& subject, Seconds now) const;
  void judge(const Rule& rule, State& state, Seconds now, std::vector<News>& fresh);
  void tell(const Rule& rule, State& state, Seconds now);

  const Shape shape_;
  const std::vector<Rule> rules_;
  std::vector<Job> jobs_;
  std::vector<Seconds> clocks_;
  std::vector<Silence> silences_;
  std::map<std::string, State> states_;
  std::multiset<std::string> told_;
  std::size_t kept_back_ = 0;
};

}  // namespace belfry::alert_day
