#include "deliver/topic/cloud_event.h"

#include "base/text/instant_text.h"
#include "base/verbatim.h"

namespace belfry::deliver {

std::string cloud_event_of(const Delivery& delivery) {
  // Names of extensions have only lower-case letters and digits; a fence is not a 32-bit integer.
  return write_json(
      {{"specversion", "1.0"},
       {"id", delivery.run_id},
       {"source", delivery.job_id.empty() ? "/belfry/alerts" : "/belfry/jobs/" + delivery.job_id},
       {"type", delivery.event},
       {"subject", delivery.job_name},
       {"time", format_instant(delivery.scheduled_for)},
       {"datacontenttype", "application/json"},
       {"jobtype", delivery.job_type},
       {"idempotencykey", delivery.run_id},
       {"fence", std::to_string(delivery.grant.fence.value())},
       {"attempt", delivery.attempt.value()},
       {"scheduledfor", format_instant(delivery.scheduled_for)},
       {"standsfor", delivery.stands_for},
       {"traceparent", delivery.traceparent},
       {"data", delivery.payload.empty() ? Json() : verbatim(delivery.payload)}});
}

}  // namespace belfry::deliver
