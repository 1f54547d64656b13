#include "net/network.h"

#include <gtest/gtest.h>

namespace belfry::net {
namespace {

TEST(NetworkTest, IsTheAddressOrHalfOfOne) {
  EXPECT_EQ(network_of("10.0.0.7"), "10.0.0.7");
  EXPECT_EQ(network_of("::ffff:10.0.0.7"), "::ffff:10.0.0.7");
  EXPECT_EQ(network_of("2001:db8::1"), network_of("2001:db8::ffff:2"));
  EXPECT_NE(network_of("2001:db8::1"), network_of("2001:db8:0:1::1"));
  EXPECT_EQ(network_of("fe80::1%eth0"), network_of("fe80::2"));
  EXPECT_EQ(network_of("unix"), "unix");
}

}  // namespace
}  // namespace belfry::net
