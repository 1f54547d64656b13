#include "api/frame/troubles.h"

#include "base/text/instant_text.h"

#include <algorithm>
#include <iterator>

namespace belfry::api {

using service::Trouble;

std::vector<Trouble> troubles_for(const service::Principal& principal,
                                  const std::vector<Trouble>& troubles) {
  std::vector<Trouble> known;
  std::ranges::copy_if(troubles, std::back_inserter(known), [&](const Trouble& trouble) {
    return !trouble.tenant || *trouble.tenant == principal.tenant || principal.all_tenants;
  });
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

Problem with_cause(Problem problem, const service::Health::Report& report) {
  const Trouble* cause = report.unready();
  if (cause == nullptr || problem.status < 500) return problem;
  problem.detail = cause->sentence;
  problem.errors.clear();
  for (const Trouble& trouble : report.troubles) {
    if (trouble.severity != service::Severity::kCritical && !service::is_unready(trouble.code)) {
      continue;
    }
    problem.errors.push_back(
        {"", std::string(service::name_of(trouble.code)), trouble.sentence, trouble.remedy});
  }
  return problem;
}

}  // namespace belfry::api
