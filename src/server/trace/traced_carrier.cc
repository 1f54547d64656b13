#include "server/trace/traced_carrier.h"

#include <utility>

namespace belfry::server {
namespace {

trace::Span span_of(const deliver::Delivery& delivery, const trace::Place& place,
                    trace::Kind kind) {
  const trace::Place attempt =
      trace::place_of(delivery.run_id, trace::Step::kAttempt, delivery.grant.fence, 1);
  return {.place = place,
          .parent = attempt.span,
          .name = "delivery",
          .kind = kind,
          .attributes = {{"belfry.run_id", delivery.run_id},
                         {"belfry.job_id", delivery.job_id},
                         {"belfry.job_name", delivery.job_name},
                         {"belfry.attempt", std::int64_t{delivery.attempt.value()}}}};
}

// What was put off was not tried.
bool is_failure(deliver::Ending ending) {
  return ending != deliver::Ending::kSucceeded && ending != deliver::Ending::kHandedOver &&
         ending != deliver::Ending::kPutOff;
}

}  // namespace

void TracedCarrier::start(deliver::Delivery delivery, deliver::Done done) {
  const auto place = trace::read_traceparent(delivery.traceparent);
  if (!place || !place->is_sampled) {
    return carrier_->start(std::move(delivery), std::move(done));
  }
  trace::Span span = span_of(delivery, *place, kind_);
  span.start = now_();
  carrier_->start(std::move(delivery), [this, span = std::move(span),
                                        done = std::move(done)](deliver::Outcome outcome) mutable {
    span.end = now_();
    span.has_failed = is_failure(outcome.ending);
    span.error = outcome.error;
    exporter_.add(std::move(span));
    done(std::move(outcome));
  });
}

}  // namespace belfry::server
