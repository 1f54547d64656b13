#pragma once

#include "base/result.h"
#include "core/cron/expression.h"
#include "core/cron/syntax.h"

#include <string_view>

namespace belfry::core {

// The sets a parsed expression stands for.
CronExpression compile(const CronSyntax& syntax);

// Text to sets in one step.
Result<CronExpression> parse_expression(std::string_view text, Dialect dialect = Dialect::kStandard,
                                        std::string_view hash_key = {});

}  // namespace belfry::core
