#include "api/bulk/bulk_body.h"

#include "api/frame/object_reader.h"
#include "core/id_text.h"

namespace belfry::api {
namespace {

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostTerms = 20;

void read_labels(ObjectReader& body, core::JobSelector& selector) {
  const auto labels = body.texts("labels", kMostTerms);
  if (!labels) return;
  for (const std::string& text : *labels) {
    auto term = core::parse_label_term(text);
    if (term) {
      selector.labels.push_back(*std::move(term));
    } else {
      body.complain("labels", "invalid", term.error().message, term.error().hint);
    }
  }
}

// An empty selector would mean every job, so that has to be said: {"all": true}.
core::JobSelector read_selector(const Json& json, std::vector<Complaint>& complaints) {
  ObjectReader body(json, "/selector", complaints);
  core::JobSelector selector;
  read_labels(body, selector);
  selector.name_prefix = body.text("name_prefix", kLongestName).value_or("");
  selector.name_contains = body.text("name_contains", kLongestName).value_or("");
  selector.status = body.word("status", core::kJobStatuses);
  selector.job_type = body.text("job_type", kLongestName);
  selector.failing = body.boolean("failing").value_or(false);
  const bool all = body.boolean("all").value_or(false);
  body.refuse_others();
  if (selector.status == core::JobStatus::kDeleted) {
    body.complain("status", "invalid", "deleted jobs cannot be selected");
  }
  const bool is_empty = core::write_selector(selector).contains("all");
  if (is_empty && !all) {
    complaints.push_back(
        {"/selector", "required", "the selector is empty", "write {\"all\": true} for all jobs"});
  }
  return selector;
}

core::LabelEdit read_label_edit(ObjectReader& body, std::vector<Complaint>& complaints) {
  core::LabelEdit edit;
  if (const Json* set = body.object("set")) {
    ObjectReader reader(*set, body.pointer("set"), complaints);
    Json kept = Json::object();
    for (const auto& [name, value] : set->items()) {
      if (!core::is_label_name(name)) {
        reader.complain(name, "invalid", "a label's name is one word without `=` and `,`");
      }
      if (const auto text = reader.text(name, 200)) kept[name] = *text;
    }
    if (set->size() > core::kMostLabels) {
      body.complain("set", "too_long",
                    "there are more than " + std::to_string(core::kMostLabels) + " labels");
    }
    edit.set = write_json(kept);
  }
  edit.remove = body.texts("remove", core::kMostLabels).value_or(std::vector<std::string>());
  return edit;
}

// A field that only some actions have.
void refuse_unless(bool wanted, ObjectReader& body, std::string_view name) {
  if (!wanted && body.has(name)) {
    body.complain(name, "invalid", "`" + std::string(name) + "` has no meaning for this action");
  }
}

}  // namespace

JobsAsked read_jobs_asked(const Json& json, Instant now, std::vector<Complaint>& complaints) {
  using core::JobAction;
  ObjectReader body(json, "", complaints);
  JobsAsked asked;
  body.require("action");
  body.require("selector", "{\"all\": true} selects every job");
  const auto action = body.word("action", core::kJobActions);
  asked.deed.action = action.value_or(JobAction::kPause);
  if (const Json* selector = body.object("selector")) {
    asked.selector = read_selector(*selector, complaints);
  }
  asked.deed.until = body.instant("until");
  if (asked.deed.until && *asked.deed.until <= now) {
    body.complain("until", "invalid", "this instant has passed already");
  }
  asked.deed.labels = read_label_edit(body, complaints);
  asked.deed.ends_waiting = body.word("ready_runs", core::kReadyRuns).value_or(false);
  asked.note = body.text("note", 1'000).value_or("");
  asked.dry_run = body.boolean("dry_run").value_or(false);
  body.refuse_others();
  if (!action) return asked;
  const bool ends = *action == JobAction::kCancel || *action == JobAction::kDelete;
  refuse_unless(*action == JobAction::kPause, body, "until");
  refuse_unless(*action == JobAction::kLabel, body, "set");
  refuse_unless(*action == JobAction::kLabel, body, "remove");
  refuse_unless(ends, body, "ready_runs");
  const bool edits = asked.deed.labels.set != "{}" || !asked.deed.labels.remove.empty();
  if (*action == JobAction::kLabel && !edits) {
    body.complain("set", "required", "which labels?", "give `set`, `remove`, or both");
  }
  return asked;
}

RunsAsked read_runs_asked(const Json& json, std::vector<Complaint>& complaints) {
  ObjectReader body(json, "", complaints);
  RunsAsked asked;
  body.require("action");
  body.require("selector");
  const auto action = body.word("action", core::kRunActions);
  asked.action = action.value_or(core::RunAction::kCancel);
  asked.note = body.text("note", 1'000).value_or("");
  asked.dry_run = body.boolean("dry_run").value_or(false);
  const Json* given = body.object("selector");
  body.refuse_others();
  if (given == nullptr) return asked;
  ObjectReader selector(*given, "/selector", complaints);
  selector.require("state");
  const auto state = selector.word("state", core::kRunStates);
  if (const auto job = selector.text("job_id", 64)) {
    asked.selector.job = core::read_job_id(*job);
    if (!asked.selector.job) selector.complain("job_id", "invalid", "this is not the id of a job");
  }
  asked.selector.from = selector.instant("from");
  asked.selector.to = selector.instant("to");
  selector.refuse_others();
  if (!action || !state) return asked;
  // A run that failed for good is DEAD; people ask for what has failed.
  asked.selector.state = *state == core::RunState::kFailed ? core::RunState::kDead : *state;
  const bool fits = core::is_live(*state) == (*action == core::RunAction::kCancel);
  if (!fits) {
    selector.complain("state", "invalid",
                      *action == core::RunAction::kCancel
                          ? "only READY, RUNNING and RETRYING runs can be cancelled"
                          : "only runs that are over can be retried");
  }
  return asked;
}

}  // namespace belfry::api
