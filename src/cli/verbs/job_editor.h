#pragma once

#include "cli/frame/session.h"
#include "cli/verbs/job_flags.h"

#include <string>

namespace belfry::cli {

// Changes a job: by the given flags, or, without any, as a person edits its YAML. Nobody else's
// change is overwritten: the version that was read must still be the current one.
Answer<int> edit_job(const std::string& name, const JobFlags& flags, Session& session);

}  // namespace belfry::cli
