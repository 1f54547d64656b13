#include "import/crontab/crontab.h"
#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::vector<importer::SourceFile> files{
      {"crontab", std::string(fuzz::as_text(data, size))}};
  for (const auto style : {importer::CrontabStyle::kUser, importer::CrontabStyle::kSystem,
                           importer::CrontabStyle::kAnacron}) {
    fuzz::check_report(files, importer::import_crontab(files[0], {.style = style, .owner = {}}, {},
                                                       fuzz::zones()));
  }
  return 0;
}
