#include "api/frame/compression.h"

#include "base/assert.h"
#include "base/text/ascii.h"

#include <brotli/encode.h>
#include <zlib.h>

#include <charconv>
#include <optional>
#include <utility>

namespace belfry::api {
namespace {

// Cheap settings: an answer is compressed while its caller waits.
constexpr int kGzipLevel = 4;
constexpr int kBrotliQuality = 4;
constexpr int kGzipWindow = 15 + 16;  // the largest window, in gzip's format

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The weight of `gzip;q=0.5`; 0 also for one that cannot be read.
double weight_of(std::string_view parameters) {
  const std::string_view text = trimmed(parameters);
  if (text.empty()) return 1;
  if (!text.starts_with("q=") && !text.starts_with("Q=")) return 0;
  double weight = 0;
  const std::string_view number = text.substr(2);
  std::from_chars(number.data(), number.data() + number.size(), weight);
  return weight;
}

// How much a header wants an encoding; none: it does not name it.
std::optional<double> wanted(std::string_view accepted, std::string_view name) {
  while (!accepted.empty()) {
    const std::size_t comma = accepted.find(',');
    const std::string_view item = accepted.substr(0, comma);
    accepted = comma == std::string_view::npos ? std::string_view() : accepted.substr(comma + 1);
    const std::size_t semicolon = item.find(';');
    if (!equal_ignoring_case(trimmed(item.substr(0, semicolon)), name)) continue;
    return weight_of(semicolon == std::string_view::npos ? "" : item.substr(semicolon + 1));
  }
  return {};
}

std::string gzip(std::string_view body) {
  z_stream stream{};
  BELFRY_ASSERT(deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) ==
                Z_OK);
  std::string out(deflateBound(&stream, body.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  BELFRY_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string brotli(std::string_view body) {
  std::size_t size = BrotliEncoderMaxCompressedSize(body.size());
  std::string out(size, '\0');
  const auto done =
      BrotliEncoderCompress(kBrotliQuality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, body.size(),
                            reinterpret_cast<const std::uint8_t*>(body.data()), &size,
                            reinterpret_cast<std::uint8_t*>(out.data()));
  BELFRY_ASSERT(done == BROTLI_TRUE);
  out.resize(size);
  return out;
}

const char* name_of(Encoding encoding) {
  return encoding == Encoding::kGzip ? "gzip" : "br";
}

}  // namespace

Encoding choose_encoding(std::string_view accepted) {
  const double others = wanted(accepted, "*").value_or(0);
  const double gzip = wanted(accepted, "gzip").value_or(others);
  const double brotli = wanted(accepted, "br").value_or(others);
  if (brotli > 0 && brotli >= gzip) return Encoding::kBrotli;
  return gzip > 0 ? Encoding::kGzip : Encoding::kIdentity;
}

std::string compress(std::string_view body, Encoding encoding) {
  switch (encoding) {
    case Encoding::kGzip: return gzip(body);
    case Encoding::kBrotli: return brotli(body);
    case Encoding::kIdentity: break;
  }
  return std::string(body);
}

void compress(net::Response& response, Encoding encoding) {
  if (response.body.size() <= kSmallAnswer) return;
  if (response.headers.find("Content-Encoding")) return;  // the console's files are, already
  response.headers.set("Vary", "Accept-Encoding");
  if (encoding == Encoding::kIdentity) return;
  if (const auto tag = response.headers.find("ETag")) {
    std::string own(tag->substr(0, tag->size() - 1));
    response.headers.set("ETag", std::move(own) + "-" + name_of(encoding) + "\"");
  }
  if (response.status == 304) return;
  response.body = compress(response.body, encoding);
  response.headers.set("Content-Encoding", name_of(encoding));
}

}  // namespace belfry::api
