#include "api/jobs/revision_calls.h"

#include "api/frame/context.h"
#include "api/frame/paging.h"
#include "api/jobs/job_answer.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "base/text/instant_text.h"
#include "core/job_fields.h"
#include "core/spelling.h"
#include "store/common/change_rules.h"

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace belfry::api {
namespace {

// The definition as it was. Where a revision does not know its labels and its description, they are
// those of `now`.
core::JobDefinition definition_of(const store::RevisionRow& revision,
                                  const core::JobDefinition& now) {
  core::JobDefinition job = now;
  job.name = revision.name;
  job.job_type = revision.job_type;
  job.schedule = revision.schedule;
  job.schedule.calendar_rules.clear();  // what its name stands for today
  job.policies = revision.policies;
  job.target = revision.target;
  job.payload = revision.payload;
  job.labels = revision.labels.value_or(now.labels);
  job.description = revision.description.value_or(now.description);
  return job;
}

// `before`: the revision that it replaced; null for the first one known.
Json write_revision(const store::RevisionRow& revision, const store::RevisionRow* before) {
  const core::JobDefinition definition = definition_of(revision, {});
  Json changed = Json::array();
  if (before != nullptr) {
    for (std::string& field :
         core::differing_fields(definition_of(*before, definition), definition)) {
      changed.push_back(std::move(field));
    }
    if (before->status != revision.status) changed.push_back("status");
  }
  // A pause that was over by then is none.
  const core::JobStatus status =
      core::status_at(revision.created_at, revision.status, revision.paused_until);
  Json shown = write_definition(definition);
  if (!revision.labels) shown.erase("labels");
  if (!revision.description) shown.erase("description");
  return {{"version", revision.revision},
          {"created_at", format_instant(revision.created_at)},
          {"status", core::word_for(status, core::kJobStatuses)},
          {"changed", std::move(changed)},
          {"definition", std::move(shown)}};
}

std::optional<std::uint32_t> read_version(std::string_view text) {
  std::uint32_t version = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool fine = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  const bool fits = version < std::numeric_limits<std::int32_t>::max();
  return fine && fits ? std::optional(version) : std::nullopt;
}

Outcome list_revisions(const Services& services, const Call& call,
                       std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job_even_deleted(services, call));
  const Page page = read_page(call.request, call.request.path, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  std::optional<std::uint32_t> before;
  if (!page.cursor.empty()) before = read_version(page.cursor);
  // One more than is shown: what the last one changed is seen beside its forerunner.
  BELFRY_NEED(found, services.store.revisions_of(job.id, before, page.limit + 1));
  Json items = Json::array();
  for (std::size_t i = 0; i < found.size() && i < page.limit; ++i) {
    items.push_back(write_revision(found[i], i + 1 < found.size() ? &found[i + 1] : nullptr));
  }
  std::optional<std::string> next;
  if (found.size() > page.limit) next = std::to_string(found[page.limit - 1].revision);
  return page_response(call.request, std::move(items), next, call.request.path);
}

Result<store::RevisionRow> find_revision(const Services& services, JobId job,
                                         const std::string& named) {
  const auto version = read_version(named);
  if (version) {
    BELFRY_TRY(found, services.store.revisions_of(job, *version + 1, 1));
    if (!found.empty() && found.front().revision == *version) return found.front();
  }
  return fail({.code = Errc::kNotFound, .message = "the job has no version `" + named + "`"});
}

// None: the job changed between reading and writing it.
std::optional<Outcome> try_restore(const Services& services, const Call& call) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(revision, find_revision(services, job.id, call.at("version")));
  const JobDraft draft{.definition = definition_of(revision, job.definition)};
  std::vector<Complaint> complaints;
  const auto checked = check_draft(services, call, draft, "", complaints, &job.definition);
  if (!checked) return Outcome(checked.error());
  const auto may = check_may_exec(call, draft.definition, &job.definition);
  if (!may) return Outcome(may.error());
  if (!complaints.empty()) return Outcome(invalid(std::move(complaints)));
  if (auto problem = check_conditions(call, job)) return Outcome(*std::move(problem));
  const store::NewJob wanted{.tenant = job.tenant, .definition = draft.definition};
  const auto change = store::replacement(job, wanted, call.author());
  if (!change) return Outcome(job_response(services, call, job));
  return change_as_read(services, call, job, *change);
}

Outcome restore_revision(const Services& services, const Call& call,
                         std::vector<Complaint> complaints) {
  BELFRY_NEED(body, read_body(call.request));
  ObjectReader(body, "", complaints).refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  for (int i = 0; i < kMostRaces; ++i) {
    if (auto done = try_restore(services, call)) return *std::move(done);
  }
  return lost_races();
}

}  // namespace

std::vector<Route> revision_routes() {
  const std::string revisions = "/api/v1/jobs/{job}/revisions";
  return {
      {"GET", revisions, Access::kRead, at_once(list_revisions), {"cursor", "limit"}},
      {"POST", revisions + "/{version}/restore", Access::kOperate, at_once(restore_revision)},
  };
}

}  // namespace belfry::api
