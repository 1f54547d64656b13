#include "service/audit/verify.h"
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using std::chrono::days;
using std::chrono::seconds;

const Author kAliceByKey{
    .actor = "alice", .request_id = "req-1", .key_id = "7", .address = "127.0.0.1"};

class AuditChainTest : public StoreTest {
 protected:
  void write_rows(int count) {
    for (int i = 0; i < count; ++i) {
      must(store().put_secret(TenantId(1), "name", "sealed", kAliceByKey));
    }
  }
  // The flaws of the whole chain; none is told by what is missing here.
  std::size_t flaws() {
    std::size_t found = 0;
    service::AuditCheck at;
    for (int i = 0; i < 100; ++i) {
      const auto verdict = must(service::verify_audit(store(), at));
      found += verdict.flaws.size();
      at = verdict.reached;
      if (verdict.is_done) break;
    }
    return found;
  }
};

TEST_P(AuditChainTest, RowsAreLinkedOnceTheyHaveSettled) {
  write_rows(3);
  EXPECT_EQ(must(store().link_audit(10)), 0U);
  pass(seconds(11));
  EXPECT_EQ(must(store().link_audit(2)), 2U);
  EXPECT_EQ(must(store().link_audit(2)), 1U);
  EXPECT_EQ(must(store().link_audit(2)), 0U);
  const auto links = must(store().list_links(0, 10));
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].link.previous, "");
  EXPECT_EQ(links[2].link.previous, links[1].link.hash);
  EXPECT_EQ(links[2].link.position, 3U);
  EXPECT_EQ(links[2].row->actor, "alice");
  EXPECT_NE(links[2].row->detail.find(R"("key_id")"), std::string::npos) << links[2].row->detail;
  EXPECT_EQ(must(store().list_links(2, 10)).size(), 1U);
  write_rows(1);
  EXPECT_EQ(must(store().list_linked(0, 10)).size(), 4U);
  EXPECT_FALSE(must(store().list_linked(0, 10)).at(3).is_linked);
  EXPECT_EQ(flaws(), 0U);
}

TEST_P(AuditChainTest, RetentionLeavesAChainThatCanBeChecked) {
  write_rows(2);
  pass(days(300));
  write_rows(2);
  pass(seconds(11));
  EXPECT_EQ(must(store().link_audit(10)), 4U);
  pass(days(101));
  must(store().keep_history(days(1)));
  EXPECT_EQ(must(store().list_audit({}, {}, 10)).size(), 2U);
  EXPECT_EQ(must(store().list_links(0, 10)).at(0).link.position, 3U);
  EXPECT_EQ(flaws(), 0U);
}

TEST_P(AuditChainTest, WhatWasRefusedIsNoted) {
  const AuditStore::Refusal refusal{
      .tenant = TenantId(1), .call = "POST /keys", .reason = "forbidden"};
  must(store().note_refusal(refusal, kAliceByKey));
  const auto rows = must(store().list_audit(TenantId(1), {}, 1));
  EXPECT_EQ(rows.at(0).action + " " + rows.at(0).object, "call.refused call:POST /keys");
  EXPECT_NE(rows.at(0).detail.find("forbidden"), std::string::npos);
}

BELFRY_FOR_EACH_STORE(AuditChainTest);

}  // namespace
}  // namespace belfry::store
