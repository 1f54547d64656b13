#include "trace/otlp.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::trace {
namespace {

// A message as its reader sees it: by field number, numbers as such and everything else as bytes.
struct Fields {
  std::multimap<std::uint64_t, std::uint64_t> numbers;
  std::multimap<std::uint64_t, std::string> bytes;

  explicit Fields(std::string_view text) {
    while (!text.empty()) {
      const std::uint64_t tag = varint(text);
      switch (tag & 7) {
        case 0: numbers.emplace(tag >> 3, varint(text)); break;
        case 1: numbers.emplace(tag >> 3, fixed(text, 8)); break;
        case 2: {
          const std::size_t size = varint(text);
          bytes.emplace(tag >> 3, text.substr(0, size));
          text.remove_prefix(size);
          break;
        }
        case 5: numbers.emplace(tag >> 3, fixed(text, 4)); break;
        default: ADD_FAILURE() << "wire type " << (tag & 7); return;
      }
    }
  }

  std::uint64_t number(std::uint64_t field) const {
    EXPECT_EQ(numbers.count(field), 1U) << field;
    return numbers.find(field)->second;
  }
  std::string text(std::uint64_t field) const {
    EXPECT_EQ(bytes.count(field), 1U) << field;
    return bytes.find(field)->second;
  }
  Fields message(std::uint64_t field) const { return Fields(text(field)); }

 private:
  static std::uint64_t varint(std::string_view& text) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(text.front());
      text.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  static std::uint64_t fixed(std::string_view& text, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[i]);
    text.remove_prefix(size);
    return value;
  }
};

Span span_at(std::uint64_t number) {
  return {.place = {TraceId({0x0102030405060708, 0x090a0b0c0d0e0f10}), SpanId(number)},
          .name = "claim",
          .start = Instant::from_micros(1'000'000),
          .end = Instant::from_micros(2'500'001)};
}

std::vector<std::string> spans_in(const std::string& request) {
  const Fields scope = Fields(request).message(1).message(2);
  std::vector<std::string> spans;
  const auto [first, last] = scope.bytes.equal_range(2);
  for (auto span = first; span != last; ++span) spans.push_back(span->second);
  return spans;
}

TEST(OtlpTest, SaysWhoSends) {
  const std::string request =
      encode_request({{{"service.name", "belfry"}}, "0.2.0"}, std::vector{span_at(1)});
  const Fields sent = Fields(request).message(1);
  const Fields attribute = sent.message(1).message(1);
  EXPECT_EQ(attribute.text(1), "service.name");
  EXPECT_EQ(attribute.message(2).text(1), "belfry");
  const Fields scope = sent.message(2).message(1);
  EXPECT_EQ(scope.text(1), "belfry");
  EXPECT_EQ(scope.text(2), "0.2.0");
}

TEST(OtlpTest, WritesASpanAsItsReadersWantIt) {
  Span span = span_at(0x1122334455667788);
  span.parent = SpanId(0xff);
  span.kind = Kind::kClient;
  span.attributes = {{"belfry.attempt", std::int64_t{300}}, {"belfry.job_name", "nightly"}};
  span.has_failed = true;
  span.error = "status: 500";
  const Fields sent(spans_in(encode_request({}, std::vector{span})).at(0));
  EXPECT_EQ(sent.text(1), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10");
  EXPECT_EQ(sent.text(2), "\x11\x22\x33\x44\x55\x66\x77\x88");
  EXPECT_EQ(sent.text(4), std::string(7, '\0') + "\xff");
  EXPECT_EQ(sent.text(5), "claim");
  EXPECT_EQ(sent.number(6), 3U);
  EXPECT_EQ(sent.number(7), 1'000'000'000U);
  EXPECT_EQ(sent.number(8), 2'500'001'000U);
  EXPECT_EQ(sent.number(16), 1U);
  EXPECT_EQ(sent.bytes.count(9), 2U);
  EXPECT_EQ(Fields(sent.bytes.find(9)->second).message(2).number(3), 300U);
  EXPECT_EQ(sent.message(15).number(3), 2U);
  EXPECT_EQ(sent.message(15).text(2), "status: 500");
}

TEST(OtlpTest, ARootHasNoParentAndMayHaveALink) {
  Span span = span_at(1);
  span.link = Place{TraceId({1, 2}), SpanId(3), true};
  const Fields sent(spans_in(encode_request({}, std::vector{span})).at(0));
  EXPECT_EQ(sent.bytes.count(4), 0U);
  EXPECT_EQ(sent.bytes.count(15), 0U);
  EXPECT_EQ(sent.message(13).text(1),
            std::string(7, '\0') + "\x01" + std::string(7, '\0') + "\x02");
  EXPECT_EQ(sent.message(13).text(2), std::string(7, '\0') + "\x03");
}

// Clocks of two machines may differ by more than a step takes.
TEST(OtlpTest, NoSpanEndsBeforeItBegins) {
  Span span = span_at(1);
  std::swap(span.start, span.end);
  const Fields sent(spans_in(encode_request({}, std::vector{span})).at(0));
  EXPECT_EQ(sent.number(7), sent.number(8));
}

TEST(OtlpTest, ManySpansAreOneRequest) {
  std::vector<Span> spans;
  for (std::uint64_t i = 1; i <= 300; ++i) spans.push_back(span_at(i));
  EXPECT_EQ(spans_in(encode_request({}, spans)).size(), 300U);
}

}  // namespace
}  // namespace belfry::trace
