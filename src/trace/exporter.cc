#include "trace/exporter.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belfry::trace {

Family<Counter>& Exporter::counters(MetricRegistry& metrics) {
  Family<Counter>& spans = metrics.counters(
      "trace_spans_total", "Spans of traces: sent to the collector, or dropped.", {"fate"});
  for (const char* fate : {"sent", "dropped"}) spans.with({fate});
  return spans;
}

Exporter::Exporter(ExporterConfig config, Family<Counter>& spans, Logger& log)
    : config_(std::move(config)),
      log_(log),
      sent_(spans.with({"sent"})),
      dropped_(spans.with({"dropped"})),
      thread_([this] { loop(); }) {}

void Exporter::add(Span span) {
  const MutexLock lock(mutex_);
  if (stopping_ || waiting_.size() >= config_.most_waiting) return dropped_.add();
  waiting_.push_back(std::move(span));
  if (waiting_.size() == config_.spans_per_call) bell_.notify_one();
}

void Exporter::stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    bell_.notify_one();
    if (!ended_) end_bell_.wait_for(mutex_, config_.last_patience);
  }
  client_.interrupt();
  thread_.join();
}

void Exporter::loop() {
  while (true) {
    const bool is_last = is_stopping();
    std::vector<Span> spans = take_some();
    const bool was_idle = spans.empty();
    const bool went_well = was_idle || send(std::move(spans));
    if (is_last && (was_idle || !went_well)) break;
    if (!went_well) rest();
  }
  drop_all();
  const MutexLock lock(mutex_);
  ended_ = true;
  end_bell_.notify_one();
}

std::vector<Span> Exporter::take_some() {
  const MutexLock lock(mutex_);
  if (!stopping_ && waiting_.size() < config_.spans_per_call) {
    bell_.wait_for(mutex_, config_.collect);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), config_.spans_per_call));
  const auto end = waiting_.begin() + count;
  std::vector<Span> spans(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return spans;
}

// A batch that was not taken is not sent again: while a collector is away, newer spans are worth
// more than older ones.
bool Exporter::send(std::vector<Span> spans) {
  for (Span& span : spans) {
    if (span.complete) span.complete(span);
  }
  const Status sent = call(spans);
  (sent ? sent_ : dropped_).add(spans.size());
  note(sent);
  return sent.has_value();
}

Status Exporter::call(std::span<const Span> spans) {
  net::Call call{.method = "POST",
                 .url = config_.endpoint,
                 .headers = config_.headers,
                 .body = encode_request(config_.resource, spans)};
  call.headers.set("Content-Type", "application/x-protobuf");
  BELFRY_TRY(answer, client_.request(call, config_.patience));
  if (answer.status / 100 == 2) return {};
  return fail(Errc::kUnavailable, "the collector answers " + std::to_string(answer.status) + " " +
                                      net::reason_phrase(answer.status));
}

// Tells only of changes.
void Exporter::note(const Status& sent) {
  const bool went_well = pause_ == Duration::zero();
  if (!sent && went_well) {
    log_.warn("traces_not_sent", {{"collector", net::to_string(config_.endpoint)},
                                  {"reason", to_string(sent.error())}});
  }
  if (sent && !went_well) log_.info("traces_sent_again");
  pause_ = sent ? Duration::zero() : std::clamp(pause_ * 2, config_.pause, config_.longest_pause);
}

void Exporter::rest() {
  const MutexLock lock(mutex_);
  if (!stopping_) bell_.wait_for(mutex_, pause_);
}

bool Exporter::is_stopping() const {
  const MutexLock lock(mutex_);
  return stopping_;
}

void Exporter::drop_all() {
  const MutexLock lock(mutex_);
  dropped_.add(waiting_.size());
  waiting_.clear();
}

}  // namespace belfry::trace
