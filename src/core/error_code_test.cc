#include "core/error_code.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

TEST(ErrorCodeTest, IsTheStableWordThatAnErrorBeginsWith) {
  const std::pair<const char*, const char*> cases[] = {
      {"exit code 3", "exit_3"},
      {"exit code 3; its worker reported FAILED when it was too late", "exit_3"},
      {"killed by SIGKILL", "signal_SIGKILL"},
      {"status: 503: try later", "status_503"},
      {"status: 404", "status_404"},
      {"redirect: 302", "redirect_302"},
      {"refused: no such exchange", "refused"},
      {"answer_too_large: the answer is longer than 64 KiB", "answer_too_large"},
      {"timeout: no answer within 5s", "timeout"},
      {"status_503: what a worker calls by our word", "status_503"},
  };
  for (const auto& [error, code] : cases) EXPECT_EQ(error_code(error), code) << error;
}

TEST(ErrorCodeTest, OtherTextsHaveNone) {
  for (const char* error : {"", "boom", "Mail host: busy", "the mail host: busy", ":", "status",
                            "503: x", "a_word_that_is_much_longer_than_any_code_of_ours: x"}) {
    EXPECT_EQ(error_code(error), "") << error;
  }
}

}  // namespace
}  // namespace belfry::core
