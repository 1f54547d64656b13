#include "store/common/job_pages.h"

#include "core/queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belfry::store {
namespace {

// The most names a page looks at, and the most jobs it reads.
constexpr std::size_t kMostNames = 5'000;
constexpr std::size_t kMostJobs = 1'000;
// An index with fewer names than this is not worth comparing with another.
constexpr std::size_t kFew = 500;
constexpr std::size_t kChunk = 100;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(const std::string& name, const std::string& text) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return !std::ranges::search(name, text, same).empty() || text.empty();
}

// An index to walk along instead of all names, and what is left to check then.
struct Choice {
  JobWalk walk;
  JobFilter rest;
};

std::vector<Choice> choices(const JobFilter& filter) {
  std::vector<Choice> result;
  // No type has that name, so no other walk will do.
  if (filter.job_type == core::checkin_queue()) {
    Choice choice{{.along = JobWalk::Along::kCheckIns}, filter};
    choice.rest.job_type.reset();
    return {std::move(choice)};
  }
  for (std::size_t i = 0; i < filter.labels.size(); ++i) {
    Choice choice{{.along = JobWalk::Along::kLabel, .text = filter.labels[i]}, filter};
    choice.rest.labels.erase(choice.rest.labels.begin() + static_cast<std::ptrdiff_t>(i));
    result.push_back(std::move(choice));
  }
  if (filter.status && *filter.status != core::JobStatus::kActive) {
    Choice choice{{.along = JobWalk::Along::kStatus, .status = *filter.status}, filter};
    // A pause that is over is still among the names of paused jobs.
    if (*filter.status != core::JobStatus::kPaused) choice.rest.status.reset();
    result.push_back(std::move(choice));
  }
  if (filter.job_type && *filter.job_type != core::JobDefinition().job_type) {
    Choice choice{{.along = JobWalk::Along::kType, .text = *filter.job_type}, filter};
    choice.rest.job_type.reset();
    result.push_back(std::move(choice));
  }
  if (filter.failing) {
    Choice choice{{.along = JobWalk::Along::kFailing}, filter};
    choice.rest.failing = false;
    result.push_back(std::move(choice));
  }
  if (result.empty()) result.push_back({{}, filter});
  return result;
}

// The first index that has few names left, or else the first.
Result<Choice> choose(JobReader& reader, const JobFilter& filter, const std::string& after) {
  std::vector<Choice> all = choices(filter);
  for (Choice& choice : all) {
    if (all.size() == 1) break;
    BELFRY_TRY(names, reader.names(choice.walk, after, kFew));
    if (names.size() < kFew) return std::move(choice);
  }
  return std::move(all.front());
}

class JobPageMaker {
 public:
  JobPageMaker(JobReader& reader, Choice choice, std::string after, std::size_t limit)
      : reader_(reader), choice_(std::move(choice)), after_(std::move(after)), limit_(limit) {}

  Result<JobPage> make() {
    std::size_t batch = limit_ + 1;
    for (std::size_t looked = 0; looked < kMostNames;) {
      batch = std::min(batch, kMostNames - looked);
      BELFRY_TRY(names, reader_.names(choice_.walk, after_, batch));
      looked += names.size();
      BELFRY_TRY(ended, add(names));
      if (ended) break;
      if (names.size() < batch) return std::move(page_);
      after_ = names.back();
      batch *= 4;
    }
    page_.next = after_;
    return std::move(page_);
  }

 private:
  // True when the page ends before all names were used; after_ then says where.
  Result<bool> add(const std::vector<std::string>& names) {
    std::vector<std::string> wanted;
    std::ranges::copy_if(names, std::back_inserter(wanted),
                         [this](const auto& name) { return contains(name, choice_.rest.text); });
    std::span<const std::string> left(wanted);
    while (!left.empty()) {
      if (page_.jobs.size() == limit_ || read_ >= kMostJobs) return true;
      const auto some = left.first(std::min(left.size(), chunk()));
      BELFRY_TRY(jobs, reader_.jobs(some, choice_.rest));
      std::ranges::move(jobs, std::back_inserter(page_.jobs));
      read_ += some.size();
      after_ = some.back();
      left = left.subspan(some.size());
      if (page_.jobs.size() > limit_) {
        page_.jobs.resize(limit_);
        after_ = page_.jobs.back().definition.name;
        return true;
      }
    }
    return false;
  }

  // How many jobs to read at once: if all of them will match, no more than there is room for.
  std::size_t chunk() const {
    const JobFilter& rest = choice_.rest;
    const bool all_match = !rest.status && !rest.job_type && rest.labels.empty() && !rest.failing;
    const std::size_t room = limit_ - page_.jobs.size();
    return all_match ? room : std::max(room, kChunk);
  }

  JobReader& reader_;
  Choice choice_;
  std::string after_;
  std::size_t limit_;
  std::size_t read_ = 0;
  JobPage page_;
};

}  // namespace

Result<JobPage> page_of_jobs(JobReader& reader, const JobFilter& filter, const std::string& after,
                             std::size_t limit) {
  BELFRY_TRY(choice, choose(reader, filter, after));
  return JobPageMaker(reader, std::move(choice), after, limit).make();
}

}  // namespace belfry::store
