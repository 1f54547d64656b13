#pragma once

#include "base/json.h"

#include <string>
#include <vector>

// Compares two definitions of a job field by field, however they are written.
namespace belfry::cli {

// A definition, as a person or the server writes it, with its defaults written out and each value
// in one form: `90s` is `1m30s`, `handler_url` is a target. What only the server says (id, status)
// is left out; unknown fields are kept, for the server to refuse.
// `types` are the server's job types, as GET /types lists them: jobs of a type that do not say have
// its defaults.
Json normalised(const Json& definition, const Json& types = Json::array());

// A job of the server as a person would write it: without the defaults.
Json written(const Json& job, const Json& types = Json::array());

struct FieldChange {
  std::string field;  // "retry.base"
  Json before;        // null: was not there
  Json after;
};

// "timeout  5m → 10m"
std::string to_string(const FieldChange& change);

// Both normalised. A secret that the server hides counts as unchanged.
std::vector<FieldChange> changes_between(const Json& before, const Json& after);

}  // namespace belfry::cli
