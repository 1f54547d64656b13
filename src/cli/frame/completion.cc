#include "cli/frame/completion.h"

#include "cli/frame/contexts.h"
#include "cli/frame/parse.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "core/schedule/zone_names.h"

#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <set>

namespace belfry::cli {
namespace {

constexpr Duration kBudget = std::chrono::milliseconds(300);
constexpr const char* kMostNames = "200";

// The scripts only ask the program itself, so they always know as much as it does. Bash breaks
// words at `=` and `:`, where ours go on (env=prod): it hands over words as they were typed, and
// takes off what it believes to be done already.
constexpr const char* kBash = R"sh(_belfry() {
  local line=${COMP_LINE:0:COMP_POINT} typed prefix
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  typed=${words[-1]}
  prefix=${typed%"${typed##*[=:]}"}
  local IFS=$'\n'
  COMPREPLY=($(belfry __complete -- "${words[@]:1}" 2>/dev/null))
  COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
}
complete -o default -F _belfry belfry
)sh";
constexpr const char* kZsh = R"sh(#compdef belfry
_belfry() {
  local -a found
  found=(${(f)"$(belfry __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( $#found )) && compadd -a found || _files
}
compdef _belfry belfry
)sh";
constexpr const char* kFish = R"sh(function __belfry_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (belfry __complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c belfry -f -a '(__belfry_complete)'
)sh";

void add_flags(const Command& command, std::vector<std::string>& words) {
  for (const Option& option : command.options()) {
    if (!option.facts().long_name.empty()) words.push_back("--" + option.facts().long_name);
  }
  if (command.parent() != nullptr) add_flags(*command.parent(), words);
}

void add_commands(const Command& command, std::vector<std::string>& words) {
  for (const Command& each : command.commands()) {
    if (!each.is_hidden()) words.push_back(each.name());
  }
}

// The pages of the server that have what is proposed, and the field that names it.
struct Source {
  const char* path;
  const char* field;
};
std::optional<Source> source_of(Proposal proposal) {
  switch (proposal) {
    case Proposal::kJob: return Source{"/api/v1/jobs", "job_name"};
    case Proposal::kType: return Source{"/api/v1/jobs", "job_type"};
    case Proposal::kLabel: return Source{"/api/v1/jobs", "labels"};
    case Proposal::kRun: return Source{"/api/v1/runs", "run_id"};
    case Proposal::kCalendar: return Source{"/api/v1/calendars", "name"};
    case Proposal::kTenant: return Source{"/api/v1/tenants", "tenant_id"};
    case Proposal::kNothing:
    case Proposal::kFile:
    case Proposal::kZone:
    case Proposal::kCommand:
    case Proposal::kContext: break;
  }
  return std::nullopt;
}

void add_values(const Json& item, const char* name, std::set<std::string>& values) {
  const auto found = item.find(name);
  if (found == item.end()) return;
  if (!found->is_object()) {
    values.insert(field(item, name));
    return;
  }
  for (const auto& [label, value] : found->items())
    values.insert(label + "=" + field(*found, label));
}

// What the server knows; nothing if it does not answer at once.
std::set<std::string> ask_server(Proposal proposal, const std::string& typed,
                                 const Session& session) {
  std::set<std::string> values;
  const auto source = source_of(proposal);
  auto options = session.client_options();
  if (!source || !options) return values;
  options->timeout = kBudget;
  options->patience = Duration::zero();
  auto client = client::Client::make(*std::move(options));
  if (!client) return values;
  client::Query query{{"limit", kMostNames}};
  if (proposal == Proposal::kJob && !typed.empty()) query.push_back({"q", typed});
  const auto page = client->get(source->path, query);
  if (!page) return values;
  for (const Json& item : page->value("items", Json::array())) {
    add_values(item, source->field, values);
  }
  return values;
}

std::vector<std::string> found_elsewhere(Proposal proposal, const std::string& typed,
                                         const Session& session) {
  std::vector<std::string> words;
  if (proposal == Proposal::kZone) words = core::zone_names();
  if (proposal == Proposal::kContext) {
    const auto contexts = read_contexts(contexts_file(session.terminal().environment));
    for (const auto& [name, context] : contexts ? contexts->by_name : Contexts().by_name) {
      words.push_back(clean(name));
    }
  }
  for (const std::string& value : ask_server(proposal, typed, session)) {
    words.push_back(clean(value));
  }
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(typed); });
  return words;
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
    if (!spot.is_value) add_commands(*spot.command, found.words);
    if (spot.option != nullptr) {
      const Option::Facts& facts = spot.option->facts();
      found.words.insert(found.words.end(), facts.words.begin(), facts.words.end());
      found.proposal = facts.proposal;
      if (facts.proposal == Proposal::kCommand) add_commands(root, found.words);
    }
  }
  std::erase_if(found.words, [&](const std::string& word) { return !word.starts_with(typed); });
  return found;
}

void add_completion_verb(const Program& program) {
  const auto shell = std::make_shared<std::string>();
  Command& command =
      program.verb("completion", "a script that completes commands, flags and their values",
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
        const std::string typed = words->empty() ? "" : words->back();
        for (const std::string& word : found_elsewhere(found.proposal, typed, session)) {
          session.out() << word << '\n';
        }
        return int{kOk};
      });
  complete.hide();
  complete.option("words", *words, "");
}

}  // namespace belfry::cli
