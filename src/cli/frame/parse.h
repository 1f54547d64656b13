#pragma once

#include "cli/frame/command.h"

#include <string>
#include <vector>

namespace belfry::cli {

// What a line of words asks for.
struct Parsed {
  const Command* command = nullptr;  // the one named, or `root`
  bool wants_help = false;
  // Where jobs are named, and how: a server may be asked which ones are meant (lookup.h).
  struct Named {
    const Option* option;
    std::vector<std::string> values;
  };
  std::vector<Named> jobs = {};
};

// Finds the command that the words name and puts their values where its options say. The flags of
// a command also work after those below it: `belfry ls --server URL`. A word after a flag that
// takes a value is that value, unless it is itself a flag; after `--` no word is a flag.
//
// A problem says what is wrong in the words that were typed, and proposes what was meant; the flags
// of all commands are kept nonetheless, because they say how it is told. With -h or --help nothing
// is complained about, and nothing is kept.
Answer<Parsed> parse(const Command& root, const std::vector<std::string>& words);

// The command of this name, for `belfry help NAME…`.
Answer<const Command*> find_command(const Command& root, const std::vector<std::string>& names);

// The command that these words lead to, and the flag or place that the word after them would be
// for: what completion asks. Never complains.
struct Spot {
  const Command* command = nullptr;
  const Option* option = nullptr;  // whose value comes next; nullptr: none
  bool only_words = false;         // after `--`
  bool is_value = false;           // of a flag: nothing else can stand there
};
Spot spot_after(const Command& root, const std::vector<std::string>& words);

}  // namespace belfry::cli
