#include "base/json.h"
#include "base/verbatim.h"
#include "tests/fuzz/fuzz.h"

// What is read can be written and read again, also where parts of it are kept as they were.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::string_view text = fuzz::as_text(data, size);
  const auto value = parse_json(text);
  const auto keeping = parse_json_keeping("/payload", text);
  BELFRY_ASSERT(value.has_value() == keeping.has_value());
  if (!value) {
    BELFRY_ASSERT(value.error().code == Errc::kInvalid && !value.error().message.empty());
    return 0;
  }
  const auto again = parse_json(write_json(*value));
  BELFRY_ASSERT(again.has_value() && *again == *value);
  const auto kept = parse_json(write_json(*keeping));
  BELFRY_ASSERT(kept.has_value() && *kept == *value);
  return 0;
}
