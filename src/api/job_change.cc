#include "api/job_change.h"

#include "api/job_view.h"

namespace belfry::api {

net::Response job_response(const Services& services, const Call& call, const store::JobRow& job,
                           int status) {
  net::Response response = json_response(status, show_job(services, call, job));
  response.headers.set("ETag", etag_of(job));
  return response;
}

Outcome change_job(const Services& services, const Call& call, store::JobStore::JobChange wanted) {
  BELFRY_NEED(revision, if_match(call.request));
  wanted.if_revision = revision;
  wanted.author = call.author();
  const auto changed = services.store.change_job(wanted, services.settle);
  if (changed) return job_response(services, call, *changed);
  const bool outdated =
      changed.error().code == Errc::kConflict && changed.error().field == "revision";
  if (!outdated) return changed.error();
  return Problem{.status = 412,
                 .code = "version_mismatch",
                 .title = "The job has changed since it was read",
                 .detail = changed.error().message + "; read it again and repeat the change"};
}

}  // namespace belfry::api
