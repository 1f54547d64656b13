#include "cli/frame/parse.h"

#include "cli/frame/help.h"
#include "cli/frame/session.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

using Words = std::vector<std::string>;

Answer<int> nothing(Session& /*session*/) {
  return int{kOk};
}

// belfry [--server URL] [-q] ls [TEXT] | add NAME | export [JOB…] | audit [-n N] [verify] |
// jobs rm JOB… [-l LABEL]
class ParseTest : public testing::Test {
 protected:
  ParseTest() {
    root_.option("--server", server_, "where").type("URL");
    root_.flag("-q,--quiet", quiet_, "less");
    root_.flag("-v,--verbose", verbose_, "more");
    Command& ls = root_.command("ls", "list jobs");
    ls.does(nothing);
    ls.alias("list");
    ls.option("text", text_, "part of a name");
    ls.option("-n,--limit", limit_, "at most").range(1, 9);
    ls.option("--status", status_, "only these").one_of({"active", "timed-out"});
    ls.option("--from", from_, "since").type("TIME");
    ls.option("--with", with_, "a worker").bare("on").type("WORD");
    Command& add = root_.command("add", "create");
    add.does(nothing);
    add.option("name", text_, "its name").required();
    Command& audit = root_.command("audit", "who did what");
    audit.does(nothing);
    audit.option("-n,--limit", limit_, "at most");
    audit.command("verify", "check it").does(nothing);
    Command& jobs = root_.command("jobs", "jobs: rm");
    Command& runs = root_.command("runs", "runs: list");
    Command& listed = runs.command("list", "list runs");
    listed.does(nothing);
    listed.option("job", text_, "of this job");
    listed.option("--state", status_, "in this state");
    runs.defaults_to(listed);
    Command& remove = jobs.command("rm", "delete");
    remove.does(nothing);
    remove.option("job", names_, "names");
    remove.option("-l,--label", labels_, "of these").separated_by(',');
  }

  // The path of the command that was found; for a problem its text and the hint.
  std::string read(const Words& words) {
    const auto parsed = parse(root_, words);
    if (!parsed) return parsed.error().what + " | " + parsed.error().fix;
    return parsed->command->path() + (parsed->wants_help ? " help" : "");
  }

  std::string server_;
  std::string text_;
  std::string status_;
  std::string from_;
  std::string with_;
  int limit_ = 5;
  bool quiet_ = false;
  bool verbose_ = false;
  Words names_;
  Words labels_;
  Command root_{"belfry", "a cron"};
};

TEST_F(ParseTest, FlagsOfAllCommandsStandAnywhere) {
  EXPECT_EQ(read({"--server", "a", "ls", "-qv", "foo", "-n3"}), "belfry ls");
  EXPECT_EQ(server_, "a");
  EXPECT_EQ(text_, "foo");
  EXPECT_EQ(limit_, 3);
  EXPECT_TRUE(quiet_);
  EXPECT_TRUE(verbose_);
  EXPECT_EQ(read({"ls", "--server=b=c", "-n", "7"}), "belfry ls");
  EXPECT_EQ(server_, "b=c");
  EXPECT_EQ(limit_, 7);
}

TEST_F(ParseTest, ListsCollectWordsAndSeparatedValues) {
  EXPECT_EQ(read({"jobs", "rm", "a", "-l", "x=1,y=2", "b", "-l", "z=3"}), "belfry jobs rm");
  EXPECT_EQ(names_, (Words{"a", "b"}));
  EXPECT_EQ(labels_, (Words{"x=1", "y=2", "z=3"}));
}

TEST_F(ParseTest, AfterTwoDashesNothingIsAFlag) {
  EXPECT_EQ(read({"jobs", "rm", "--", "-q", "--help"}), "belfry jobs rm");
  EXPECT_EQ(names_, (Words{"-q", "--help"}));
  EXPECT_FALSE(quiet_);
}

TEST_F(ParseTest, ACommandMayDoSomethingAndHaveOthersBelowIt) {
  EXPECT_EQ(read({"audit", "-n", "9"}), "belfry audit");
  EXPECT_EQ(read({"audit", "verify"}), "belfry audit verify");
  EXPECT_EQ(read({"list"}), "belfry ls");
  EXPECT_EQ(read({}), "belfry");
  EXPECT_EQ(read({"jobs"}), "`belfry jobs` needs a command | one of these: rm");
}

TEST_F(ParseTest, ANounMayHaveAVerbThatNeedsNoNaming) {
  EXPECT_EQ(read({"runs"}), "belfry runs list");
  EXPECT_EQ(read({"runs", "backup", "--state", "dead"}), "belfry runs list");
  EXPECT_EQ(text_, "backup");
  EXPECT_EQ(status_, "dead");
  EXPECT_EQ(read({"runs", "--state", "ready"}), "belfry runs list");
  EXPECT_EQ(read({"runs", "lsit"}), "there is no command `lsit` | did you mean `list`?");
  EXPECT_EQ(read({"runs", "--help"}), "belfry runs help");
}

