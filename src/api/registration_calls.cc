#include "api/registration_calls.h"

#include "api/ids_text.h"
#include "api/job_change.h"
#include "api/job_codec.h"
#include "api/job_draft.h"
#include "api/job_view.h"
#include "api/services.h"
#include "net/digest.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

namespace belfry::api {
namespace {

constexpr std::size_t kMostJobs = 10'000;

using Registered = store::RegisteredJob::Outcome;

std::string fingerprint_of(const net::Request& request) {
  std::string text;
  for (const std::uint8_t byte :
       net::sha256(request.method + " " + request.path + "\n" + request.body)) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

std::optional<store::Once> once_of(const Call& call, std::vector<Complaint>& complaints) {
  auto key = idempotency_key(call.request, complaints);
  if (!key) return {};
  return store::Once{call.principal.tenant, *std::move(key), fingerprint_of(call.request)};
}

const char* word_of(Registered outcome) {
  switch (outcome) {
    case Registered::kCreated: return "CREATED";
    case Registered::kReplaced: return "REPLACED";
    case Registered::kUnchanged: return "UNCHANGED";
    case Registered::kRepeated: break;
  }
  return "REPEATED";
}

store::NewJob new_job(const Services& services, const Call& call, const JobDraft& draft,
                      const std::string& pointer, std::vector<Complaint>& complaints) {
  store::NewJob job{.tenant = call.principal.tenant, .definition = draft.definition};
  if (!draft.home_region) {
    job.region = services.home_region;
    return job;
  }
  const auto region = services.regions.find(*draft.home_region);
  if (region) {
    job.region = *region;
  } else {
    complaints.push_back(
        {pointer + "/home_region", "invalid", region.error().message, region.error().hint});
  }
  return job;
}

net::Response registered_response(const Services& services, const Call& call,
                                  const store::RegisteredJob& registered) {
  const store::JobRow& job = registered.job;
  const bool made =
      registered.outcome == Registered::kCreated || registered.outcome == Registered::kRepeated;
  net::Response response = json_response(made ? 201 : 200, show_job(services, call, job));
  response.headers.set("ETag", etag_of(job));
  if (made) response.headers.set("Location", "/api/v1/jobs/" + write_job_id(job.id));
  if (registered.outcome == Registered::kRepeated)
    response.headers.set("Idempotent-Replayed", "true");
  return response;
}

// Registers one job and answers with it.
void register_one(const Services& services, Call call, const net::Responder& responder,
                  Registrar::Request request) {
  const auto shared = std::make_shared<Call>(std::move(call));
  services.registrar.submit(
      std::move(request), [&services, shared, responder](store::JobStore::Registered registered) {
        Outcome outcome = registered
                              ? Outcome(registered_response(services, *shared, registered->at(0)))
                              : Outcome(problem_with_job(registered.error()));
        responder.send(std::move(outcome).to_response(shared->request_id));
      });
}

void refuse(const Call& call, const net::Responder& responder, Outcome outcome) {
  responder.send(std::move(outcome).to_response(call.request_id));
}

void create_job(const Services& services, Call call, const net::Responder& responder) {
  const auto body = read_body(call.request);
  if (!body) return refuse(call, responder, body.error());
  std::vector<Complaint> complaints;
  Registrar::Request request{.author = call.author(), .once = once_of(call, complaints)};
  const JobDraft draft = read_job(*body, "", {.now = services.now()}, complaints);
  check_draft(services, call, draft, "", complaints);
  request.jobs.push_back(new_job(services, call, draft, "", complaints));
  if (!complaints.empty()) return refuse(call, responder, invalid(std::move(complaints)));
  register_one(services, std::move(call), responder, std::move(request));
}

// The job that PUT is about: by id it has to be there, by name it may be made.
struct PutTarget {
  std::optional<store::JobRow> job;
  std::string name;
};

Result<PutTarget> put_target(const Services& services, const Call& call) {
  constexpr std::string_view kByName = "name:";
  auto job = find_job(services, call);
  const std::string& named = call.at("job");
  if (job) return PutTarget{*job, job->definition.name};
  if (job.error().code != Errc::kNotFound || !named.starts_with(kByName)) return fail(job.error());
  return PutTarget{{}, named.substr(kByName.size())};
}

// What PUT may change only under a condition goes through the job's own change.
Outcome put_existing(const Services& services, const Call& call, const store::JobRow& job,
                     const JobDraft& draft) {
  return change_job(services, call,
                    {.job = job.id,
                     .definition = draft.definition,
                     .reschedules = !core::same_ticks(draft.definition, job.definition)});
}

void put_job(const Services& services, Call call, const net::Responder& responder) {
  const auto body = read_body(call.request);
  if (!body) return refuse(call, responder, body.error());
  const auto target = put_target(services, call);
  if (!target) return refuse(call, responder, target.error());
  if (auto problem = check_if_match(call, target->job)) return refuse(call, responder, *problem);
  std::vector<Complaint> complaints;
  Json named = *body;
  if (named.is_object() && !named.contains("job_name")) named["job_name"] = target->name;
  const JobDraft draft =
      read_job(named, "",
               {.now = services.now(), .before = target->job ? &target->job->definition : nullptr},
               complaints);
  check_draft(services, call, draft, "", complaints);
  Registrar::Request request{.author = call.author()};
  request.jobs.push_back(new_job(services, call, draft, "", complaints));
  if (!complaints.empty()) return refuse(call, responder, invalid(std::move(complaints)));
  const bool create_only = call.request.headers.find("If-None-Match") == "*";
  const bool renames = target->job && target->name != draft.definition.name;
  if (target->job && !create_only && (renames || call.request.headers.find("If-Match"))) {
    return refuse(call, responder, put_existing(services, call, *target->job, draft));
  }
  request.replace = !create_only;
  register_one(services, std::move(call), responder, std::move(request));
}

// ---- Many at once
// --------------------------------------------------------------------------------

// A batch as it is read: the good ones, and what is wrong with the others.
struct Batch {
  std::vector<store::NewJob> jobs;
  std::vector<std::size_t> places;                 // of the good ones among all
  std::vector<std::vector<Complaint>> complaints;  // of each
  bool atomic = true;
  bool paused = false;
};

void read_item(const Services& services, const Call& call, const Json& item, Batch& batch) {
  const std::size_t place = batch.complaints.size();
  const std::string pointer = "/jobs/" + std::to_string(place);
  std::vector<Complaint> complaints;
  const JobDraft draft = read_job(item, pointer, {.now = services.now()}, complaints);
  check_draft(services, call, draft, pointer, complaints);
  store::NewJob job = new_job(services, call, draft, pointer, complaints);
  if (complaints.empty()) {
    batch.jobs.push_back(std::move(job));
    batch.places.push_back(place);
  }
  batch.complaints.push_back(std::move(complaints));
}

Batch read_batch(const Services& services, const Call& call, const Json& body,
                 std::vector<Complaint>& complaints) {
  Batch batch;
  ObjectReader reader(body, "", complaints);
  batch.atomic = reader.boolean("atomic").value_or(true);
  batch.paused = reader.boolean("paused").value_or(false);
  reader.require("jobs");
  const Json* jobs = reader.array("jobs");
  reader.refuse_others();
  if (jobs == nullptr) return batch;
  if (jobs->size() > kMostJobs) {
    reader.complain("jobs", "too_long", "there are more than 10,000 jobs", "send several batches");
    return batch;
  }
  for (const Json& item : *jobs) read_item(services, call, item, batch);
  for (const auto& wrong : batch.complaints) {
    if (batch.atomic) complaints.insert(complaints.end(), wrong.begin(), wrong.end());
  }
  return batch;
}

Json item_of(const store::RegisteredJob& registered) {
  return {{"outcome", word_of(registered.outcome)},
          {"job_id", write_job_id(registered.job.id)},
          {"job_name", registered.job.definition.name},
          {"version", registered.job.revision}};
}

Json refused_item(const std::vector<Complaint>& complaints) {
  Json item{{"outcome", "REFUSED"}};
  for (const Complaint& complaint : complaints) {
    Json entry{
        {"pointer", complaint.pointer}, {"code", complaint.code}, {"message", complaint.message}};
    if (!complaint.hint.empty()) entry["hint"] = complaint.hint;
    item["errors"].push_back(std::move(entry));
  }
  return item;
}

net::Response batch_response(const Batch& batch,
                             const std::vector<store::RegisteredJob>& registered) {
  std::map<std::string, std::int64_t> counts;
  std::size_t next = 0;
  Json items = Json::array();
  for (std::size_t i = 0; i < batch.complaints.size(); ++i) {
    const bool good = next < batch.places.size() && batch.places[next] == i;
    items.push_back(good ? item_of(registered.at(next++)) : refused_item(batch.complaints[i]));
    ++counts[items.back()["outcome"].get<std::string>()];
  }
  Json body{{"created", counts["CREATED"]},     {"replaced", counts["REPLACED"]},
            {"unchanged", counts["UNCHANGED"]}, {"repeated", counts["REPEATED"]},
            {"refused", counts["REFUSED"]},     {"items", std::move(items)}};
  return json_response(200, body);
}

void create_batch(const Services& services, Call call, const net::Responder& responder) {
  const auto body = read_body(call.request);
  if (!body) return refuse(call, responder, body.error());
  std::vector<Complaint> complaints;
  auto batch = std::make_shared<Batch>(read_batch(services, call, *body, complaints));
  Registrar::Request request{.replace = true,
                             .paused = batch->paused,
                             .author = call.author(),
                             .once = once_of(call, complaints)};
  if (!complaints.empty()) return refuse(call, responder, invalid(std::move(complaints)));
  if (batch->jobs.empty()) return refuse(call, responder, batch_response(*batch, {}));
  request.jobs = std::move(batch->jobs);
  const std::string id = call.request_id;
  services.registrar.submit(
      std::move(request), [batch, responder, id](const store::JobStore::Registered& registered) {
        Outcome outcome = registered ? Outcome(batch_response(*batch, *registered))
                                     : Outcome(problem_with_job(registered.error()));
        responder.send(std::move(outcome).to_response(id));
      });
}

}  // namespace

std::vector<Route> registration_routes() {
  return {
      {"POST", "/api/v1/jobs", Access::kOperate, create_job},
      {"POST", "/api/v1/jobs:batch", Access::kOperate, create_batch},
      {"PUT", "/api/v1/jobs/{job}", Access::kOperate, put_job},
  };
}

}  // namespace belfry::api
