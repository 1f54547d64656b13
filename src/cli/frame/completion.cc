#include "cli/frame/completion.h"

#include "cli/frame/parse.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"

#include <chrono>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr Duration kBudget = std::chrono::milliseconds(300);
constexpr const char* kMostNames = "200";

// The scripts only ask the program itself, so they always know as much as it does.
constexpr const char* kBash =
    "_belfry() {\n"
    "  local IFS=$'\\n'\n"
    "  COMPREPLY=($(compgen -W \"$(belfry __complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" "
    "2>/dev/null)\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
    "}\n"
    "complete -o default -F _belfry belfry\n";
constexpr const char* kZsh =
    "#compdef belfry\n"
    "_belfry() {\n"
    "  local -a found\n"
    "  found=(${(f)\"$(belfry __complete -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
    "  compadd -a found || _files\n"
    "}\n"
    "compdef _belfry belfry\n";
constexpr const char* kFish =
    "complete -c belfry -a '(belfry __complete -- (commandline -opc)[2..-1] "
    "(commandline -ct) 2>/dev/null)'\n";

void add_flags(const Command& command, std::vector<std::string>& words) {
  for (const Option& option : command.options()) {
    if (!option.facts().long_name.empty()) words.push_back("--" + option.facts().long_name);
  }
  if (command.parent() != nullptr) add_flags(*command.parent(), words);
}

std::vector<std::string> job_names(const std::string& typed, const Session& session) {
  std::vector<std::string> names;
  auto options = session.client_options();
  if (!options) return names;
  options->timeout = kBudget;
  options->patience = Duration::zero();
  auto client = client::Client::make(*std::move(options));
  if (!client) return names;
  const auto page = client->get("/api/v1/jobs", {{"q", typed}, {"limit", kMostNames}});
  if (!page) return names;
  for (const Json& job : page->at("items")) {
    const std::string name = field(job, "job_name");
    if (name.starts_with(typed)) names.push_back(name);
  }
  return names;
}

}  // namespace

Completions completions_for(const Command& root, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.back();
  std::vector<std::string> before = words;
  if (!before.empty()) before.pop_back();
  const Spot spot = spot_after(root, before);
  Completions found;
  if (typed.starts_with('-') && !spot.only_words && !spot.is_value) {
    add_flags(*spot.command, found.words);
  } else {
    if (!spot.is_value) {
      for (const Command& command : spot.command->commands()) {
        if (!command.is_hidden()) found.words.push_back(command.name());
      }
    }
    if (spot.option != nullptr) {
      const Option::Facts& facts = spot.option->facts();
      found.words.insert(found.words.end(), facts.words.begin(), facts.words.end());
      found.proposal = facts.proposal;
    }
  }
  std::erase_if(found.words, [&](const std::string& word) { return !word.starts_with(typed); });
  return found;
}

void add_completion_verb(const Program& program) {
  const auto shell = std::make_shared<std::string>();
  Command& command =
      program.verb("completion", "a script that completes commands and job names",
                   [shell](Session& session) -> Answer<int> {
                     session.out() << (*shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish);
                     return int{kOk};
                   });
  command.option("shell", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.examples({"source <(belfry completion bash)"});

  const auto words = std::make_shared<std::vector<std::string>>();
  const Command& root = program.root();
  Command& complete =
      program.verb("__complete", "", [words, &root](Session& session) -> Answer<int> {
        const Completions found = completions_for(root, *words);
        for (const std::string& word : found.words) session.out() << word << '\n';
        if (found.proposal == Proposal::kJob) {
          for (const std::string& name : job_names(words->empty() ? "" : words->back(), session)) {
            session.out() << clean(name) << '\n';
          }
        }
        return int{kOk};
      });
  complete.hide();
  complete.option("words", *words, "");
}

}  // namespace belfry::cli
