#include "core/queue.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

TEST(QueueTest, ANameSaysWhoseRunsWaitThere) {
  EXPECT_EQ(read_queue("mail.send").kind, TargetKind::kWorker);
  EXPECT_EQ(read_queue("mail.send").name, "mail.send");
  EXPECT_EQ(read_queue(exec_queue("shell")).kind, TargetKind::kExec);
  EXPECT_EQ(read_queue(exec_queue("shell")).name, "shell");
  EXPECT_EQ(read_queue(topic_queue("orders")).kind, TargetKind::kTopic);
  EXPECT_EQ(read_queue(topic_queue("orders")).name, "orders");
  EXPECT_EQ(read_queue(http_queue()).kind, TargetKind::kHttp);
}

}  // namespace
}  // namespace belfry::core
