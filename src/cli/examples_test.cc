#include "cli/all_verbs.h"
#include "cli/frame/help.h"
#include "cli/frame/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace belfry::cli {
namespace {

// As a shell splits them: quotes hold words together, and after `|`, `<` or `>` others read.
std::vector<std::string> words_of(std::string line) {
  if (const std::size_t begin = line.find("belfry "); begin != std::string::npos) {
    line.erase(0, begin + std::string_view("belfry ").size());
  }
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (const char c : line) {
    if (quote == 0 && (c == '<' || c == '>' || c == '|' || c == ')')) break;
    if (quote == 0 && c == ' ') {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      open = true;
    } else if (c == quote) {
      quote = 0;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

class ExamplesTest : public testing::Test {
 protected:
  ExamplesTest() { add_all_verbs(root_, globals_, {serve_, work_, upkeep_}); }

  template <typename Visit>
  static void walk(const Command& command, const Visit& visit) {
    if (command.is_hidden()) return;
    visit(command);
    for (const Command& below : command.commands()) walk(below, visit);
  }

  Serve serve_;
  Work work_;
  Upkeep upkeep_;
  Globals globals_;
  Command root_{"belfry", "a cron"};
};

TEST_F(ExamplesTest, EveryVerbHasExamplesOfItsOwn) {
  walk(root_, [](const Command& command) {
    if (!command.verb()) return;
    EXPECT_FALSE(command.examples().empty()) << command.path();
  });
}

TEST_F(ExamplesTest, EveryExampleIsALineOfItsVerb) {
  walk(root_, [this](const Command& command) {
    for (const std::string& line : command.examples()) {
      const auto parsed = parse(root_, words_of(line));
      ASSERT_TRUE(parsed) << line << ": " << parsed.error().what;
      EXPECT_TRUE(parsed->command->path().starts_with(command.path())) << line;
      if (command.verb()) {
        EXPECT_EQ(parsed->command, &command) << line;
      }
    }
  });
}

TEST_F(ExamplesTest, NoHelpIsWiderThanItsScreen) {
  constexpr std::size_t kColumns = 80;
  walk(root_, [](const Command& command) {
    const std::string text = help_for(command, kColumns);
    const std::string before = text.substr(0, text.find("\nExamples:"));
    for (std::size_t begin = 0; begin < before.size();) {
      const std::size_t end = std::min(before.find('\n', begin), before.size());
      EXPECT_LE(end - begin, kColumns + 4)
          << command.path() << ": " << before.substr(begin, end - begin);
      begin = end + 1;
    }
  });
}

TEST_F(ExamplesTest, NoTwoCommandsShareAName) {
  walk(root_, [](const Command& command) {
    std::vector<std::string> names;
    for (const Command& below : command.commands()) {
      names.push_back(below.name());
      names.insert(names.end(), below.aliases().begin(), below.aliases().end());
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(names[i], names[j]) << command.path();
    }
  });
}

}  // namespace
}  // namespace belfry::cli
