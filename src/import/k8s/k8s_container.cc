#include "import/k8s/k8s_container.h"

#include "import/command.h"
#include "import/text.h"

#include <algorithm>
#include <utility>

namespace belfry::importer {
namespace {

// `$(NAME)` becomes its value, `$$(NAME)` becomes `$(NAME)`; unknown names stay.
std::string expanded(std::string_view text, const Variables& variables) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("$$")) {
      result += '$';
      ++i;
      continue;
    }
    const std::size_t close = rest.find(')');
    if (!rest.starts_with("$(") || close == std::string_view::npos) {
      result += text[i];
      continue;
    }
    const std::string_view name = rest.substr(2, close - 2);
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const auto& variable) { return variable.first == name; });
    result += found == variables.end() ? std::string(rest.substr(0, close + 1)) : found->second;
    i += close;
  }
  return result;
}

class ContainerReader {
 public:
  ContainerReader(YamlLines& lines, ImportedJob& job, Findings& findings,
                  std::vector<std::string>& lost)
      : lines_(lines), job_(job), findings_(findings), lost_(lost) {}

  void read(const YAML::Node& container) {
    read_environment(container["env"]);
    each_key(container, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      read_key(key, at, value);
    });
    if (command_.empty()) {
      findings_.refuse(
          "the container has no `command`: what its image runs is not in this file; add the "
          "command");
      return;
    }
    std::move(arguments_.begin(), arguments_.end(), std::back_inserter(command_));
    job_.command = with_environment(variables_, folder_, std::move(command_));
  }

 private:
  void read_key(const std::string& key, const YAML::Node& at, const YAML::Node& value) {
    if (key == "name") {
      lines_.say(at, Verdict::kIgnored, "the container's own name");
    } else if (key == "image") {
      job_.labels["image"] = text_of(value);
      findings_.change("the image " + in_backticks(text_of(value)) +
                       " is not imported: the command runs on the host of the exec worker, "
                       "which needs what the image held");
      lines_.say(at, Verdict::kChanged, "kept as the label `image`, but nothing is run in it");
    } else if (key == "command") {
      command_ = read_words(value);
      lines_.say(at, Verdict::kApplied, "the command");
    } else if (key == "args") {
      arguments_ = read_words(value);
      lines_.say(at, Verdict::kApplied, "the command's arguments");
    } else if (key == "env") {
      lines_.say(at, Verdict::kApplied, "variables of the command");
    } else if (key == "workingDir") {
      folder_ = text_of(value);
      lines_.say(at, Verdict::kApplied, "the folder of the command");
    } else if (key == "imagePullPolicy" || key.starts_with("termination")) {
      lines_.say(at, Verdict::kIgnored, "about the container, which is not imported");
    } else {
      lost_.push_back(key);
      lines_.say(at, Verdict::kRefused, "about the container, which is not imported");
    }
  }

  Words read_words(const YAML::Node& list) const {
    Words words;
    if (!list.IsSequence()) return words;
    for (const YAML::Node& word : list) words.push_back(expanded(text_of(word), variables_));
    return words;
  }

  void read_environment(const YAML::Node& list) {
    if (!list.IsDefined() || !list.IsSequence()) return;
    for (const YAML::Node& variable : list) {
      const std::string name = variable.IsMap() ? text_of(variable["name"]) : std::string();
      if (name.empty() || !variable["value"].IsDefined()) {
        lost_.push_back("env " + name);
        lines_.say(variable, Verdict::kRefused,
                   "the value is kept in the cluster: give it to the worker");
        continue;
      }
      set_variable(variables_, name, expanded(text_of(variable["value"]), variables_));
      lines_.say(variable, Verdict::kApplied, "a variable of the command");
    }
  }

  YamlLines& lines_;
  ImportedJob& job_;
  Findings& findings_;
  std::vector<std::string>& lost_;
  Words command_;
  Words arguments_;
  Variables variables_;
  std::string folder_;
};

}  // namespace

void read_container(const YAML::Node& container, YamlLines& lines, ImportedJob& job,
                    Findings& findings, std::vector<std::string>& lost) {
  ContainerReader(lines, job, findings, lost).read(container);
}

}  // namespace belfry::importer
