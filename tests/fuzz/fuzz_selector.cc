// The terms that select jobs by their labels, as people write them.
#include "core/bulk/job_selector.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const auto term = core::parse_label_term(fuzz::as_text(data, size));
  if (!term) {
    BELFRY_ASSERT(!term.error().message.empty());
    return 0;
  }
  // What is written again is read as the same.
  const auto again = core::parse_label_term(core::to_string(*term));
  BELFRY_ASSERT(again.has_value());
  BELFRY_ASSERT(again->name == term->name && again->is_negated == term->is_negated &&
                again->values == term->values);
  return 0;
}
