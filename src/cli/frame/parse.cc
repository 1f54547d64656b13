#include "cli/frame/parse.h"

#include "core/suggest.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <utility>

namespace belfry::cli {
namespace {

Problem wrong(const Command& command, std::string what, std::string fix = {}) {
  if (fix.empty()) fix = "`" + command.path() + " --help` shows how it is used";
  return {Problem::Kind::kInvalid, std::move(what), "", std::move(fix)};
}

std::string proposal_for(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return core::closest(word, views);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return text;
}

std::vector<std::string> command_names(const Command& command) {
  std::vector<std::string> names;
  for (const Command& each : command.commands()) {
    if (!each.is_hidden()) names.push_back(each.name());
  }
  return names;
}

bool has_place(const Command& command) {
  return std::ranges::any_of(command.options(),
                             [](const Option& each) { return !each.facts().place_name.empty(); });
}

Problem unknown_command(const Command& command, const std::string& word) {
  std::vector<std::string> names = command_names(command);
  for (const Command& each : command.commands()) {
    names.insert(names.end(), each.aliases().begin(), each.aliases().end());
  }
  const std::string near = proposal_for(word, names);
  return wrong(command, "there is no command `" + word + "`",
               near.empty() ? "`" + command.path() + " --help` lists the commands"
                            : "did you mean `" + near + "`?");
}

Problem unknown_flag(const Command& command, const std::string& word) {
  std::vector<std::string> names;
  for (const Command* at = &command; at != nullptr; at = at->parent()) {
    for (const Option& each : at->options()) {
      if (!each.facts().long_name.empty()) names.push_back("--" + each.facts().long_name);
    }
  }
  const std::string flag = word.substr(0, word.find('='));
  const std::string near = proposal_for(flag, names);
  return wrong(command, "`" + command.path() + "` has no flag `" + flag + "`",
               near.empty() ? "" : "did you mean `" + near + "`?");
}

// The words of one line, from the first to the last.
class Reader {
 public:
  Reader(const Command& root, std::span<const std::string> words)
      : command_(&root), words_(words) {}

  // Reads all words. Where something is wrong it remembers the first problem and goes on.
  void read() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (only_words_ || word.size() < 2 || word[0] != '-') {
        plain_word(word);
      } else if (word == "--") {
        only_words_ = true;
      } else if (word == "--help" || word == "-h") {
        wants_help_ = true;
      } else if (word.starts_with("--")) {
        long_flag(word);
      } else {
        short_flags(word);
      }
    }
  }

  Answer<Parsed> result() {
    if (wants_help_) return Parsed{command_, true};
    if (command_->default_command() != nullptr) command_ = command_->default_command();
    if (problem_) return fail(*problem_);
    for (const Option& option : command_->options()) {
      if (option.facts().is_required && find_values(option) == nullptr) {
        return fail(missing(option));
      }
    }
    Parsed parsed{command_};
    for (const auto& [option, values] : values_) {
      const std::string complaint = keep(*option, values);
      if (!complaint.empty()) return fail(wrong(*command_, option->name() + ": " + complaint));
      if (option->facts().proposal == Proposal::kJob) parsed.jobs.push_back({option, values});
    }
    return parsed;
  }

  // Of the flags of all commands, those that are right.
  void keep_globals(const Command& root) const {
    for (const Option& option : root.options()) {
      if (const auto* given = find_values(option)) static_cast<void>(keep(option, *given));
    }
  }

  Spot spot() const {
    const bool is_value = awaiting_ != nullptr;
    return {.command = command_,
            .option = is_value ? awaiting_ : next_place(to_be_completed()),
            .only_words = only_words_,
            .is_value = is_value};
  }

 private:
  void complain(Problem problem) {
    if (!problem_) problem_ = std::move(problem);
  }

  const std::vector<std::string>* find_values(const Option& option) const {
    for (const auto& [given, values] : values_) {
      if (given == &option) return &values;
    }
    return nullptr;
  }

  std::vector<std::string>& values_of(const Option& option) {
    for (auto& [given, values] : values_) {
      if (given == &option) return values;
    }
    return values_.emplace_back(&option, std::vector<std::string>()).second;
  }

  Problem missing(const Option& option) const {
    const std::string help = option.facts().help.empty() ? "" : ": " + option.facts().help;
    return wrong(*command_, "`" + command_->path() + "` needs " + option.name() + help);
  }

  // Words after a noun are those of its default.
  const Command& to_be_completed() const {
    const Command* below = command_->default_command();
    return below == nullptr ? *command_ : *below;
  }

  const Option* next_place(const Command& command) const {
    std::size_t left = places_;
    for (const Option& each : command.options()) {
      if (each.facts().place_name.empty()) continue;
      if (each.facts().is_list || left == 0) return &each;
      --left;
    }
    return nullptr;
  }

  void plain_word(const std::string& word) {
    if (!only_words_ && places_ == 0) {
      if (const Command* below = command_->find(word)) {
        command_ = below;
        return;
      }
      if (is_nearly_a_command(word)) return complain(unknown_command(*command_, word));
      enter_default();
    }
    const Option* place = next_place(*command_);
    if (place != nullptr) {
      ++places_;
      values_of(*place).push_back(word);
    } else if (!command_->commands().empty() && !has_place(*command_)) {
      complain(unknown_command(*command_, word));
    } else {
      complain(
          wrong(*command_, "`" + word + "` is one word too many for `" + command_->path() + "`"));
    }
  }

