#pragma once

#include "base/json.h"
#include "base/time.h"
#include "cli/frame/session.h"

#include <string>
#include <string_view>

// Instants as people want to see them.
namespace belfry::cli {

// "in 3h12m", "5m ago", "now": two units are as much as a person takes in.
std::string relative(Instant at, Instant now);

// "Mon 16 Nov 02:30": the wall clock of an RFC 3339 text, with the year if it is not that of `now`.
// A text that is not an instant is returned as it is.
std::string civil(std::string_view rfc3339, Instant now);

// A field of an answer that holds an instant or null: relative for a person, otherwise as it came;
// `never` stands for null.
std::string when(const Session& session, const Json& object, std::string_view name,
                 std::string_view never = "-");

// The same with the wall clock: "Mon 16 Nov 02:30 (in 18h)", or with its zone "Mon 16 Nov 02:30
// Europe/Berlin (in 18h)".
std::string moment(const Session& session, std::string_view rfc3339, std::string_view zone = {});

}  // namespace belfry::cli
