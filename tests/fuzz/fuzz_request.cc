#include "net/server/request_reader.h"
#include "tests/fuzz/fuzz.h"

#include <string>

namespace belfry::fuzz {
namespace {

// What a reader makes of the bytes, as one text.
class Reading {
 public:
  // Takes what is new; what it leaves comes again with the next.
  void hear(std::string_view bytes) {
    left_ += bytes;
    while (reader_.state() != net::RequestReader::State::kRefused) {
      const std::size_t taken = reader_.feed(left_);
      BELFRY_ASSERT(taken <= left_.size());
      left_.erase(0, taken);
      if (reader_.state() == net::RequestReader::State::kHead) {
        reader_.take_body(kBody);
        continue;
      }
      if (reader_.state() != net::RequestReader::State::kComplete) break;
      const net::Request request = reader_.take();
      BELFRY_ASSERT(request.body.size() <= kBody);
      said_ += request.method + " " + request.path + " " + request.body + "\n";
      for (const net::Header& field : request.headers) said_ += field.name + ":" + field.value;
    }
  }
  const std::string& said() const { return said_; }
  void check_refusal() const {
    if (reader_.state() != net::RequestReader::State::kRefused) return;
    BELFRY_ASSERT(reader_.refusal().status >= 400 && !reader_.refusal().detail.empty());
  }

 private:
  static constexpr std::size_t kBody = 512;
  net::RequestReader reader_{{.header_bytes = 4'096, .body_bytes = kBody}};
  std::string left_;
  std::string said_;
};

}  // namespace
}  // namespace belfry::fuzz

// However the bytes arrive, they mean the same.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry::fuzz;
  const std::string_view text = as_text(data, size);
  Reading whole;
  whole.hear(text);
  Reading halves;
  const std::size_t middle = size == 0 ? 0 : data[0] % (size + 1);
  halves.hear(text.substr(0, middle));
  halves.hear(text.substr(middle));
  BELFRY_ASSERT(whole.said() == halves.said());
  // What is both too long and malformed may be refused for either, and one may see it earlier.
  whole.check_refusal();
  halves.check_refusal();
  return 0;
}
