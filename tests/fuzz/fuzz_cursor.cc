#include "api/frame/paging.h"
#include "store/common/page_cursor.h"
#include "tests/fuzz/fuzz.h"

// A cursor that is taken is one that we could have written; what we write is taken.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::string text(fuzz::as_text(data, size));
  if (const auto place = store::parse_cursor(text)) {
    const auto again = store::parse_cursor(to_text(*place));
    BELFRY_ASSERT(again.has_value() && *again == *place);
  }
  std::vector<api::Complaint> complaints;
  const net::Request asked{.query = {{"cursor", text}}};
  const api::Page page = api::read_page(asked, "filter", complaints);
  BELFRY_ASSERT(complaints.empty() || page.cursor.empty());
  if (text.empty() || text.find('\0') != std::string::npos) return 0;
  complaints.clear();
  const net::Request next{
      .query = {{"cursor", api::write_cursor(text, "filter").get<std::string>()}}};
  BELFRY_ASSERT(api::read_page(next, "filter", complaints).cursor == text && complaints.empty());
  BELFRY_ASSERT(api::read_page(next, "another", complaints).cursor.empty());
  return 0;
}
