#include "import/systemd/systemd.h"
#include "tests/fuzz/fuzz_import.h"

// One text as both files: the sections keep the timer's and the service's part apart.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::string text(fuzz::as_text(data, size));
  const std::vector<importer::SourceFile> files{{"a.timer", text}, {"a.service", text}};
  fuzz::check_report(files, importer::import_systemd(files, {}, fuzz::zones()));
  return 0;
}
