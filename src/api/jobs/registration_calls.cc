#include "api/jobs/registration_calls.h"

#include "api/frame/context.h"
#include "api/jobs/job_answer.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "api/jobs/target_codec.h"
#include "base/digest.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/job_fields.h"
#include "core/limits.h"
#include "service/jobs/shown_target.h"
#include "store/common/change_rules.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

namespace belfry::api {
namespace {

using Registered = store::RegisteredJob::Outcome;

std::string fingerprint_of(const net::Request& request) {
  std::string text;
  for (const std::uint8_t byte :
       sha256(request.method + " " + request.path + "\n" + request.body)) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

std::optional<store::IdempotencyKey> idempotency_of(const Call& call,
                                                    std::vector<Complaint>& complaints) {
  auto key = idempotency_key(call.request, complaints);
  if (!key) return {};
  return store::IdempotencyKey{call.principal.tenant, *std::move(key),
                               fingerprint_of(call.request)};
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

Result<store::NewJob> new_job(const Services& services, const Call& call, const JobDraft& draft,
                              const std::string& pointer, std::vector<Complaint>& complaints) {
  store::NewJob job{.tenant = call.principal.tenant, .definition = draft.definition};
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

net::Response registered_response(const Services& services, const Call& call,
                                  const store::RegisteredJob& registered) {
  const store::JobRow& job = registered.job;
  const bool made =
      registered.outcome == Registered::kCreated || registered.outcome == Registered::kRepeated;
  net::Response response = json_response(made ? 201 : 200, show_job(services, call, job));
  response.headers.set("ETag", etag_of(job));
  if (made) response.headers.set("Location", "/api/v1/jobs/" + core::write_job_id(job.id));
  if (registered.outcome == Registered::kRepeated)
    response.headers.set("Idempotent-Replayed", "true");
  return response;
}

// Registers one job and answers with it.
void register_one(const Services& services, Call call, const net::Responder& responder,
                  service::Registrar::Request request) {
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

// What would be refused now may have been accepted before under the same key; then that is the
// answer. None: it was not.
using Earlier = std::optional<std::vector<store::RegisteredJob>>;
Result<Earlier> find_earlier(const Services& services,
                             const std::optional<store::IdempotencyKey>& idempotency) {
  if (!idempotency) return Earlier();
  return services.store.find_request(*idempotency);
}

void create_job(const Services& services, Call call, const net::Responder& responder) {
  const auto body = read_body(call.request);
  if (!body) return refuse(call, responder, body.error());
  if (auto problem = follow_tenant(services, *body, call)) return refuse(call, responder, *problem);
  std::vector<Complaint> complaints;
  service::Registrar::Request request{.author = call.author(),
                                      .idempotency = idempotency_of(call, complaints)};
  const JobDraft draft = read_job(*body, "", {.now = services.now()}, complaints);
  const auto checked = check_draft(services, call, draft, "", complaints);
  if (!checked) return refuse(call, responder, checked.error());
  auto job = new_job(services, call, draft, "", complaints);
  if (!job) return refuse(call, responder, job.error());
  if (!complaints.empty()) {
    const auto earlier = find_earlier(services, request.idempotency);
    if (!earlier) return refuse(call, responder, problem_with_job(earlier.error()));
    if (!*earlier || (*earlier)->empty()) {
      return refuse(call, responder, invalid(std::move(complaints)));
    }
    return refuse(call, responder, registered_response(services, call, (*earlier)->front()));
  }
  request.jobs.push_back(*std::move(job));
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

// Whether the job has no tick left and is defined just like this: there is nothing to bring back.
bool is_completed_and_same(const store::JobRow& job, const JobDraft& draft) {
  return job.status == core::JobStatus::kCompleted &&
         core::same_definition(draft.definition, job.definition);
}

// A PUT under a condition goes through change_job. None: the job has changed since it was read.
std::optional<Outcome> put_existing(const Services& services, const Call& call,
                                    const store::JobRow& job, const store::NewJob& wanted) {
  const auto change = store::replacement(job, wanted, call.author());
  if (!change) return Outcome(job_response(services, call, job));
  return change_as_read(services, call, job, *change);
}

// The job as PUT has it; what is wrong with it goes to `complaints`.
Result<JobDraft> put_draft(const Services& services, const Call& call, Json body,
                           const PutTarget& target, std::vector<Complaint>& complaints) {
  if (body.is_object() && !body.contains("job_name")) body["job_name"] = target.name;
  const core::JobDefinition* before = target.job ? &target.job->definition : nullptr;
  JobDraft draft = read_job(body, "", {.now = services.now(), .before = before}, complaints);
  const bool over = target.job && is_completed_and_same(*target.job, draft);
  BELFRY_CHECK(check_draft(services, call, draft, "", complaints, over ? before : nullptr));
  if (target.job) check_region_stays(services, *target.job, draft, complaints);
  if (!target.job && complaints.empty() && draft.definition.name != target.name) {
    complaints.push_back({"/job_name", "invalid", "there is no job `" + target.name + "` to rename",
                          "leave job_name out, or name the same job in the path"});
  }
  return draft;
}

// False: the job changed between reading and writing it, and nothing was done.
bool try_put(const Services& services, Call& call, const Json& body,
             const net::Responder& responder) {
  const auto done = [&](Outcome outcome) {
    refuse(call, responder, std::move(outcome));
    return true;
  };
  const auto target = put_target(services, call);
  if (!target) return done(target.error());
  if (auto problem = check_if_match(call, target->job)) return done(*std::move(problem));
  std::vector<Complaint> complaints;
  const auto draft = put_draft(services, call, body, *target, complaints);
  if (!draft) return done(draft.error());
  auto job = new_job(services, call, *draft, "", complaints);
  if (!job) return done(job.error());
  if (!complaints.empty()) return done(invalid(std::move(complaints)));
  const bool create_only = call.request.headers.find("If-None-Match") == "*";
  if (target->job && !create_only) {
    if (is_completed_and_same(*target->job, *draft)) {
      return done(job_response(services, call, *target->job));
    }
    const bool renames = target->name != draft->definition.name;
    if (renames || call.request.headers.find("If-Match")) {
      auto outcome = put_existing(services, call, *target->job, *job);
      return outcome ? done(*std::move(outcome)) : false;
    }
  }
  service::Registrar::Request request{.replace = !create_only, .author = call.author()};
  request.jobs.push_back(*std::move(job));
  register_one(services, std::move(call), responder, std::move(request));
  return true;
}

void put_job(const Services& services, Call call, const net::Responder& responder) {
  const auto body = read_body(call.request);
  if (!body) return refuse(call, responder, body.error());
  if (auto problem = follow_tenant(services, *body, call)) return refuse(call, responder, *problem);
  for (int i = 0; i < kMostRaces; ++i) {
    if (try_put(services, call, *body, responder)) return;
  }
  refuse(call, responder, lost_races());
}

// ---- Many at once

// A batch as it is read: the good ones, and what is wrong with the others.
struct Batch {
  std::vector<store::NewJob> jobs;
  std::vector<std::size_t> places;                   // of the good ones among all
  std::vector<std::vector<Complaint>> complaints;    // of each
  std::vector<std::string> names;                    // of each, as far as it could be read
  std::map<std::size_t, store::RegisteredJob> over;  // by place: without a tick left, and the same
  bool atomic = true;
  bool paused = false;
};

bool hides_secret(const Json& item) {
  const auto target = item.is_object() ? item.find("target") : item.end();
  if (target == item.end() || !target->is_object()) return false;
  const auto secret = target->find("secret");
  return secret != target->end() && *secret == service::kHiddenSecret;
}

// Whether the item has an end that is over, or is over itself.
bool lies_in_the_past(const Json& item, Instant now) {
  if (!item.is_object()) return false;
  for (const char* field : {"run_at", "end_at"}) {
    const auto found = item.find(field);
    if (found == item.end() || !found->is_string()) continue;
    const auto at = parse_instant(found->get_ref<const std::string&>());
    if (at && *at <= now) return true;
  }
  return false;
}

// The job that the item replaces; looked up only where that matters: for a hidden secret that comes
// back to be kept, or for a job that is over and may stay so.
Result<std::optional<store::JobRow>> job_before(const Services& services, const Call& call,
                                                const Json& item) {
  std::optional<store::JobRow> none;
  if (!hides_secret(item) && !lies_in_the_past(item, services.now())) return none;
  const auto name = item.find("job_name");
  if (name == item.end() || !name->is_string()) return none;
  auto job = services.store.find_job(call.principal.tenant, name->get<std::string>());
  if (job) return std::optional(*std::move(job));
  if (job.error().code != Errc::kNotFound) return fail(job.error());
  return none;
}

Status read_item(const Services& services, const Call& call, const Json& item, Batch& batch) {
  const std::size_t place = batch.complaints.size();
  const std::string pointer = "/jobs/" + std::to_string(place);
  std::vector<Complaint> complaints;
  BELFRY_TRY(before, job_before(services, call, item));
  const core::JobDefinition* definition = before ? &before->definition : nullptr;
  const JobDraft draft =
      read_job(item, pointer, {.now = services.now(), .before = definition}, complaints);
  const bool over = before && complaints.empty() && is_completed_and_same(*before, draft);
  BELFRY_CHECK(
      check_draft(services, call, draft, pointer, complaints, over ? definition : nullptr));
  BELFRY_TRY(job, new_job(services, call, draft, pointer, complaints));
  if (complaints.empty() && over) {
    batch.over[place] = {*std::move(before), Registered::kUnchanged};
  } else if (complaints.empty()) {
    batch.jobs.push_back(std::move(job));
    batch.places.push_back(place);
  }
  batch.complaints.push_back(std::move(complaints));
  batch.names.push_back(draft.definition.name);
  return {};
}

Result<Batch> read_batch(const Services& services, const Call& call, const Json& body,
                         std::vector<Complaint>& complaints) {
  Batch batch;
  ObjectReader reader(body, "", complaints);
  batch.atomic = reader.boolean("atomic").value_or(true);
  batch.paused = reader.boolean("paused").value_or(false);
  reader.require("jobs");
  const Json* jobs = reader.array("jobs");
  reader.refuse_others();
  if (jobs == nullptr) return batch;
  if (jobs->size() > core::kMostJobsPerRequest) {
    reader.complain("jobs", "too_long",
                    fmt::format("there are more than {} jobs", core::kMostJobsPerRequest),
                    "send several batches");
    return batch;
  }
  batch.jobs.reserve(jobs->size());
  batch.places.reserve(jobs->size());
  batch.complaints.reserve(jobs->size());
  batch.names.reserve(jobs->size());
  for (const Json& item : *jobs) BELFRY_CHECK(read_item(services, call, item, batch));
  for (const auto& wrong : batch.complaints) {
    if (batch.atomic) complaints.insert(complaints.end(), wrong.begin(), wrong.end());
  }
  return batch;
}

Json item_of(const store::RegisteredJob& registered) {
  return {{"outcome", word_of(registered.outcome)},
          {"job_id", core::write_job_id(registered.job.id)},
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

using RegisteredJobs = std::vector<store::RegisteredJob>;

// The registered job of each item; null: it was refused.
std::vector<const store::RegisteredJob*> match(const Batch& batch,
                                               const RegisteredJobs& registered) {
  std::vector<const store::RegisteredJob*> found(batch.complaints.size(), nullptr);
  for (const auto& [place, job] : batch.over) found[place] = &job;
  const bool repeated = !registered.empty() && registered.front().outcome == Registered::kRepeated;
  if (!repeated) {
    for (std::size_t i = 0; i < batch.places.size() && i < registered.size(); ++i) {
      found[batch.places[i]] = &registered[i];
    }
    return found;
  }
  // This is the first call's answer, and what it accepted may differ from what is acceptable now.
  if (registered.size() == found.size()) {
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = &registered[i];
    return found;
  }
  std::map<std::string, const store::RegisteredJob*> by_name;
  for (const store::RegisteredJob& each : registered) by_name[each.job.definition.name] = &each;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (const auto job = by_name.find(batch.names[i]); job != by_name.end()) found[i] = job->second;
  }
  return found;
}

Json refused_item(const Batch& batch, std::size_t place) {
  if (!batch.complaints[place].empty()) return refused_item(batch.complaints[place]);
  return refused_item({{"/jobs/" + std::to_string(place), "invalid",
                        "it was refused when the Idempotency-Key was first used",
                        "send it again with another key"}});
}

net::Response batch_response(const Batch& batch, const RegisteredJobs& registered) {
  std::map<std::string, std::int64_t> counts;
  const auto found = match(batch, registered);
  Json items = Json::array();
  for (std::size_t i = 0; i < found.size(); ++i) {
    items.push_back(found[i] != nullptr ? item_of(*found[i]) : refused_item(batch, i));
    ++counts[items.back()["outcome"].get<std::string>()];
  }
  Json body{{"created", counts["CREATED"]},     {"replaced", counts["REPLACED"]},
            {"unchanged", counts["UNCHANGED"]}, {"repeated", counts["REPEATED"]},
            {"refused", counts["REFUSED"]},     {"items", std::move(items)}};
  return json_response(200, body);
}

// All jobs of a batch are one tenant's: the one the first of them names, if any does.
std::optional<Problem> follow_first_tenant(const Services& services, const Json& body, Call& call) {
  const auto jobs = body.is_object() ? body.find("jobs") : body.end();
  if (jobs == body.end() || !jobs->is_array()) return {};
  for (const Json& item : *jobs) {
    if (item.is_object() && item.contains("tenant_id")) return follow_tenant(services, item, call);
  }
  return {};
}

void create_batch(const Services& services, Call call, const net::Responder& responder) {
  const auto body = read_body(call.request);
  if (!body) return refuse(call, responder, body.error());
  if (auto problem = follow_first_tenant(services, *body, call)) {
    return refuse(call, responder, *problem);
  }
  std::vector<Complaint> complaints;
  auto read = read_batch(services, call, *body, complaints);
  if (!read) return refuse(call, responder, read.error());
  auto batch = std::make_shared<Batch>(*std::move(read));
  service::Registrar::Request request{.replace = true,
                                      .paused = batch->paused,
                                      .author = call.author(),
                                      .idempotency = idempotency_of(call, complaints)};
  if (!complaints.empty() || batch->jobs.empty()) {
    const auto earlier = find_earlier(services, request.idempotency);
    if (!earlier) return refuse(call, responder, problem_with_job(earlier.error()));
    if (!*earlier && !complaints.empty()) {
      return refuse(call, responder, invalid(std::move(complaints)));
    }
    return refuse(call, responder, batch_response(*batch, earlier->value_or(RegisteredJobs())));
  }
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
      {"POST", "/api/v1/jobs", Access::kOperate, deferred(create_job)},
      {"POST", "/api/v1/jobs:batch", Access::kOperate, deferred(create_batch)},
      {"PUT", "/api/v1/jobs/{job}", Access::kOperate, deferred(put_job)},
  };
}

}  // namespace belfry::api
