#include "cli/files/yaml.h"

#include "base/text/utf8.h"
#include "base/text/visible.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>

namespace belfry::cli {
namespace {

constexpr int kMostDepth = 64;
constexpr std::size_t kMostNodes = 10'000'000;  // aliases of aliases could grow without end

std::string at_line(const YAML::Mark& mark) {
  return mark.is_null() ? "" : "line " + std::to_string(mark.line + 1);
}

Error bad(const YAML::Node& node, std::string message, std::string hint = {}) {
  return {.code = Errc::kInvalid,
          .message = std::move(message),
          .field = at_line(node.Mark()),
          .hint = std::move(hint)};
}

std::optional<Json> number_of(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos ||
      digits.find_first_of("0123456789") != 0) {
    return {};
  }
  // What begins with 0 is a date, an id or a telephone number.
  if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') return {};
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto as_whole = std::from_chars(text.data(), end, whole);
  if (as_whole.ec == std::errc() && as_whole.ptr == end) return Json(whole);
  double real = 0;
  const auto as_real = std::from_chars(text.data(), end, real);
  if (as_real.ec == std::errc() && as_real.ptr == end && std::isfinite(real)) return Json(real);
  return {};
}

// A word without quotes.
Json plain(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (const auto number = number_of(text)) return *number;
  return text;
}

// Where the documents begin, and nothing else.
class DocumentStarts final : public YAML::EventHandler {
 public:
  YAML::Mark last = YAML::Mark::null_mark();
  bool is_stuck = false;  // two began at the same place

  void OnDocumentStart(const YAML::Mark& mark) override {
    is_stuck = !last.is_null() && mark.pos == last.pos;
    last = mark;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// The library never ends, and takes all memory, where something stands that begins no value (`,`).
Status check_ends(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  DocumentStarts starts;
  while (!starts.is_stuck && parser.HandleNextDocument(starts)) {
  }
  if (!starts.is_stuck) return {};
  return fail({.code = Errc::kInvalid,
               .message = "what stands there begins no value",
               .field = at_line(starts.last)});
}

class Converter {
 public:
  Result<Json> convert(const YAML::Node& node, int depth = 0) {
    if (depth > kMostDepth) return fail(bad(node, "it is nested too deeply"));
    if (++nodes_ > kMostNodes) return fail(bad(node, "it has too many values"));
    if (node.IsScalar()) return scalar(node);
    if (node.IsSequence()) return sequence(node, depth);
    if (node.IsMap()) return map(node, depth);
    return Json();
  }

 private:
  static Result<Json> scalar(const YAML::Node& node) {
    // The library marks what was quoted with the tag "!".
    if (node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str") return Json(node.Scalar());
    return plain(node.Scalar());
  }

  Result<Json> sequence(const YAML::Node& node, int depth) {
    Json list = Json::array();
    for (const YAML::Node& item : node) {
      BELFRY_TRY(value, convert(item, depth + 1));
      list.push_back(std::move(value));
    }
    return list;
  }

  Result<Json> map(const YAML::Node& node, int depth) {
    Json object = Json::object();
    Json merged = Json::object();
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) return fail(bad(entry.first, "a key must be a word"));
      const std::string key = entry.first.Scalar();
      BELFRY_TRY(value, convert(entry.second, depth + 1));
      if (key == "<<" && entry.first.Tag() != "!") {
        if (!value.is_object()) return fail(bad(entry.second, "`<<` merges a map"));
        merged.update(value);
        continue;
      }
      if (object.contains(key)) return fail(bad(entry.first, "`" + key + "` is given twice"));
      object[key] = std::move(value);
    }
    for (const auto& [key, value] : merged.items()) {
      if (!object.contains(key)) object[key] = value;
    }
    return object;
  }

  std::size_t nodes_ = 0;
};

void write_text(YAML::Emitter& out, const std::string& text) {
  // The library would leave `123` and `true` without quotes.
  const bool ambiguous =
      !plain(text).is_string() || text == "<<" || text.find_first_of("\n\t\r") != std::string::npos;
  // Who reads it in a terminal sees what is there, and it is read back the same.
  const bool harmless = visible(text, "\n\t\r") == text;
  if (!harmless) out << YAML::EscapeNonAscii;
  if (ambiguous || !harmless) out << YAML::DoubleQuoted;
  out << text;
}

void write(YAML::Emitter& out, const Json& value) {
  if (value.is_object()) {
    out << (value.empty() ? YAML::Flow : YAML::Block) << YAML::BeginMap;
    for (const auto& [key, item] : value.items()) {
      out << YAML::Key;
      write_text(out, key);
      out << YAML::Value;
      write(out, item);
    }
    out << YAML::EndMap;
  } else if (value.is_array()) {
    out << (value.empty() ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
    for (const Json& item : value) write(out, item);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    write_text(out, value.get<std::string>());
  } else if (value.is_null()) {
    out << YAML::Null;
  } else {
    out << write_json(value);  // a number or a word: the library takes it as it is
  }
}

}  // namespace

std::string to_yaml(const Json& value) {
  YAML::Emitter out;
  out.SetMapFormat(YAML::Block);
  write(out, value);
  return std::string(out.c_str(), out.size()) + "\n";
}

Result<std::vector<Json>> parse_yaml(std::string_view text) {
  const auto is_forbidden = [](unsigned char c) {
    return c == 0x7f || (c < 0x20 && c != '\t' && c != '\n' && c != '\r');
  };
  if (!is_utf8(text) || std::ranges::any_of(text, is_forbidden)) {
    return fail({.code = Errc::kInvalid,
                 .message = "this is not text in UTF-8 without control characters",
                 .hint = "write them as \"\\x1b\", in double quotes"});
  }
  try {
    std::vector<Json> documents;
    BELFRY_CHECK(check_ends(std::string(text)));
    for (const YAML::Node& node : YAML::LoadAll(std::string(text))) {
      if (!node.IsDefined() || node.IsNull()) continue;
      BELFRY_TRY(document, Converter().convert(node));
      documents.push_back(std::move(document));
    }
    return documents;
  } catch (const YAML::Exception& error) {
    return fail(Error{.code = Errc::kInvalid,
                      .message = error.msg,
                      .field = at_line(error.mark),
                      .hint = "check indentation and quotes"});
  }
}

}  // namespace belfry::cli
