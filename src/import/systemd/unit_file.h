#pragma once

#include "import/builder.h"
#include "import/report.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::importer {

// One logical line of a systemd unit file: lines joined by a backslash are one.
struct UnitLine {
  enum class Kind : std::uint8_t { kSetting, kSection, kComment, kBroken };
  Kind kind = Kind::kBroken;
  SourcePlace place;
  std::string section;  // "Timer"
  std::string key;
  std::string value;
};

// Every line that is not blank, in order.
std::vector<UnitLine> read_unit(const SourceFile& file);

// A unit with its drop-ins, read as one.
class Unit {
 public:
  explicit Unit(std::string name) : name_(std::move(name)) {}

  void append(const SourceFile& file);

  const std::string& name() const { return name_; }  // "backup.timer"
  std::string stem() const;                          // "backup"
  const std::vector<UnitLine>& lines() const { return lines_; }

  // The settings in force: an empty value takes back those before it.
  std::vector<const UnitLine*> all(std::string_view section, std::string_view key) const;
  // The last one; empty when there is none.
  std::string_view value(std::string_view section, std::string_view key) const;
  bool flag(std::string_view section, std::string_view key) const;

 private:
  std::string name_;
  std::vector<UnitLine> lines_;
};

}  // namespace belfry::importer
