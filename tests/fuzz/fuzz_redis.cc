#include "tests/fuzz/fuzz_broker.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  belfry::fuzz::publish_to_liar("redis", belfry::fuzz::as_text(data, size));
  return 0;
}
