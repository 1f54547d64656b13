#pragma once

#include "import/builder.h"
#include "import/findings.h"
#include "import/report.h"

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Remembers what is said about the keys of a YAML file, so that in the end each line is covered: an
// entry for a key covers the lines below it, up to the next key with an entry.
namespace belfry::importer {

class YamlLines {
 public:
  explicit YamlLines(const SourceFile& file) : file_(file) {}

  // Lines of nodes are counted from here: where the document begins.
  void begin_document(std::size_t first_line) { offset_ = first_line; }

  void say(const YAML::Node& where, Verdict verdict, std::string reason);
  void say(std::size_t line, Verdict verdict, std::string reason);
  std::size_t line_of(const YAML::Node& node) const;

  // A job belongs to its line; the builder gets it at the end, when its extent is known.
  void job(std::size_t line, ImportedJob job, Findings findings, std::string name);

  // Writes everything to the report.
  void report(ReportBuilder& builder);

 private:
  struct Job {
    std::size_t line;
    ImportedJob job;
    Findings findings;
    std::string name;
  };
  struct Saying {
    std::size_t line;
    Verdict verdict;
    std::string reason;
  };
  // For each line with an entry, the last line it covers.
  std::map<std::size_t, std::size_t> extents();

  const SourceFile& file_;
  std::size_t offset_ = 1;
  std::vector<Saying> sayings_;
  std::vector<Job> jobs_;
};

// Each key of a map with its value; nothing when it is not a map.
void each_key(
    const YAML::Node& map,
    const std::function<void(const std::string&, const YAML::Node&, const YAML::Node&)>& visit);

// The text of a scalar; empty for anything else.
std::string text_of(const YAML::Node& node);

}  // namespace belfry::importer
