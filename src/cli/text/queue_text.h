#pragma once

#include "base/json.h"

#include <string>

namespace belfry::cli {

// A queue, as the API names it, in the words of jobs: "mail", "mail (commands)", "broker kafka".
std::string queue_words(const Json& queue);

}  // namespace belfry::cli
