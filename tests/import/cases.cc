#include "tests/import/cases.h"

#include "import/job_json.h"
#include "import/text.h"

#include <fstream>

namespace belfry::importer {

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream in(path);
  std::vector<Case> cases;
  enum { kOptions, kInput, kExpected } part = kOptions;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=== ")) {
      cases.push_back({.name = line.substr(4), .options = {}, .files = {}, .expected = {}});
      part = kOptions;
    } else if (cases.empty()) {
      continue;
    } else if (line.starts_with(">>> ")) {
      cases.back().files.push_back({line.substr(4), ""});
      part = kInput;
    } else if (line == "<<<") {
      part = kExpected;
    } else if (part == kInput) {
      cases.back().files.back().text += line + "\n";
    } else if (part == kExpected) {
      cases.back().expected += line + "\n";
    } else if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
      cases.back().options[line.substr(0, colon)] = line.substr(colon + 2);
    }
  }
  return cases;
}

std::string write_cases(const std::vector<Case>& cases) {
  std::string text;
  for (const Case& sample : cases) {
    text += "=== " + sample.name + "\n";
    for (const auto& [key, value] : sample.options) text += key + ": " + value + "\n";
    for (const SourceFile& file : sample.files) text += ">>> " + file.name + "\n" + file.text;
    text += "<<<\n" + sample.expected;
  }
  return text;
}

std::string render(const ImportReport& report, bool with_file_names) {
  std::string text;
  for (const ImportEntry& entry : report.entries) {
    if (with_file_names) text += entry.file + ":";
    text += std::to_string(entry.first_line);
    if (entry.last_line != entry.first_line) text += "-" + std::to_string(entry.last_line);
    text += " " + std::string(name_of(entry.verdict));
    std::string separator = ": ";
    for (const std::string& reason : entry.reasons) {
      text += separator + reason;
      separator = " | ";
    }
    text += "\n";
    if (entry.job) text += "  " + to_json(*entry.job) + "\n";
  }
  return text;
}

std::vector<std::string> lines_without_entry(const std::vector<SourceFile>& files,
                                             const ImportReport& report) {
  std::vector<std::string> missing;
  for (const SourceFile& file : files) {
    std::size_t number = 0;
    for (const std::string_view line : lines_of(file.text)) {
      ++number;
      bool covered = trimmed(line).empty();
      for (const ImportEntry& entry : report.entries) {
        covered = covered || (entry.file == file.name && entry.first_line <= number &&
                              number <= entry.last_line);
      }
      if (!covered) missing.push_back(file.name + ":" + std::to_string(number));
    }
  }
  return missing;
}

}  // namespace belfry::importer
