#include "client/problem.h"

namespace belfry::client {
namespace {

using Kind = Problem::Kind;

Kind kind_of(Errc code) {
  switch (code) {
    case Errc::kInvalid: return Kind::kInvalid;
    case Errc::kNotFound: return Kind::kNotFound;
    case Errc::kConflict:
    case Errc::kFenced: return Kind::kConflict;
    case Errc::kForbidden:
    case Errc::kQuotaExceeded: return Kind::kRefused;
    case Errc::kUnknownOutcome: return Kind::kTimedOut;
    case Errc::kUnavailable:
    case Errc::kInternal: break;
  }
  return Kind::kUnreachable;
}

Kind kind_of_status(int status) {
  switch (status) {
    case 401:
    case 403:
    case 429: return Kind::kRefused;
    case 404: return Kind::kNotFound;
    case 409:
    case 412: return Kind::kConflict;
    case 504: return Kind::kTimedOut;
    default: return status < 500 ? Kind::kInvalid : Kind::kUnreachable;
  }
}

// What a person can do about it, by the server's stable word.
std::string fix_for(const std::string& code) {
  if (code == "unauthorized") {
    return "set BELFRY_TOKEN, or name a file that holds the key with --token-file";
  }
  if (code == "forbidden") {
    return "use a key with a wider scope; an admin makes one with `belfry keys create`";
  }
  if (code == "version_mismatch") return "read it again, then repeat the change";
  if (code == "rate_limited") return "wait a moment, or ask an admin for more requests a second";
  if (code == "unavailable" || code == "busy" || code == "not_ready") {
    return "try again; `belfry doctor` tells what is wrong";
  }
  if (code == "unknown_outcome") return "check whether it happened before you repeat it";
  return {};
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The wire says "/cron_expression"; people know the field without the slash.
std::string place_of(const Json& error) {
  if (error.contains("parameter")) return "?" + text_of(error, "parameter");
  if (error.contains("header")) return text_of(error, "header");
  std::string pointer = text_of(error, "pointer");
  if (pointer.starts_with('/')) pointer.erase(0, 1);
  return pointer;
}

std::string field_line(const Json& error) {
  const std::string place = place_of(error);
  std::string line =
      place.empty() ? text_of(error, "message") : place + ": " + text_of(error, "message");
  if (const std::string hint = text_of(error, "hint"); !hint.empty()) line += "; " + hint;
  return line;
}

// What keeps a server from serving: "disk_full: the disk … is full → make room". No field is wrong.
std::string trouble_line(const Json& error) {
  std::string line = text_of(error, "code") + ": " + text_of(error, "message");
  if (const std::string hint = text_of(error, "hint"); !hint.empty()) line += " → " + hint;
  return line;
}

}  // namespace

Problem::Problem(const Error& error)
    : kind(kind_of(error.code)),
      what(error.field.empty() ? error.message : error.field + ": " + error.message),
      fix(error.hint) {}

Problem problem_of(const net::Response& response) {
  const Kind kind = kind_of_status(response.status);
  const auto body = parse_json(response.body);
  if (!body || !body->is_object() || text_of(*body, "code").empty()) {
    return {kind,
            "the server answered " + std::to_string(response.status) + " " +
                net::reason_phrase(response.status),
            "that is not how Belfry answers", "check --server (or BELFRY_SERVER)"};
  }
  Problem problem(kind, text_of(*body, "detail"));
  problem.code = text_of(*body, "code");
  problem.type = text_of(*body, "type");
  problem.request_id = text_of(*body, "instance");
  problem.fix = fix_for(problem.code);
  if (problem.code != "invalid" && problem.code != "not_found") {
    problem.why = text_of(*body, "title");
  }
  if (const auto errors = body->find("errors"); errors != body->end() && errors->is_array()) {
    const bool is_trouble = response.status >= 500;
    for (const Json& error : *errors) {
      problem.details.push_back(is_trouble ? trouble_line(error) : field_line(error));
    }
    if (!errors->empty()) {
      problem.cause = text_of(errors->front(), "code");
      problem.remedy = text_of(errors->front(), "hint");
    }
  }
  if (problem.details.size() == 1) {
    problem.what = problem.details.front();
    problem.details.clear();
  }
  return problem;
}

}  // namespace belfry::client
