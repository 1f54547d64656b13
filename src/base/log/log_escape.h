#pragma once

#include <string>
#include <string_view>

// How a value of any origin gets into a log line without being able to end the line, begin another
// field or drive the terminal of whoever reads it. Bytes that are not UTF-8 may occur.
namespace belfry {

// Bare if it is plain visible ASCII, otherwise in quotes with \" \\ \n \r \t and \xNN: no byte is
// lost, and what cannot be mistaken for anything else (letters of other scripts) stays readable.
void append_text_value(std::string& out, std::string_view value);

// A JSON string. Bytes that are not UTF-8 become U+FFFD, as JSON has no other way to hold them.
void append_json_string(std::string& out, std::string_view value);

}  // namespace belfry
