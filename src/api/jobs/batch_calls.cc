#include "api/jobs/batch_calls.h"

#include "api/frame/context.h"
#include "api/jobs/batch_plan.h"
#include "api/jobs/job_answer.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "api/jobs/registration.h"
#include "api/jobs/target_codec.h"
#include "base/text/instant_text.h"
#include "base/text/json_text.h"
#include "base/verbatim.h"
#include "core/id_text.h"
#include "core/limits.h"
#include "core/target_secrets.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace belfry::api {
namespace {

using Registered = store::RegisteredJob::Outcome;

const char* word_of(Registered outcome) {
  switch (outcome) {
    case Registered::kCreated: return "CREATED";
    case Registered::kReplaced: return "REPLACED";
    case Registered::kUnchanged: return "UNCHANGED";
    case Registered::kRepeated: break;
  }
  return "REPEATED";
}

// A batch as it is read: the good ones, and what is wrong with the others.
struct Batch {
  std::vector<store::NewJob> jobs;
  std::vector<std::size_t> places;                   // of the good ones among all
  std::vector<std::vector<Complaint>> complaints;    // of each
  std::vector<std::string> names;                    // of each, as far as it could be read
  std::map<std::size_t, store::RegisteredJob> over;  // by place: without a tick left, and the same
  bool atomic = true;
  bool paused = false;
  bool dry_run = false;  // say what would be done, and change nothing
  GoodSchedules good;
};

// Whether there are secrets in it that the job may have already.
bool holds_secrets(const Json& item) {
  const auto target = item.is_object() ? item.find("target") : item.end();
  return target != item.end() && !core::secrets_in(*target).empty();
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

bool runs_command(const Json& item) {
  const auto target = item.is_object() ? item.find("target") : item.end();
  return target != item.end() && target->is_object() && target->value("kind", Json()) == "EXEC";
}

// The job that the item replaces; looked up only where that matters: for secrets that
// may be kept as they are, for a command that may stay, or for a job that is over and may stay so.
Result<std::optional<store::JobRow>> job_before(const Services& services, const Call& call,
                                                const Json& item, Instant now) {
  std::optional<store::JobRow> none;
  const bool needs_leave = runs_command(item) && !call.principal.may_exec;
  if (!needs_leave && !holds_secrets(item) && !lies_in_the_past(item, now)) return none;
  const auto name = item.find("job_name");
  if (name == item.end() || !name->is_string()) return none;
  // A name that no job can have: the store would refuse even to look.
  if (name->get_ref<const std::string&>().find('\0') != std::string::npos) return none;
  auto job = services.store.find_job(call.principal.tenant, name->get<std::string>());
  if (job) return std::optional(*std::move(job));
  if (job.error().code != Errc::kNotFound) return fail(job.error());
  return none;
}

Status read_item(const Services& services, const Call& call, const Json& item, JobReading reading,
                 Batch& batch) {
  const std::size_t place = batch.complaints.size();
  const std::string pointer = "/jobs/" + std::to_string(place);
  std::vector<Complaint> complaints;
  BELFRY_TRY(before, job_before(services, call, item, reading.now));
  const core::JobDefinition* definition = before ? &before->definition : nullptr;
  reading.before = definition;
  JobDraft draft = read_job(item, pointer, reading, complaints);
  BELFRY_CHECK(seal_draft(services, call.principal.tenant, draft, pointer, complaints, definition));
  BELFRY_CHECK(check_may_exec(call, draft.definition, definition));
  const bool over = before && complaints.empty() && is_completed_and_same(*before, draft);
  BELFRY_CHECK(check_draft(services, call, draft, pointer, complaints, over ? definition : nullptr,
                           &batch.good));
  batch.names.push_back(draft.definition.name);
  BELFRY_TRY(job, new_job(services, call, std::move(draft), pointer, complaints));
  if (complaints.empty() && over) {
    batch.over[place] = {*std::move(before), Registered::kUnchanged};
  } else if (complaints.empty()) {
    batch.jobs.push_back(std::move(job));
    batch.places.push_back(place);
  }
  batch.complaints.push_back(std::move(complaints));
  return {};
}

Result<Batch> read_batch(const Services& services, const Call& call, const Json& body,
                         std::vector<Complaint>& complaints) {
  Batch batch;
  ObjectReader reader(body, "", complaints);
  batch.atomic = reader.boolean("atomic").value_or(true);
  batch.paused = reader.boolean("paused").value_or(false);
  batch.dry_run = reader.boolean("dry_run").value_or(false);
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
  BELFRY_TRY(reading, job_reading(services, call));
  for (const Json& item : *jobs) BELFRY_CHECK(read_item(services, call, item, reading, batch));
  for (const auto& wrong : batch.complaints) {
    if (batch.atomic) complaints.insert(complaints.end(), wrong.begin(), wrong.end());
  }
  return batch;
}

// What is only planned has no id yet, or none that matters. As text, because there are many.
std::string item_of(const store::RegisteredJob& registered, bool planned) {
  const std::string name = json_text(registered.job.definition.name);
  if (planned) {
    return fmt::format(R"({{"outcome":"{}","job_name":{}}})", word_of(registered.outcome), name);
  }
  return fmt::format(R"({{"outcome":"{}","job_id":"{}","job_name":{},"version":{}}})",
                     word_of(registered.outcome), core::write_job_id(registered.job.id), name,
                     registered.job.revision);
}

Json refused_item(const std::vector<Complaint>& complaints) {
  Json item{{"outcome", "REFUSED"}};
  for (const Complaint& complaint : complaints) {
    item["errors"].push_back(write_complaint(complaint));
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
  std::map<std::string_view, std::int64_t> counts;
  const auto found = match(batch, registered);
  std::string items;
  for (std::size_t i = 0; i < found.size(); ++i) {
    items += items.empty() ? '[' : ',';
    items += found[i] != nullptr ? item_of(*found[i], batch.dry_run)
                                 : write_json(refused_item(batch, i));
    ++counts[found[i] != nullptr ? word_of(found[i]->outcome) : "REFUSED"];
  }
  items += items.empty() ? "[]" : "]";
  Json body{{"created", counts["CREATED"]},       {"replaced", counts["REPLACED"]},
            {"unchanged", counts["UNCHANGED"]},   {"repeated", counts["REPEATED"]},
            {"refused", counts["REFUSED"]},       {"dry_run", batch.dry_run},
            {"items", verbatim(std::move(items))}};
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

Outcome answer_plan(const Services& services, const Call& call, const Batch& batch,
                    std::vector<Complaint> complaints) {
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto planned = plan_batch(services, call, batch.jobs);
  if (!planned) return problem_with_job(planned.error());
  return batch_response(batch, *planned);
}

void create_batch(const Services& services, Call call, std::vector<Complaint> complaints,
                  const net::Responder& responder) {
  const auto body = read_body_keeping("/jobs/*/payload", call.request);
  if (!body) return answer(call, responder, body.error());
  if (auto problem = follow_first_tenant(services, *body, call)) {
    return answer(call, responder, *problem);
  }
  auto read = read_batch(services, call, *body, complaints);
  if (!read) return answer(call, responder, read.error());
  auto batch = std::make_shared<Batch>(*std::move(read));
  service::Registrar::Request request{.replace = true,
                                      .paused = batch->paused,
                                      .may_exec = call.principal.may_exec,
                                      .author = call.author(),
                                      .idempotency = idempotency_of(call, complaints)};
  if (batch->dry_run) {
    return answer(call, responder, answer_plan(services, call, *batch, std::move(complaints)));
  }
  if (!call.complaints.empty()) return answer(call, responder, invalid(std::move(complaints)));
  if (!complaints.empty() || batch->jobs.empty()) {
    const auto earlier = find_earlier(services, request.idempotency);
    if (!earlier) return answer(call, responder, problem_with_job(earlier.error()));
    if (!*earlier && !complaints.empty()) {
      return answer(call, responder, invalid(std::move(complaints)));
    }
    return answer(call, responder, batch_response(*batch, earlier->value_or(RegisteredJobs())));
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

std::vector<Route> batch_routes() {
  return {with_batch({"POST", "/api/v1/jobs:batch", Access::kOperate, deferred(create_batch)})};
}

}  // namespace belfry::api
