#pragma once

#include "api/frame/problem.h"
#include "net/http.h"

#include <optional>
#include <span>
#include <string>

namespace belfry::api {

// What a request has to be whatever it is about, checked before its handler sees it: texts in
// UTF-8, nothing said twice, no parameter in the query but `parameters` (a misspelt filter must not
// list all), a body declared as JSON, which no form of some other site can. The problem, if there
// is one.
std::optional<Problem> check_form(const net::Request& request,
                                  std::span<const std::string> parameters);

}  // namespace belfry::api
