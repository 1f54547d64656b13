#include "net/client/response_reader.h"
#include "tests/fuzz/fuzz.h"

#include <string>

namespace belfry::fuzz {
namespace {

constexpr std::size_t kBody = 512;

std::string read(std::string_view text, std::size_t middle, bool to_head) {
  net::ResponseReader reader(to_head, kBody);
  std::string left;
  for (const std::string_view part : {text.substr(0, middle), text.substr(middle)}) {
    left += part;
    while (reader.state() == net::ResponseReader::State::kMore) {
      const std::size_t taken = reader.feed(left);
      BELFRY_ASSERT(taken <= left.size());
      left.erase(0, taken);
      if (taken == 0) break;
    }
  }
  if (reader.state() == net::ResponseReader::State::kMore) reader.feed_end();
  if (reader.state() == net::ResponseReader::State::kRefused) {
    BELFRY_ASSERT(!reader.trouble().empty());
    return "refused";
  }
  const net::Response& response = reader.response();
  BELFRY_ASSERT(response.body.size() <= kBody);
  return std::to_string(response.status) + " " + response.body;
}

}  // namespace
}  // namespace belfry::fuzz

// However the bytes arrive, they mean the same.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry::fuzz;
  const std::string_view text = as_text(data, size);
  const std::size_t middle = size == 0 ? 0 : data[size - 1] % (size + 1);
  for (const bool to_head : {false, true}) {
    BELFRY_ASSERT(read(text, size, to_head) == read(text, middle, to_head));
  }
  return 0;
}
