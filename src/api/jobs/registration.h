#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"
#include "api/jobs/job_draft.h"
#include "net/server/responder.h"

#include <optional>
#include <string>
#include <vector>

// What POST, PUT and batches of jobs have in common.
namespace belfry::api {

// The call's Idempotency-Key with a fingerprint of the request, if it has one.
std::optional<store::IdempotencyKey> idempotency_of(const Call& call,
                                                    std::vector<Complaint>& complaints);

// The job that a draft asks for. A region that does not exist is a complaint; errors come from the
// store only.
Result<store::NewJob> new_job(const Services& services, const Call& call, JobDraft draft,
                              const std::string& pointer, std::vector<Complaint>& complaints);

// What would be refused now may have been accepted before under the same key; then that is the
// answer. None: it was not.
using Earlier = std::optional<std::vector<store::RegisteredJob>>;
Result<Earlier> find_earlier(const Services& services,
                             const std::optional<store::IdempotencyKey>& idempotency);

// Whether the job has no tick left and is defined just like the draft: nothing to bring back.
bool is_completed_and_same(const store::JobRow& job, const JobDraft& draft);

void answer(const Call& call, const net::Responder& responder, Outcome outcome);

}  // namespace belfry::api
