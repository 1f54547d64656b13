#include "import/k8s/k8s.h"

#include "import/k8s/k8s_cron_job.h"
#include "import/k8s/k8s_lines.h"
#include "import/text.h"

#include <string>
#include <vector>

namespace belfry::importer {
namespace {

struct Document {
  std::string text;
  std::size_t first_line = 1;
};

// Split by hand, so that a broken document does not take the others with it.
std::vector<Document> documents_of(std::string_view text) {
  std::vector<Document> documents{{}};
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line == "---" || line.starts_with("--- ")) {
      documents.push_back({"", number + 1});
    } else {
      documents.back().text += std::string(line) + "\n";
    }
  }
  return documents;
}

class K8sImport {
 public:
  K8sImport(const SourceFile& file, ReportBuilder& builder) : lines_(file), builder_(builder) {}

  void read(std::string_view text) {
    for (const Document& document : documents_of(text)) {
      lines_.begin_document(document.first_line);
      read_document(document);
    }
    lines_.report(builder_);
  }

 private:
  void read_document(const Document& document) {
    try {
      const YAML::Node root = YAML::Load(document.text);
      if (root.IsDefined() && !root.IsNull()) read_object(root);
    } catch (const YAML::Exception& error) {
      const int line = error.mark.line < 0 ? 0 : error.mark.line;
      lines_.say(first_line_of(document), Verdict::kRefused,
                 "the document is not valid YAML: line " +
                     std::to_string(document.first_line + static_cast<std::size_t>(line)) + ": " +
                     error.msg);
    }
  }

  static std::size_t first_line_of(const Document& document) {
    std::size_t number = document.first_line;
    for (const std::string_view line : lines_of(document.text)) {
      if (!trimmed(line).empty()) break;
      ++number;
    }
    return number;
  }

  void read_object(const YAML::Node& object) {
    const bool has_kind = object.IsMap() && object["kind"].IsDefined();
    const std::string kind = has_kind ? text_of(object["kind"]) : std::string();
    if (kind == "CronJob") {
      read_cron_job(object, lines_, builder_);
    } else if (kind == "List" || kind == "CronJobList") {
      read_list(object);
    } else if (kind == "Job") {
      lines_.say(object, Verdict::kRefused, "a Job runs when it is applied and has no schedule");
    } else {
      lines_.say(
          object, Verdict::kIgnored,
          kind.empty() ? "not a Kubernetes object" : "not a CronJob but a " + in_backticks(kind));
    }
  }

  void read_list(const YAML::Node& list) {
    each_key(list, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      lines_.say(at, Verdict::kIgnored, "heading");
      if (key != "items" || !value.IsSequence()) return;
      for (const YAML::Node& item : value) {
        if (item.IsMap() && text_of(item["kind"]) == "List") {
          lines_.say(item, Verdict::kRefused, "a list within a list");
        } else {
          read_object(item);
        }
      }
    });
  }

  YamlLines lines_;
  ReportBuilder& builder_;
};

}  // namespace

ImportReport import_k8s(const SourceFile& file, const ImportOptions& options,
                        core::ZoneCatalog& zones) {
  ReportBuilder builder(options, zones);
  K8sImport(file, builder).read(file.text);
  builder.note("a CronJob without `timeZone` follows the clock of its cluster, mostly UTC");
  builder.note("a job without a limit of its own gets `timeout` one day");
  return builder.take();
}

}  // namespace belfry::importer
