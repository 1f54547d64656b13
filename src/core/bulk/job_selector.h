#pragma once

#include "base/json.h"
#include "base/result.h"
#include "core/job.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which jobs are meant: all that match every part of a selector.
namespace belfry::core {

// `env=prod`, `env!=prod`, `env in (prod,stage)`. A job without the label is not among any values,
// so `!=` matches it.
struct LabelTerm {
  std::string name;
  bool is_negated = false;
  std::vector<std::string> values;
};
// kInvalid with a hint when the text is none of these.
Result<LabelTerm> parse_label_term(std::string_view text);
std::string to_string(const LabelTerm& term);

struct JobSelector {
  std::vector<LabelTerm> labels;
  std::string name_prefix;
  std::string name_contains;  // ASCII letters match in either case
  std::optional<JobStatus> status;
  std::optional<std::string> job_type;
  bool failing = false;  // only those whose last run failed
};

// As the API spells it: {"labels": ["env=prod"], "name_prefix": "backup-", …}; what is not asked
// for is left out.
Json write_selector(const JobSelector& selector);
// What write_selector wrote.
Result<JobSelector> read_selector(std::string_view text);

// [{"name": …, "negated": …, "among": […]}], as the stores' statements take it.
std::string label_terms_json(const JobSelector& selector);

}  // namespace belfry::core
