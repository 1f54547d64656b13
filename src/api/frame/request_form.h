#pragma once

#include "api/frame/problem.h"
#include "net/http.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace belfry::api {

// What every request has to be, checked before its handler sees it: texts are UTF-8, no header that
// counts is said twice, and the body is declared as JSON, which a form of another site cannot do.
// Returns the problem, if there is one.
std::optional<Problem> check_form(const net::Request& request);

// What is wrong with the names in a query: a call takes no parameter but those that are known (a
// misspelt filter must not list everything), and each once. The values are for the handler.
std::vector<Complaint> wrong_parameters(std::span<const net::Parameter> query,
                                        std::span<const std::string> known);

}  // namespace belfry::api
