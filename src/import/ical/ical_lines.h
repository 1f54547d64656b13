#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// An iCalendar file as components of properties (RFC 5545, section 3.1).
namespace belfry::importer {

struct IcalProperty {
  std::string name;                           // in capitals
  std::map<std::string, std::string> params;  // by name in capitals; without quotes
  std::string value;                          // as written: escapes are still in it
};

struct IcalComponent {
  std::string name;  // VEVENT, VTIMEZONE, ...
  std::size_t first_line = 0;
  std::size_t last_line = 0;
  std::vector<IcalProperty> properties;
  std::vector<IcalComponent> parts;

  const IcalProperty* find(std::string_view property) const;
  // The value without escapes; empty if there is none.
  std::string text(std::string_view property) const;
};

// The components at the top. What is no property is passed over, and what is not closed ends with
// the file; components nest four deep at most.
std::vector<IcalComponent> parse_ical(std::string_view text);

}  // namespace belfry::importer
