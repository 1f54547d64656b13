#pragma once

#include "base/ids.h"
#include "core/alerts/rule.h"

#include <optional>
#include <string>
#include <vector>

// Which alerts begin and which end, given what is known of the jobs. Pure: whoever looks again at
// the same facts comes to the same answer.
namespace belfry::core {

// What a rule can see of one job. Jobs of which there is nothing to tell need not be among them.
struct AlertJob {
  JobId job;
  std::string name;
  std::string job_type;
  std::vector<std::string> labels;  // each `key=value`
  bool paused = false;
  std::int64_t failures_in_a_row = 0;
  std::vector<Instant> failures;          // when runs failed, newest first
  std::optional<Instant> waits_since;     // when the oldest run that nobody started was due
  std::optional<Instant> unstarted_tick;  // and the time it is for
  std::optional<Duration> last_lag;       // of the run that began last: how late it began
  std::optional<Instant> runs_since;      // when the oldest run in hand began
  std::optional<Duration> usual;          // how long its runs take: the median of the last ones
  std::optional<Instant> missed;          // the last missed tick, if no run came after it
  std::int64_t dead_letters = 0;
  std::optional<std::string> broken;  // why its schedule cannot be evaluated
};

// A line of runs that wait, with nobody who has one.
struct AlertQueue {
  std::string job_type;
  Instant waits_since;
  std::int64_t waiting = 0;
  std::string region = {};  // whose workers may have them, if there are several
};

// A node that is alive, and how far its clock is ahead of the database's.
struct AlertNode {
  std::string name;
  Duration clock_offset{};
};

struct AlertFacts {
  Instant now;
  std::vector<AlertJob> jobs;
  std::vector<AlertQueue> queues;
  std::vector<AlertNode> nodes;
};

struct OpenAlert {
  std::uint64_t id = 0;
  std::string rule;
  std::string subject;
  bool quiet = false;  // it began while quiet, and nobody was told
};

// Until when a rule (empty: any) says nothing of some jobs.
struct AlertSilence {
  std::string rule;
  AlertScope scope;
};

struct AlertVerdict {
  struct Opening {
    std::string rule;
    // The name of a job, a job type or a node, or `*` for all that the rule watches.
    std::string subject;
    std::optional<JobId> job;
    std::string sentence;
    bool quiet = false;  // nobody is told before what keeps it quiet is over
  };
  struct Ending {
    std::uint64_t id = 0;
    bool quiet = false;    // nobody is told
    bool unheard = false;  // nor of its beginning, if nobody was told of that yet
  };
  std::vector<Opening> opens;
  std::vector<Ending> ends;
  std::vector<std::uint64_t> unhushed;  // what kept these quiet is over: they may be told
};

// Of one tenant. `quiet_rules` are those whose calendar says that they keep quiet now. What begins
// while it is quiet (a paused job, a silence, a calendar) is remembered and told afterwards, if it
// is still wrong then. What ends while it is quiet ends unheard.
AlertVerdict judge_alerts(const std::vector<AlertRule>& rules, const AlertFacts& facts,
                          const std::vector<OpenAlert>& open,
                          const std::vector<AlertSilence>& silences,
                          const std::vector<std::string>& quiet_rules);

// Whether a job is one that the scope names.
bool is_in_scope(const AlertScope& scope, const AlertJob& job);

// Half of them are longer; none below five of them: too few to call anything usual.
std::optional<Duration> usual_duration(std::vector<Duration> durations);

}  // namespace belfry::core
