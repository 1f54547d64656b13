#pragma once

#include "base/json.h"
#include "tests/alerts/model.h"

#include <string>
#include <vector>

// The rules of the day, as the model knows them, and as the product is told of them.
namespace belfry::alert_day {

inline constexpr int kUntouched = 0;              // a team that is never quiet: its rule groups
inline constexpr Seconds kSaturday = 16 * 3'600;  // when the calendar `saturdays` begins

std::vector<Rule> rules();
std::string definition_of(const Rule& rule);

// What is negative asks for nothing.
Json scope_of(int job, int team, int type);
std::string team_name(int team);

}  // namespace belfry::alert_day
