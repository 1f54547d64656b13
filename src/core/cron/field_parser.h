#pragma once

#include "base/result.h"
#include "core/cron/syntax.h"
#include "core/cron/token.h"

#include <cstddef>
#include <string_view>

namespace belfry::core {

// What the parser of a field has to know of the whole expression.
struct FieldContext {
  std::size_t fields_written = 5;
  Dialect dialect = Dialect::kStandard;
  std::string_view hash_key;
};

// One field of an expression: `1-5,*/10`, `MON#1`, `L-3`.
Result<FieldSyntax> parse_field(Token token, Field field, const FieldContext& context);

}  // namespace belfry::core
