#include "cli/files/manifest.h"
#include "cli/files/yaml.h"
#include "tests/fuzz/fuzz.h"

// What is read can be written and read again.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::string text(fuzz::as_text(data, size));
  const auto documents = cli::parse_yaml(text);
  if (!documents) {
    BELFRY_ASSERT(!documents.error().message.empty());
    return 0;
  }
  for (const Json& value : *documents) {
    const auto again = cli::parse_yaml(cli::to_yaml(value));
    BELFRY_ASSERT(again.has_value() && again->size() <= 1);
    BELFRY_ASSERT(again->empty() ? value.is_null() : again->front() == value);
  }
  const auto jobs = cli::read_manifest({{"jobs.yaml", text}});
  BELFRY_ASSERT(jobs.has_value() || !jobs.error().message.empty());
  return 0;
}
