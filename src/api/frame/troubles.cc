#include "api/frame/troubles.h"

#include "base/text/instant_text.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace belfry::api {

using service::Severity;
using service::Trouble;

namespace {

bool may_know(const service::Principal& principal, const Trouble& trouble) {
  return !trouble.tenant || *trouble.tenant == principal.tenant || principal.all_tenants;
}

// Without what only some may know.
Complaint code_only(std::string code) {
  return {"", std::move(code), "this is wrong, too",
          "ask for /api/v1/cluster with a key that may know more"};
}

}  // namespace

std::vector<Trouble> troubles_for(const service::Principal& principal,
                                  const std::vector<Trouble>& troubles) {
  std::vector<Trouble> known;
  std::ranges::copy_if(troubles, std::back_inserter(known),
                       [&](const Trouble& trouble) { return may_know(principal, trouble); });
  return known;
}

Json write_trouble(const Trouble& trouble) {
  return {{"code", service::name_of(trouble.code)},
          {"severity", service::name_of(trouble.severity)},
          {"subject", trouble.subject.empty() ? Json() : Json(trouble.subject)},
          {"since", trouble.since ? Json(format_instant(*trouble.since)) : Json()},
          {"sentence", trouble.sentence},
          {"remedy", trouble.remedy}};
}

Json write_troubles(const std::vector<Trouble>& troubles) {
  Json list = Json::array();
  for (const Trouble& trouble : troubles) list.push_back(write_trouble(trouble));
  return list;
}

Problem with_cause(Problem problem, const service::Health::Report& report,
                   const service::Principal* caller) {
  const Trouble* cause = report.unready();
  if (cause == nullptr || problem.status < 500) return problem;
  problem.detail = cause->sentence;
  problem.errors.clear();
  std::set<std::string> rest;
  for (const Trouble& trouble : report.troubles) {
    if (trouble.severity == Severity::kNote) continue;
    std::string code(service::name_of(trouble.code));
    const bool is_public =
        trouble.severity == Severity::kCritical || service::is_unready(trouble.code);
    if (is_public || (caller != nullptr && may_know(*caller, trouble))) {
      problem.errors.push_back({"", std::move(code), trouble.sentence, trouble.remedy});
    } else {
      rest.insert(std::move(code));
    }
  }
  for (const std::string& code : rest) {
    if (std::ranges::find(problem.errors, code, &Complaint::code) != problem.errors.end()) continue;
    problem.errors.push_back(code_only(code));
  }
  return problem;
}

}  // namespace belfry::api
