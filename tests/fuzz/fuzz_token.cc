// Ids, keys and cookies, as callers hand them to us.
#include "api/frame/session_cookie.h"
#include "core/id_text.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::string text(fuzz::as_text(data, size));
  if (const auto job = core::read_job_id(text)) BELFRY_ASSERT(core::write_job_id(*job) == text);
  if (const auto run = core::read_run_id(text)) BELFRY_ASSERT(core::write_run_id(*run) == text);
  net::Request request{.method = "POST"};
  request.headers.add("Cookie", text);
  const auto credentials = api::credentials_of(request);
  const auto problem = api::check_csrf(request, credentials);
  BELFRY_ASSERT(!credentials.is_cookie || problem.has_value());  // it carries no token
  if (!credentials.is_cookie) return 0;
  // The cookie that goes back says the same and cannot become a second header.
  const std::string cookie = api::session_cookie(request, credentials);
  BELFRY_ASSERT(cookie.find_first_of("\r\n") == std::string::npos);
  return 0;
}
