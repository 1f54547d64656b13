#include "client/events.h"

#include <gtest/gtest.h>

namespace belfry::client {
namespace {

TEST(EventReaderTest, PutsEventsTogether) {
  EventReader reader;
  EXPECT_FALSE(reader.line(": keep alive"));
  EXPECT_FALSE(reader.line(""));
  EXPECT_FALSE(reader.line("id: 7-1"));
  EXPECT_FALSE(reader.line("event: runs\r"));
  EXPECT_FALSE(reader.line("data: {\"a\":"));
  EXPECT_FALSE(reader.line("data:1}"));
  const auto event = reader.line("");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->id, "7-1");
  EXPECT_EQ(event->name, "runs");
  EXPECT_EQ(event->data, "{\"a\":\n1}");
}

TEST(EventReaderTest, HalfAnEventOfALostConnectionIsForgottenButItsIdIsNot) {
  EventReader reader;
  reader.line("id: 7-1");
  reader.line("data: lost");
  reader.restart();
  EXPECT_EQ(reader.last_id(), "7-1");
  reader.line("data: whole");
  const auto event = reader.line("");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->data, "whole");
  EXPECT_EQ(event->name, "message");
}

}  // namespace
}  // namespace belfry::client