TEST_F(ParseTest, AProblemIsToldAsTheFlagsOfAllCommandsSay) {
  EXPECT_EQ(read({"ls", "--nonsense", "-q", "--server", "c"}),
            "`belfry ls` has no flag `--nonsense` | `belfry ls --help` shows how it is used");
  EXPECT_TRUE(quiet_);
  EXPECT_EQ(server_, "c");
}

TEST_F(ParseTest, AValueMayLookLikeANumberBelowZeroButNotLikeAFlag) {
  EXPECT_EQ(read({"ls", "--from", "-90m"}), "belfry ls");
  EXPECT_EQ(from_, "-90m");
  EXPECT_EQ(read({"ls", "--from", "--status", "active"}),
            "--from needs a value: TIME | `belfry ls --help` shows how it is used");
  EXPECT_EQ(read({"ls", "--from"}),
            "--from needs a value: TIME | `belfry ls --help` shows how it is used");
}

TEST_F(ParseTest, AFlagWithAMeaningOfItsOwnNeedsNoValue) {
  EXPECT_EQ(read({"ls", "--with", "-q"}), "belfry ls");
  EXPECT_EQ(with_, "on");
  EXPECT_EQ(read({"ls", "--with", "off"}), "belfry ls");
  EXPECT_EQ(with_, "off");
}

TEST_F(ParseTest, WordsOfAnEnumerationAreKeptAsTheyAreListed) {
  EXPECT_EQ(read({"ls", "--status", "TIMED_OUT"}), "belfry ls");
  EXPECT_EQ(status_, "timed-out");
  EXPECT_EQ(read({"ls", "--status", "activ"}),
            "--status: `activ` is not one of active or timed-out; did you mean `active`? | "
            "`belfry ls --help` shows how it is used");
}

TEST_F(ParseTest, ComplaintsUseTheWordsThatWereTyped) {
  EXPECT_EQ(read({"lss"}), "there is no command `lss` | did you mean `ls`?");
  EXPECT_EQ(read({"jobs", "frobnicate"}),
            "there is no command `frobnicate` | `belfry jobs --help` lists the commands");
  EXPECT_EQ(read({"ls", "--limits", "3"}),
            "`belfry ls` has no flag `--limits` | did you mean `--limit`?");
  EXPECT_EQ(read({"ls", "-n", "x"}),
            "--limit: `x` is not a whole number | `belfry ls --help` shows how it is used");
  EXPECT_EQ(read({"ls", "-n", "12"}),
            "--limit: 12 is not between 1 and 9 | `belfry ls --help` shows how it is used");
  EXPECT_EQ(read({"ls", "-n", "1", "-n", "2"}),
            "--limit is given twice | `belfry ls --help` shows how it is used");
  EXPECT_EQ(read({"ls", "-q=1"}), "`-q` takes no value | `belfry ls --help` shows how it is used");
  EXPECT_EQ(read({"ls", "--quiet=1"}),
            "--quiet takes no value | `belfry ls --help` shows how it is used");
  EXPECT_EQ(read({"add"}),
            "`belfry add` needs NAME: its name | `belfry add --help` shows how it is used");
  EXPECT_EQ(read({"add", "a", "b"}),
            "`b` is one word too many for `belfry add` | `belfry add --help` shows how it is used");
}

TEST_F(ParseTest, TheFirstOfSeveralMistakesIsTold) {
  EXPECT_TRUE(read({"ls", "-n", "x", "--status", "y"}).starts_with("--limit: "));
  EXPECT_TRUE(read({"ls", "--status", "y", "-n", "x"}).starts_with("--status: "));
}

TEST_F(ParseTest, HelpIsNeverRefused) {
  EXPECT_EQ(read({"add", "--help"}), "belfry add help");
  EXPECT_EQ(read({"jobs", "rm", "-l", "-h"}), "belfry jobs rm help");
  EXPECT_EQ(read({"-h"}), "belfry help");
}

TEST_F(ParseTest, FindsWhatComesNext) {
  EXPECT_EQ(spot_after(root_, {"ls", "--status"}).option->name(), "--status");
  EXPECT_TRUE(spot_after(root_, {"ls", "--status"}).is_value);
  EXPECT_EQ(spot_after(root_, {"jobs", "rm", "a"}).option->name(), "JOB");
  EXPECT_EQ(spot_after(root_, {"add", "a"}).option, nullptr);
  EXPECT_EQ(spot_after(root_, {"jobs"}).command->name(), "jobs");
}

TEST_F(ParseTest, HelpFitsTheScreen) {
  for (const int width : {40, 60, 100}) {
    const std::string text = help_for(*root_.find("ls"), width);
    EXPECT_NE(text.find("Usage: belfry ls [TEXT] [FLAGS]"), std::string::npos) << text;
    EXPECT_NE(text.find("Also called: list"), std::string::npos) << text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(end - begin, static_cast<std::size_t>(width) + 2) << text;
      begin = end + 1;
    }
  }
}

}  // namespace
}  // namespace belfry::cli
