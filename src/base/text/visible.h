#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Text of any origin, made fit for people's eyes: it cannot drive the reader's terminal, nor look
// like other text than it is.
namespace belfry {

// Neither a control character (C0, DEL, C1) nor one that breaks, reorders or annotates the line.
bool is_harmless(std::uint32_t code);

// What is not harmless becomes `\n`, `\t`, `\x1b` or `\u202e`; bytes that are not UTF-8 `\xNN`.
// Characters of `kept` stay as they are: "\n\t" for text of several lines.
std::string visible(std::string_view text, std::string_view kept = {});

// The same for JSON, which stays the same JSON: in strings everything may be written `\u202e`.
std::string visible_json(std::string_view json);

}  // namespace belfry
