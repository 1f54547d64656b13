#pragma once

#include <string>
#include <string_view>

// Writes a value of any origin into a log line so that it cannot end the line, begin another field
// or drive the reader's terminal. Values need not be UTF-8.
namespace belfry {

// Bare if it is plain visible ASCII, otherwise in quotes with \" \\ \n \r \t and \xNN: no byte is
// lost, and what cannot be mistaken for anything else (letters of other scripts) stays readable.
void append_text_value(std::string& out, std::string_view value);

// A JSON string. Bytes that are not UTF-8 become U+FFFD, as JSON has no other way to hold them.
void append_json_string(std::string& out, std::string_view value);

}  // namespace belfry
