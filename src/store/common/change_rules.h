#pragma once

#include "store/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a change makes of a job: the rules that every store applies.
namespace belfry::store {

// For the audit: {"changed": [the fields in which two definitions differ], "before": {what they
// were}, "after": {what they are}}.
std::string differences(const core::JobDefinition& before, const core::JobDefinition& after);

// Whether somebody without the permission `exec` may make this of a job (null: there is none). A
// command is code that runs with a worker's rights. So neither a job that has one nor a job that is
// to have one is theirs to change; they may leave it as it is, and change its labels and its
// description, which say nothing of what runs. kForbidden, with `actor` in the message.
Status check_may_exec(const std::string& actor, const core::JobDefinition* before,
                      const core::JobDefinition& after);
// The same for a job of a registration.
Status check_may_exec(const Registration& request, const JobRow* before, const NewJob& wanted);

// A past run that is run again keeps its payload, and else follows its job. Whether somebody
// without the permission `exec` may do that: not where a payload that was made for no command would
// be given to one, because they may have chosen it when the job was theirs to feed. kForbidden.
struct Feeding {
  std::string target;        // of the job today
  std::string payload;       // of the job today
  std::string target_then;   // what the run was made for
  std::string payload_then;  // what it was made with
};
Status check_may_feed(const Feeding& feeding);

// The change that makes a job what this definition says; none if it is defined like that already.
std::optional<JobStore::JobChange> replacement(const JobRow& before, const NewJob& wanted,
                                               const Author& author);

// The job after the change, but for effective_from.
JobRow changed(JobRow job, const JobStore::JobChange& change);

// Whether the one instant of a new definition may have passed before it took effect: then the
// change has to settle it. `before` is null for a new job.
bool may_begin_late(const JobRow* before, const JobRow& after);

// `job.pause` and so on, for the audit.
std::string_view action_of(const JobStore::JobChange& change);

// Whether the registration can be tried at all: not too many jobs, and no name twice.
Status check(const Registration& request);

// What an earlier request led to, as the answer to its repetition.
std::optional<std::vector<RegisteredJob>> as_repeated(std::optional<std::vector<JobRow>> jobs);

// Errors that the stores have in common.
Error name_taken(const std::string& name);
Error key_taken();
// "the tenant has 98 of at most 100 jobs; 12 more are too many"
Error too_many_jobs(std::int64_t existing, std::int64_t added, std::int64_t most);

}  // namespace belfry::store
