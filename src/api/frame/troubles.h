#pragma once

#include "api/frame/problem.h"
#include "base/json.h"
#include "service/access/principal.h"
#include "service/health/health.h"

#include <vector>

// What is wrong (service/health), as answers show it.
namespace belfry::api {

// Those that the caller may know of: nobody's in particular, and its own tenant's.
std::vector<service::Trouble> troubles_for(const service::Principal& principal,
                                           const std::vector<service::Trouble>& troubles);

Json write_trouble(const service::Trouble& trouble);
Json write_troubles(const std::vector<service::Trouble>& troubles);

// Why a node cannot serve, in the words of the health report, and all else that is wrong: in full
// what is critical or the caller may know of, and only the codes of the rest. Notes are left out.
// `problem` as it is where the report knows nothing of it.
Problem with_cause(Problem problem, const service::Health::Report& report,
                   const service::Principal* caller = nullptr);

}  // namespace belfry::api
