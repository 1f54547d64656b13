#pragma once

#include "base/error.h"
#include "base/json.h"
#include "net/http.h"
#include "service/refusal.h"

#include <string>
#include <vector>

namespace belfry::api {

using service::Complaint;

// A refusal, as RFC 9457 writes it. `code` is stable and the last part of the problem's type.
struct Problem {
  int status = 400;
  std::string code;    // "invalid_body"
  std::string title;   // the same for all problems of this code
  std::string detail;  // what happened here
  std::vector<Complaint> errors;
  net::Headers headers;  // Retry-After and its kin
};

Problem problem_of(const service::Refusal& refusal);
// What an error of the store or the core means to the caller.
Problem problem_of(const Error& error);

Problem not_found(std::string detail);
Problem key_ended();  // 401: the key was valid when the call came
Problem busy();       // 503: too many calls wait
Problem invalid(std::vector<Complaint> errors);

// One of a problem's `errors`, or of a refused item's.
Json write_complaint(const Complaint& complaint);

net::Response to_response(const Problem& problem, const std::string& request_id);

}  // namespace belfry::api
