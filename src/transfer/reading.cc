#include "transfer/reading.h"

#include "base/text/instant_text.h"
#include "transfer/export.h"

namespace belfry::transfer {
namespace {

Result<Entry> read_entry(const std::string& text, std::size_t number) {
  Entry entry{.line = number};
  auto json = parse_json(text);
  if (!json || !json->is_object() || json->size() != 1) {
    return fail(entry.wrong("is not of an export"));
  }
  entry.kind = json->begin().key();
  entry.body = std::move(json->begin().value());
  if (!entry.body.is_object()) return fail(entry.wrong("is not of an export"));
  return entry;
}

Status check_head(const Entry& entry) {
  if (entry.kind != "belfry_export") return fail(entry.wrong("does not begin an export"));
  if (entry.number("format") != kFormat) {
    return fail(entry.wrong("is of another format; import it with the version that wrote it"));
  }
  return {};
}

}  // namespace

Error Entry::wrong(const std::string& what) const {
  return {.code = Errc::kInvalid,
          .message = "line " + std::to_string(line) + " " + what,
          .field = "file"};
}

Result<std::string> Entry::text(const char* name) const {
  const auto found = body.find(name);
  if (found == body.end() || !found->is_string()) {
    return fail(wrong(std::string("has no text `") + name + "`"));
  }
  return found->get<std::string>();
}

Result<std::vector<std::string>> Entry::texts(const char* name) const {
  const auto found = body.find(name);
  std::vector<std::string> texts;
  if (found == body.end() || !found->is_array()) {
    return fail(wrong(std::string("has no list `") + name + "`"));
  }
  for (const Json& text : *found) {
    if (!text.is_string()) return fail(wrong(std::string("has more than texts in ") + name));
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

Result<Instant> Entry::instant(const char* name) const {
  BELFRY_TRY(written, text(name));
  const auto read = parse_instant(written);
  if (!read) return fail(wrong(std::string("has no instant `") + name + "`"));
  return *read;
}

Result<Json> Entry::object(const char* name) const {
  const auto found = body.find(name);
  if (found == body.end() || !found->is_object()) {
    return fail(wrong(std::string("has no object `") + name + "`"));
  }
  return *found;
}

std::int64_t Entry::number(const char* name) const {
  const auto found = body.find(name);
  return found != body.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

bool Entry::flag(const char* name) const {
  const auto found = body.find(name);
  return found != body.end() && *found == true;
}

Status read_export(std::istream& in, const std::function<Status(const Entry&)>& on_entry) {
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    BELFRY_TRY(entry, read_entry(line, ++number));
    if (number == 1) {
      BELFRY_CHECK(check_head(entry));
    } else if (entry.kind == "end") {
      if (entry.number("lines") + 1 == static_cast<std::int64_t>(number)) return {};
      return fail(entry.wrong("ends an export of another length"));
    } else {
      BELFRY_CHECK(on_entry(entry));
    }
  }
  return fail({.code = Errc::kInvalid,
               .message = "the export has no end: it was cut short",
               .field = "file",
               .hint = "write it again"});
}

}  // namespace belfry::transfer
