#pragma once

#include "cli/files/job_diff.h"
#include "cli/frame/session.h"

#include <string>
#include <vector>

namespace belfry::cli {

// A job of the files beside the same job on the server.
struct JobDiff {
  enum class Kind : std::uint8_t { kSame, kNew, kChanged, kGone };
  Kind kind = Kind::kSame;
  std::string name;
  std::vector<FieldChange> changes;
  std::string fires;  // how its fires change; empty when the schedule stays
};

// One for each job of the files, then those that a prune would delete: jobs with all of `labels`
// that the files do not have. An empty list prunes nothing.
Answer<std::vector<JobDiff>> diff_files(client::Client& client, const std::vector<Json>& jobs,
                                        const std::vector<std::string>& prune_labels,
                                        const Session& session);

// The names of the jobs with all these labels that the files do not have.
Answer<std::vector<std::string>> surplus(client::Client& client, const std::vector<Json>& jobs,
                                         const std::vector<std::string>& labels);

void print_diff(const std::vector<JobDiff>& diffs, const Session& session);
Json to_json(const std::vector<JobDiff>& diffs);

}  // namespace belfry::cli
