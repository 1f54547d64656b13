#pragma once

#include "base/json.h"
#include "core/job.h"

#include <string>
#include <vector>

// A job's definition field by field: the one place that says which fields there are, which of them
// decide ticks, and when two definitions say the same.
namespace belfry::core {

// The fields in which two definitions differ, by the names users know ("retry.base"). JSON is
// compared by meaning: blanks and the order of names make no difference.
std::vector<std::string> differing_fields(const JobDefinition& a, const JobDefinition& b);

// What a definition says in these fields, for people: secrets hidden, and without the payload,
// which may be large.
Json shown_fields(const JobDefinition& job, const std::vector<std::string>& names);

// Whether they say the same in all fields.
bool same_definition(const JobDefinition& a, const JobDefinition& b);

// Whether two definitions have the same ticks with the same fates, so that changing one into the
// other leaves what is scheduled alone.
bool same_ticks(const JobDefinition& a, const JobDefinition& b);

}  // namespace belfry::core
