#pragma once

#include "base/json.h"
#include "base/time.h"
#include "cli/frame/session.h"

#include <string>
#include <string_view>

// Instants as people want to see them.
namespace belfry::cli {

// "in 3h12m", "5m ago", "now": the two leading units are what a person takes in.
std::string relative(Instant at, Instant now);

// "Mon 16 Nov 02:30": the wall clock an RFC 3339 text shows; the year when it is another one than
// `now` has. The text itself when it is no instant.
std::string civil(std::string_view rfc3339, Instant now);

// A field of an answer that holds an instant or null. To a person relative, else as it came;
// `never` stands for null.
std::string when(const Session& session, const Json& object, std::string_view name,
                 std::string_view never = "-");

// The same with the wall clock: "Mon 16 Nov 02:30 (in 18h)".
std::string moment(const Session& session, std::string_view rfc3339);

}  // namespace belfry::cli
