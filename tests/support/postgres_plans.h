#pragma once

#include "store/postgres/wire/connection.h"

#include <string>
#include <string_view>
#include <vector>

namespace belfry::test {

// A statement of the store, by its name in sql/postgres/queries.
struct HotStatement {
  std::string_view name;
  std::string_view sql;
};

// The statements that must find their rows by index, whatever the planner believes about
// the tables.
std::vector<HotStatement> hot_statements();

// The generic plan, as a connection of the store has it; without arguments, all are null.
Result<std::string> plan_of(store::postgres::Connection& connection, std::string_view sql,
                            BootInstant deadline, std::string_view arguments = "");

// What is wrong with a plan, or empty: it reads a growing table from one end to the other, or finds
// nothing by index.
std::string complaint_about(std::string_view plan);

}  // namespace belfry::test
