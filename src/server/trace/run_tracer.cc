#include "server/trace/run_tracer.h"

#include "core/id_text.h"
#include "core/spelling.h"

#include <algorithm>
#include <utility>

namespace belfry::server {
namespace {

using trace::Place;
using trace::Span;
using trace::Step;

// Attempts whose begin is remembered; of older ones, and of those that another node granted, the
// store knows it.
constexpr std::size_t kMostBegun = 100'000;

// A run's spans have in common where they belong, and what they say of the run.
class RunSpans {
 public:
  RunSpans(const core::RunRef& run, double ratio)
      : job_(run.job), id_(core::write_run_id(run)), ratio_(ratio) {}

  bool are_sampled() const { return place(Step::kTick).is_sampled; }
  Place place(Step step, Fence fence = {}) const {
    return trace::place_of(id_, step, fence, ratio_);
  }
  // `parent`: none for the root.
  Span span(std::string name, const Place& at, std::optional<Step> parent) const {
    Span span{.place = at,
              .parent = parent ? place(*parent).span : trace::SpanId(),
              .name = std::move(name)};
    span.attributes = {{"belfry.run_id", id_}, {"belfry.job_id", core::write_job_id(job_)}};
    return span;
  }

 private:
  const JobId job_;
  const std::string id_;
  const double ratio_;
};

// In the trace of who asked: what became of it is in the run's own.
Span span_of_asker(const RunSpans& run, const Place& asker, Instant at) {
  Span span = run.span("trigger", asker, {});
  span.parent = asker.span;
  span.place.span = trace::SpanId(run.place(Step::kTrigger).span.value() ^
                                  run.place(Step::kTick).trace.value().low);
  span.kind = trace::Kind::kServer;
  span.start = span.end = at;
  span.link = run.place(Step::kTick);
  return span;
}

}  // namespace

void RunTracer::deciding() {
  deciding_since_ = world_.now();
  world_.next.deciding();
}

void RunTracer::made(std::span<const core::LiveRun> runs, Instant at) {
  for (const core::LiveRun& each : runs) {
    const RunSpans run(each.run, world_.ratio);
    if (!run.are_sampled()) continue;
    Span tick = run.span("tick", run.place(Step::kTick), {});
    tick.start = Instant::from_micros(each.run.key.value());
    tick.end = at;
    tick.attributes.emplace_back("belfry.job_type", each.type.empty() ? each.queue : each.type);
    Span decide = run.span("decide", run.place(Step::kDecide), Step::kTick);
    decide.start = deciding_since_;
    decide.end = at;
    decide.attributes.emplace_back("belfry.partition",
                                   std::int64_t{partition_of(each.run.job).value()});
    world_.exporter.add(std::move(tick));
    world_.exporter.add(std::move(decide));
  }
  world_.next.made(runs, at);
}

void RunTracer::asked(const core::RunRef& ref, Instant at, std::string_view traceparent) {
  const RunSpans run(ref, world_.ratio);
  const auto asker = trace::read_traceparent(traceparent);
  if (run.are_sampled()) {
    Span root = run.span("trigger", run.place(Step::kTick), {});
    root.start = root.end = at;
    root.link = asker;
    world_.exporter.add(std::move(root));
  }
  if (asker && asker->is_sampled) world_.exporter.add(span_of_asker(run, *asker, at));
  world_.next.asked(ref, at, traceparent);
}

void RunTracer::claimed(const store::ClaimedRun& granted, Instant at) {
  const RunSpans run(granted.run, world_.ratio);
  if (run.are_sampled()) {
    Span claim = run.span("claim", run.place(Step::kClaim, granted.fence), Step::kTick);
    claim.start = std::min(granted.due, at);
    claim.end = at;
    claim.attributes.emplace_back("belfry.attempt", std::int64_t{granted.attempt.value()});
    claim.attributes.emplace_back("belfry.job_name", granted.job_name);
    claim.attributes.emplace_back("belfry.job_type", granted.job_type);
    world_.exporter.add(std::move(claim));
    const MutexLock lock(mutex_);
    const core::RunGrant grant{granted.run, granted.fence};
    begun_.insert_or_assign(grant, Begun{granted.attempt, at});
    order_.push_back(grant);
    if (order_.size() > kMostBegun) {
      begun_.erase(order_.front());
      order_.pop_front();
    }
  }
  world_.next.claimed(granted, at);
}

void RunTracer::ended(const store::AttemptEnd& end) {
  const RunSpans run(end.grant.run, world_.ratio);
  if (end.grant.fence != Fence() && run.are_sampled()) {
    Span attempt = run.span("attempt", run.place(Step::kAttempt, end.grant.fence), Step::kTick);
    attempt.end = world_.now();
    attempt.has_failed = end.outcome != core::AttemptOutcome::kSucceeded;
    attempt.error = end.error;
    const auto outcome = core::word_for(end.outcome, core::kAttemptOutcomes);
    attempt.attributes.emplace_back("belfry.outcome", std::string(outcome));
    if (const auto begun = take(end.grant)) {
      attempt.start = begun->at;
      attempt.attributes.emplace_back("belfry.attempt", std::int64_t{begun->attempt.value()});
    } else {
      attempt.start = attempt.end;
      attempt.complete = [this, grant = end.grant](Span& span) { add_begin(span, grant); };
    }
    world_.exporter.add(std::move(attempt));
  }
  world_.next.ended(end);
}

std::optional<RunTracer::Begun> RunTracer::take(const core::RunGrant& grant) {
  const MutexLock lock(mutex_);
  const auto found = begun_.extract(grant);
  if (found.empty()) return std::nullopt;
  return found.mapped();
}

void RunTracer::add_begin(Span& span, const core::RunGrant& grant) const {
  const auto attempts = world_.ledger.attempts_of(grant.run);
  if (!attempts) return;  // its begin is where its claim ends
  const auto found = std::ranges::find(*attempts, grant.fence, &store::AttemptRow::fence);
  if (found == attempts->end()) return;
  span.start = found->started_at;
  span.end = found->finished_at;
  span.attributes.emplace_back("belfry.attempt", std::int64_t{found->attempt.value()});
}

}  // namespace belfry::server
