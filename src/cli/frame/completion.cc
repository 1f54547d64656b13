#include "cli/frame/completion.h"

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

void add_flags(const CLI::App& command, std::vector<std::string>& words) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
}

bool takes_job(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name(true);
    if (name == "job" || name == "what") return true;
  }
  return false;
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

Completions completions_for(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  const std::string typed = words.empty() ? "" : words.back();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    for (const CLI::App* command : at->get_subcommands({})) {
      if (command->get_name() == words[i]) {
        at = command;
        break;
      }
    }
  }
  Completions found;
  if (typed.starts_with('-')) {
    add_flags(*at, found.words);
    if (at != &app) add_flags(app, found.words);
  } else {
    for (const CLI::App* command : at->get_subcommands({})) {
      if (!command->get_name().starts_with('_')) found.words.push_back(command->get_name());
    }
    found.wants_job = takes_job(*at);
  }
  std::erase_if(found.words, [&](const std::string& word) { return !word.starts_with(typed); });
  return found;
}

void add_completion_verb(const Program& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& command =
      program.verb("completion", "a script that completes commands and job names",
                   [shell](Session& session) -> Answer<int> {
                     session.out() << (*shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish);
                     return int{kOk};
                   });
  command.add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  command.footer("Example:\n  source <(belfry completion bash)");

  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App& app = program.app();
  CLI::App& complete =
      program.verb("__complete", "", [words, &app](Session& session) -> Answer<int> {
        const Completions found = completions_for(app, *words);
        for (const std::string& word : found.words) session.out() << word << '\n';
        if (found.wants_job) {
          for (const std::string& name : job_names(words->empty() ? "" : words->back(), session)) {
            session.out() << clean(name) << '\n';
          }
        }
        return int{kOk};
      });
  complete.group("");  // not for people
  complete.prefix_command();
  complete.add_option("words", *words);
}

}  // namespace belfry::cli
