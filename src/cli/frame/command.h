#pragma once

#include "client/problem.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Commands as plain data: what may be written after `belfry`, and where it goes. Parsing
// (parse.h), help (help.h) and completion (completion.h) all read it.
namespace belfry::cli {

using client::Answer;
using client::Problem;
class Session;

// What a command does once it is parsed: returns its exit code, or a problem to report.
using Verb = std::function<Answer<int>(Session&)>;

// What completion proposes for a value. Words of `one_of` need nothing of this.
enum class Proposal : std::uint8_t {
  kNothing,
  kFile,
  kJob,
  kRun,
  kZone,
  kLabel,
  kType,
  kCalendar,
  kTenant,
};

// A flag of a command, or a word that stands by itself.
class Option {
 public:
  // Keeps the values; returns a complaint about them, or nothing.
  using Take = std::function<std::string(const std::vector<std::string>& values)>;
  // A complaint about one value, or nothing.
  using Check = std::function<std::string(const std::string& value)>;

  // `names` as in "-n,--count", "job", or "-f,--file,file": a flag that needs no flag.
  Option(std::string_view names, Take take, std::string help);

  // What its value is called in the help: TIME.
  Option& type(std::string name);
  Option& required();
  // Whole numbers from `low` to `high`.
  Option& range(std::int64_t low, std::int64_t high);
  // Only these words, in any case; `take` gets them as they are here.
  Option& one_of(std::vector<std::string> words);
  Option& check(Check check);
  // One value may be several, with this between them.
  Option& separated_by(char mark);
  // It may be given several times; `take` gets all values.
  Option& repeatable();
  // What the flag means without a value.
  Option& bare(std::string value);
  Option& proposes(Proposal what);

  // Read by the parser, the help and completion.
  struct Facts {
    char short_name = 0;
    std::string long_name;   // without dashes
    std::string place_name;  // "job": a word without a flag
    std::string help;
    std::string type = "TEXT";
    Take take;
    std::vector<Check> checks;
    std::vector<std::string> words;
    std::optional<std::string> bare;
    Proposal proposal = Proposal::kNothing;
    char separator = 0;
    bool is_switch = false;
    bool is_list = false;
    bool is_required = false;
  };
  const Facts& facts() const { return facts_; }
  // As errors call it: "--count", "-q", or "JOB".
  std::string name() const;

 private:
  friend class Command;
  Facts facts_;
};

class Command {
 public:
  Command(std::string name, std::string help) : name_(std::move(name)), help_(std::move(help)) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // A command below this one. What is returned stays where it is.
  Command& command(std::string name, std::string help);
  // What it does; a command without a verb needs one of those below it.
  void does(Verb what) { verb_ = std::move(what); }

  // All that is given here must outlive the parsing.
  Option& flag(std::string_view names, bool& to, std::string help);
  Option& option(std::string_view names, std::string& to, std::string help);
  Option& option(std::string_view names, std::vector<std::string>& to, std::string help);
  Option& option(std::string_view names, int& to, std::string help);
  Option& option(std::string_view names, std::size_t& to, std::string help);
  Option& option(std::string_view names, std::optional<std::int64_t>& to, std::string help);
  Option& option(std::string_view names, Option::Take take, std::string help);

  // Lines that somebody can type, from "belfry" on.
  Command& examples(std::vector<std::string> lines);
  // Said after the flags.
  Command& note(std::string text);
  // Another name, for those who type it.
  Command& alias(std::string name);
  // Not for people: in no help and no completion.
  Command& hide();

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  const std::string& note() const { return note_; }
  const std::vector<std::string>& examples() const { return examples_; }
  const std::vector<std::string>& aliases() const { return aliases_; }
  const std::deque<Option>& options() const { return options_; }
  const std::deque<Command>& commands() const { return commands_; }
  const Command* parent() const { return parent_; }
  const Verb& verb() const { return verb_; }
  bool is_hidden() const { return hidden_; }

  // "belfry jobs list"
  std::string path() const;
  // The command below with this name or alias, or nullptr.
  const Command* find(std::string_view word) const;
  // The flag of this command, or of one above it, or nullptr: "--count", "-n".
  const Option* find_flag(std::string_view word) const;

 private:
  std::string name_;
  std::string help_;
  std::string note_;
  std::vector<std::string> examples_;
  std::vector<std::string> aliases_;
  std::deque<Option> options_;
  std::deque<Command> commands_;
  const Command* parent_ = nullptr;
  Verb verb_;
  bool hidden_ = false;
};

}  // namespace belfry::cli
