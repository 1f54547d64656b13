#pragma once

#include "api/frame/problem.h"
#include "net/http.h"

#include <optional>
#include <span>
#include <string>

namespace belfry::api {

// What every request has to be, checked before its handler sees it: texts are UTF-8, nothing is
// said twice, the query has no parameter but `parameters` (a misspelt filter must not list
// everything), and the body is declared as JSON, which a form of another site cannot do. Returns
// the problem, if there is one.
std::optional<Problem> check_form(const net::Request& request,
                                  std::span<const std::string> parameters);

}  // namespace belfry::api
