#pragma once

#include <string>
#include <string_view>

namespace belfry::core {

// What a program can tell from the error of an attempt: what executes runs begins its errors with a
// stable word. "exit code 3" is `exit_3`, "killed by SIGKILL" `signal_SIGKILL`, "status: 503: …"
// `status_503`, "refused: …" `refused`. Empty where there is none: a worker may say what it likes.
std::string error_code(std::string_view error);

}  // namespace belfry::core
