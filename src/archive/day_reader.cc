#include "archive/day_reader.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace belfry::archive {
namespace {

constexpr std::size_t kPiece = 1 << 16;

struct CloseStream {
  void operator()(gzFile stream) const { gzclose(stream); }
};
using Stream = std::unique_ptr<gzFile_s, CloseStream>;

tl::unexpected<Error> damaged(const std::string& path, const std::string& why) {
  return fail({.code = Errc::kUnavailable,
               .message = "the archive's file `" + path + "` cannot be read: " + why,
               .hint = "bring it back from a copy, or move it out of the folder"});
}

// Hands out the lines of `text`; what comes after the last one stays in it.
Status take_lines(std::string& text, const std::function<Status(std::string_view)>& take) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    BELFRY_CHECK(take(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  text.erase(0, begin);
  return {};
}

}  // namespace

Status read_lines(const std::string& path, const std::function<Status(std::string_view)>& take) {
  const Stream stream(gzopen(path.c_str(), "rb"));
  if (stream == nullptr) return damaged(path, std::strerror(errno));
  std::string text;
  std::array<char, kPiece> piece{};
  for (;;) {
    const int count = gzread(stream.get(), piece.data(), piece.size());
    int code = Z_OK;
    const char* const why = gzerror(stream.get(), &code);
    // A file that is cut short ends with Z_BUF_ERROR, and gives its last bytes before.
    if (count < 0 || code != Z_OK) return damaged(path, why);
    if (count == 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
    BELFRY_CHECK(take_lines(text, take));
  }
  if (!text.empty() || gzdirect(stream.get()) != 0) return damaged(path, "it is not complete");
  return {};
}

}  // namespace belfry::archive
