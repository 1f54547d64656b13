#include "config/toml_file.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  static const int kFile = memfd_create("fuzz.toml", 0);
  BELFRY_ASSERT(ftruncate(kFile, 0) == 0);
  BELFRY_ASSERT(pwrite(kFile, data, size, 0) == static_cast<ssize_t>(size));
  const auto entries = config::read_toml("/proc/self/fd/" + std::to_string(kFile));
  if (!entries) {
    BELFRY_ASSERT(entries.error().code == Errc::kInvalid && !entries.error().message.empty());
    return 0;
  }
  for (const config::TomlEntry& entry : *entries) BELFRY_ASSERT(entry.line >= 1);
  return 0;
}
