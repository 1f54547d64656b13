#include "engine/chores/note_keeper.h"

#include <gtest/gtest.h>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

struct Notes final : store::NodeNoteStore {
  Status put_node_note(const store::NodeNote& note) override {
    if (is_away) return fail(Errc::kUnavailable, "away");
    told.push_back(note);
    return {};
  }
  bool is_away = false;
  std::vector<store::NodeNote> told;
};

class NoteKeeperTest : public testing::Test {
 protected:
  bool run() {
    const auto told = keeper_.run_once(note_, now_);
    return told && *told;
  }

  Notes notes_;
  NoteKeeper keeper_{notes_};
  store::NodeNote note_{.clock_offset = 5ms, .partitions = {PartitionNo(1)}};
  BootInstant now_ = BootInstant::min() + 1h;
};

TEST_F(NoteKeeperTest, TellsWhatIsNew) {
  EXPECT_TRUE(run());
  EXPECT_FALSE(run());
  note_.clock_offset = 90ms;
  EXPECT_FALSE(run()) << "clocks always differ a little";
  note_.clock_offset = -2s;
  EXPECT_TRUE(run());
  note_.broken.push_back({JobId(65'537), "no zone"});
  EXPECT_TRUE(run());
  note_.partitions.push_back(PartitionNo(2));
  EXPECT_TRUE(run());
  EXPECT_EQ(notes_.told.back().broken.size(), 1U);
  EXPECT_FALSE(run());
}

TEST_F(NoteKeeperTest, TellsItAgainAfterAnErrorAndEachMinute) {
  notes_.is_away = true;
  EXPECT_FALSE(run());
  notes_.is_away = false;
  EXPECT_TRUE(run());
  now_ = now_ + 59s;
  EXPECT_FALSE(run());
  now_ = now_ + 1s;
  EXPECT_TRUE(run()) << "its row may be a new one";
}

}  // namespace
}  // namespace belfry::engine
