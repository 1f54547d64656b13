#include "archive/past_runs.h"

#include "archive/day_file.h"
#include "archive/day_reader.h"
#include "base/text/instant_text.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace belfry::archive {
namespace {

struct PastRun {
  Instant finished_at;
  std::string id;
  std::string line;
};

std::string text_of(const Json& run, const char* name) {
  const auto found = run.find(name);
  return found != run.end() && found->is_string() ? found->get<std::string>() : "";
}

Result<PastRun> read_run(std::string_view line, const std::string& path) {
  BELFRY_TRY(run, parse_json(line));
  const auto finished = parse_instant(text_of(run, "finished_at"));
  const std::string id = text_of(run, "run_id");
  if (id.empty() || !finished) {
    return fail(Errc::kInvalid, "`" + path + "` has a line that is not an archived run");
  }
  return PastRun{*finished, id, std::string(line)};
}

bool matches(const PastFilter& filter, const Json& run) {
  if (!filter.job.empty() && text_of(run, "job_name") != filter.job &&
      text_of(run, "job_id") != filter.job) {
    return false;
  }
  if (!filter.tenant.empty() && text_of(run, "tenant_id") != filter.tenant) return false;
  return filter.state.empty() || text_of(run, "state") == filter.state;
}

bool is_within(const PastFilter& filter, Instant at) {
  return (!filter.from || at >= *filter.from) && (!filter.to || at < *filter.to);
}

bool may_have(const PastFilter& filter, std::chrono::sys_days day) {
  const Instant begin(day.time_since_epoch());
  const Instant end = begin + std::chrono::days(1);
  return (!filter.from || end > *filter.from) && (!filter.to || begin < *filter.to);
}

class PastReader {
 public:
  PastReader(const PastFilter& filter, const std::function<bool(const Json&)>& take)
      : filter_(filter), take_(take) {}

  // False when no more are wanted.
  Result<bool> give_day(std::vector<PastRun> runs) {
    std::ranges::sort(runs, [](const PastRun& a, const PastRun& b) {
      return a.finished_at != b.finished_at ? a.finished_at > b.finished_at : a.id > b.id;
    });
    for (PastRun& run : runs) {
      if (!is_within(filter_, run.finished_at)) continue;
      if (!seen_.insert(std::move(run.id)).second) continue;
      BELFRY_TRY(json, parse_json(run.line));
      if (matches(filter_, json) && !take_(json)) return false;
    }
    return true;
  }

 private:
  const PastFilter& filter_;
  const std::function<bool(const Json&)>& take_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Status read_past_runs(const std::string& folder, const PastFilter& filter,
                      const std::function<bool(const Json&)>& take) {
  BELFRY_TRY(files, list_days(folder));
  std::erase_if(files, [&](const DayFile& file) { return !may_have(filter, file.day); });
  PastReader reader(filter, take);
  for (auto file = files.begin(); file != files.end();) {
    const std::chrono::sys_days day = file->day;
    std::vector<PastRun> runs;
    for (; file != files.end() && file->day == day; ++file) {
      BELFRY_CHECK(read_lines(file->path, [&](std::string_view line) -> Status {
        BELFRY_TRY(run, read_run(line, file->path));
        runs.push_back(std::move(run));
        return {};
      }));
    }
    BELFRY_TRY(goes_on, reader.give_day(std::move(runs)));
    if (!goes_on) break;
  }
  return {};
}

}  // namespace belfry::archive
