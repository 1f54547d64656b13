#include "import/k8s/k8s.h"
#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::vector<importer::SourceFile> files{{"a.yaml", std::string(fuzz::as_text(data, size))}};
  fuzz::check_report(files, importer::import_k8s(files[0], {}, fuzz::zones()));
  return 0;
}
