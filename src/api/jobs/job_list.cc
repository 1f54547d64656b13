#include "api/jobs/job_list.h"

#include "api/frame/context.h"
#include "api/frame/paging.h"
#include "api/jobs/job_view.h"
#include "core/queue.h"
#include "core/spelling.h"

namespace belfry::api {
namespace {

store::JobFilter read_filter(const Call& call, std::vector<Complaint>& complaints) {
  store::JobFilter filter{.tenant = call.principal.tenant};
  bool check_ins = false;
  for (const net::Parameter& given : call.request.query) {
    if (given.name == "label") {
      filter.labels.push_back(given.value);
      if (given.value.find('=') == std::string::npos) {
        complaints.push_back({"?label", "invalid", "a label is written name=value", ""});
      }
    }
    if (given.name == "job_type") filter.job_type = given.value;
    if (given.name == "q") filter.text = given.value;
    if (given.name == "failing") {
      filter.failing = given.value == "true";
      if (!filter.failing) {
        complaints.push_back({"?failing", "invalid", "`failing` can only be true", ""});
      }
    }
    if (given.name == "checkin") {
      check_ins = given.value == "true";
      if (!check_ins) {
        complaints.push_back({"?checkin", "invalid", "`checkin` can only be true", ""});
      }
    }
    if (given.name != "status") continue;
    filter.status = core::meaning_of(given.value, core::kJobStatuses);
    if (!filter.status || filter.status == core::JobStatus::kDeleted) {
      complaints.push_back({"?status", "invalid", "`" + given.value + "` is not a status",
                            "one of ACTIVE, PAUSED, CANCELLED, COMPLETED"});
    }
  }
  if (!check_ins) return filter;
  if (filter.job_type) {
    complaints.push_back({"?checkin", "invalid", "`checkin` and `job_type` do not go together",
                          "leave one of them out"});
  }
  filter.job_type = core::checkin_queue();
  return filter;
}

// A text that tells filters apart.
std::string text_of(const net::Request& request) {
  std::string text;
  for (const net::Parameter& given : request.query) {
    if (given.name != "cursor" && given.name != "limit") {
      text += given.name + "=" + given.value + "\n";
    }
  }
  return text;
}

Outcome list_jobs(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const store::JobFilter filter = read_filter(call, complaints);
  const std::string filter_text = text_of(call.request);
  const Page page = read_page(call.request, filter_text, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.list_jobs(filter, page.cursor, page.limit));
  std::vector<JobId> ids;
  for (const store::JobRow& job : found.jobs) ids.push_back(job.id);
  BELFRY_NEED(health, services.store.health_of(ids));
  Json items = Json::array();
  for (std::size_t i = 0; i < found.jobs.size(); ++i) {
    Json item = show_job(services, call, found.jobs[i], health[i]);
    item.erase("target");  // a list carries neither
    item.erase("payload");
    items.push_back(std::move(item));
  }
  return page_response(call.request, std::move(items), found.next, filter_text);
}

}  // namespace

std::vector<Route> job_list_routes() {
  return {{"GET",
           "/api/v1/jobs",
           Access::kRead,
           at_once(list_jobs),
           {"status", "job_type", "label", "q", "failing", "checkin", "cursor", "limit"}}};
}

}  // namespace belfry::api
