#include "api/jobs/registration.h"

#include "api/frame/router.h"
#include "base/digest.h"
#include "core/job_fields.h"

#include <fmt/format.h>

#include <utility>

namespace belfry::api {
namespace {

std::string fingerprint_of(const net::Request& request) {
  std::string text;
  for (const std::uint8_t byte :
       sha256(request.method + " " + request.path + "\n" + request.body)) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

}  // namespace

std::optional<store::IdempotencyKey> idempotency_of(const Call& call,
                                                    std::vector<Complaint>& complaints) {
  auto key = idempotency_key(call.request, complaints);
  if (!key) return {};
  return store::IdempotencyKey{call.principal.tenant, *std::move(key),
                               fingerprint_of(call.request)};
}

Result<store::NewJob> new_job(const Services& services, const Call& call, JobDraft draft,
                              const std::string& pointer, std::vector<Complaint>& complaints) {
  store::NewJob job{.tenant = call.principal.tenant, .definition = std::move(draft.definition)};
  if (!draft.home_region) {
    job.region = services.home_region;
    return job;
  }
  const auto region = services.regions.find(*draft.home_region);
  if (region) {
    job.region = *region;
  } else if (region.error().code != Errc::kInvalid) {
    return fail(region.error());
  } else {
    complaints.push_back(
        {pointer + "/home_region", "invalid", region.error().message, region.error().hint});
  }
  return job;
}

Result<Earlier> find_earlier(const Services& services,
                             const std::optional<store::IdempotencyKey>& idempotency) {
  if (!idempotency) return Earlier();
  return services.store.find_request(*idempotency);
}

bool is_completed_and_same(const store::JobRow& job, const JobDraft& draft) {
  return job.status == core::JobStatus::kCompleted &&
         core::same_definition(draft.definition, job.definition);
}

void answer(const Call& call, const net::Responder& responder, Outcome outcome) {
  send_all_wrong(call, responder, std::move(outcome));
}

}  // namespace belfry::api