  // `belfry jobs lsit`: rather a slip than the name of a job.
  bool is_nearly_a_command(const std::string& word) const {
    return command_->default_command() != nullptr &&
           !proposal_for(word, command_names(*command_)).empty();
  }

  void enter_default() {
    if (command_->default_command() != nullptr) command_ = command_->default_command();
  }

  const Option* find_flag(const std::string& name) {
    const Option* found = command_->find_flag(name);
    if (found != nullptr || command_->default_command() == nullptr) return found;
    found = command_->default_command()->find_flag(name);
    if (found != nullptr) enter_default();
    return found;
  }

  void long_flag(const std::string& word) {
    const std::size_t equals = word.find('=');
    const Option* option = find_flag(word.substr(0, equals));
    if (option == nullptr) return complain(unknown_flag(*command_, word));
    if (equals == std::string::npos) return flag(*option);
    if (option->facts().is_switch) {
      return complain(wrong(*command_, option->name() + " takes no value"));
    }
    add(*option, word.substr(equals + 1));
  }

  // -q, -qv, -n5, -n 5
  void short_flags(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (word[i] == '=') {
        return complain(wrong(*command_, "`" + word.substr(0, i) + "` takes no value"));
      }
      const std::string name{'-', word[i]};
      const Option* option = find_flag(name);
      if (option == nullptr) return complain(unknown_flag(*command_, i == 1 ? word : name));
      if (option->facts().is_switch || i + 1 == word.size()) {
        flag(*option);
      } else {
        return add(*option, word.substr(i + 1));
      }
    }
  }

  // A flag whose value, if it has one, is the next word.
  void flag(const Option& option) {
    if (option.facts().is_switch) {
      values_of(option);
      return;
    }
    const bool more = at_ < words_.size();
    if (option.facts().bare && (!more || words_[at_].starts_with('-'))) {
      return add(option, *option.facts().bare);
    }
    if (!more) awaiting_ = &option;
    if (!more || is_flag(words_[at_])) {
      return complain(wrong(*command_, option.name() + " needs a value: " + option.facts().type));
    }
    add(option, words_[at_++]);
  }

  bool is_flag(const std::string& word) const {
    if (word == "--help" || word == "-h" || word == "--") return true;
    if (word.size() < 2 || word[0] != '-') return false;
    if (word[1] != '-' && word.size() > 2) return false;
    return command_->find_flag(word.substr(0, word.find('='))) != nullptr;
  }

  void add(const Option& option, std::string value) {
    std::vector<std::string>& values = values_of(option);
    if (!values.empty() && !option.facts().is_list) {
      return complain(wrong(*command_, option.name() + " is given twice"));
    }
    values.push_back(std::move(value));
  }

  static std::string keep(const Option& option, const std::vector<std::string>& given) {
    const Option::Facts& facts = option.facts();
    std::vector<std::string> values;
    for (const std::string& value : given) {
      std::size_t begin = 0;
      for (std::size_t mark = 0; facts.separator != 0; begin = mark + 1) {
        mark = value.find(facts.separator, begin);
        if (mark == std::string::npos) break;
        values.push_back(value.substr(begin, mark - begin));
      }
      values.push_back(value.substr(begin));
    }
    for (std::string& value : values) {
      if (std::string complaint = checked(facts, value); !complaint.empty()) return complaint;
    }
    return facts.take(values);
  }

  static std::string checked(const Option::Facts& facts, std::string& value) {
    for (const Option::Check& check : facts.checks) {
      if (std::string complaint = check(value); !complaint.empty()) return complaint;
    }
    if (facts.words.empty()) return {};
    const auto same = [&](const std::string& word) {
      return std::ranges::equal(word, value, [](unsigned char a, unsigned char b) {
        return std::tolower(a == '_' ? '-' : a) == std::tolower(b == '_' ? '-' : b);
      });
    };
    const auto found = std::ranges::find_if(facts.words, same);
    if (found != facts.words.end()) {
      value = *found;
      return {};
    }
    const std::string near = proposal_for(value, facts.words);
    return "`" + value + "` is not one of " + listed(facts.words) +
           (near.empty() ? "" : "; did you mean `" + near + "`?");
  }

  const Command* command_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  std::size_t places_ = 0;  // words of the command that stand by themselves
  bool only_words_ = false;
  bool wants_help_ = false;
  const Option* awaiting_ = nullptr;
  // In the order of the words, so that the first mistake is the one that is told.
  std::vector<std::pair<const Option*, std::vector<std::string>>> values_;
  std::optional<Problem> problem_;
};

}  // namespace

Answer<Parsed> parse(const Command& root, const std::vector<std::string>& words) {
  Reader reader(root, words);
  reader.read();
  auto result = reader.result();
  if (!result) {
    reader.keep_globals(root);
    return result;
  }
  const Parsed parsed = *result;
  const Command& command = *parsed.command;
  if (parsed.wants_help || command.verb() || &command == &root) return parsed;
  reader.keep_globals(root);
  return fail(wrong(command, "`" + command.path() + "` needs a command",
                    "one of these: " + listed(command_names(command))));
}

Answer<const Command*> find_command(const Command& root, const std::vector<std::string>& names) {
  const Command* at = &root;
  for (const std::string& name : names) {
    const Command* below = at->find(name);
    if (below == nullptr) return fail(unknown_command(*at, name));
    at = below;
  }
  return at;
}

Spot spot_after(const Command& root, const std::vector<std::string>& words) {
  Reader reader(root, words);
  reader.read();
  return reader.spot();
}

}  // namespace belfry::cli
