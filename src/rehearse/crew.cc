#include "rehearse/crew.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::rehearse {
namespace {

constexpr Duration kLease = std::chrono::days(36'525);  // nobody falls silent here

class Everybody final : public engine::Hands::Reservation {
 public:
  Everybody(std::size_t runs, const store::Taker& taker) : takers_(runs, &taker) {}
  const std::vector<const store::Taker*>& takers() const override { return takers_; }

 private:
  std::vector<const store::Taker*> takers_;
};

}  // namespace

Crew::Crew(WorkOf work_of, const Clock& clock)
    : work_of_(std::move(work_of)), clock_(clock), taker_{.worker = "crew", .lease = kLease} {}

std::unique_ptr<engine::Hands::Reservation> Crew::reserve(std::span<const Run> runs) {
  return std::make_unique<Everybody>(runs.size(), taker_);
}

void Crew::deliver(std::unique_ptr<Reservation>, std::vector<store::ClaimedRun> granted) {
  for (const store::ClaimedRun& run : granted) begin(run);
}

void Crew::begin(const store::ClaimedRun& run) {
  const Work work = work_of_(run.run.job);
  const store::RunGrant grant{run.run, run.fence};
  const Instant end = clock_.wall_now() + work.takes;
  if (end > run.deadline) {
    deadlines_.push({run.deadline, grant});
  } else {
    ends_.push({end, grant});
  }
  ++busy_;
  if (work.is_replaceable) replaceable_.insert(grant);
}

std::optional<Instant> Crew::next() const {
  std::optional<Instant> first;
  if (!ends_.empty()) first = ends_.top().at;
  if (!deadlines_.empty() && (!first || deadlines_.top().at < *first)) first = deadlines_.top().at;
  return first;
}

std::vector<store::RunGrant> Crew::take_done() {
  std::vector<store::RunGrant> done;
  while (!ends_.empty() && ends_.top().at <= clock_.wall_now()) {
    done.push_back(ends_.top().grant);
    ends_.pop();
  }
  return done;
}

bool Crew::take_overdue() {
  bool any = false;
  while (!deadlines_.empty() && deadlines_.top().at <= clock_.wall_now()) {
    deadlines_.pop();
    any = true;
  }
  return any;
}

}  // namespace belfry::rehearse
