#include "import/k8s/k8s_lines.h"

#include "import/text.h"

#include <utility>

namespace belfry::importer {

std::size_t YamlLines::line_of(const YAML::Node& node) const {
  const int line = node.Mark().line;
  return offset_ + static_cast<std::size_t>(line < 0 ? 0 : line);
}

void YamlLines::say(const YAML::Node& where, Verdict verdict, std::string reason) {
  say(line_of(where), verdict, std::move(reason));
}

void YamlLines::say(std::size_t line, Verdict verdict, std::string reason) {
  sayings_.push_back({line, verdict, std::move(reason)});
}

void YamlLines::job(std::size_t line, ImportedJob job, Findings findings, std::string name) {
  jobs_.push_back({line, std::move(job), std::move(findings), std::move(name)});
}

std::map<std::size_t, std::size_t> YamlLines::extents() {
  std::map<std::size_t, std::size_t> last;
  for (const Saying& saying : sayings_) last[saying.line] = saying.line;
  for (const Job& job : jobs_) last[job.line] = job.line;
  std::vector<std::size_t> comments;
  std::size_t number = 0;
  for (const std::string_view raw : lines_of(file_.text)) {
    const std::string_view line = trimmed(raw);
    ++number;
    if (line.empty() || last.contains(number)) continue;
    const auto after = last.upper_bound(number);
    if (line.starts_with('#')) {
      comments.push_back(number);
    } else if (after == last.begin() || raw.starts_with("---") || raw.starts_with("...")) {
      say(number, Verdict::kIgnored, "separator of documents");
      last[number] = number;
    } else {
      std::prev(after)->second = number;
    }
  }
  // Inside a longer text, such as a script, `#` does not begin a comment of the file.
  for (const std::size_t comment : comments) {
    const auto after = last.upper_bound(comment);
    if (after != last.begin() && comment <= std::prev(after)->second) continue;
    say(comment, Verdict::kIgnored, "comment");
    last[comment] = comment;
  }
  return last;
}

void YamlLines::report(ReportBuilder& builder) {
  const std::map<std::size_t, std::size_t> last = extents();
  for (Saying& saying : sayings_) {
    builder.line({file_.name, saying.line, last.at(saying.line)}, saying.verdict,
                 std::move(saying.reason));
  }
  for (Job& job : jobs_) {
    builder.job({file_.name, job.line, last.at(job.line)}, std::move(job.job),
                std::move(job.findings), job.name);
  }
}

void each_key(
    const YAML::Node& map,
    const std::function<void(const std::string&, const YAML::Node&, const YAML::Node&)>& visit) {
  if (!map.IsMap()) return;
  for (const auto& pair : map) visit(text_of(pair.first), pair.first, pair.second);
}

std::string text_of(const YAML::Node& node) {
  return node.IsScalar() ? node.Scalar() : std::string();
}

}  // namespace belfry::importer
