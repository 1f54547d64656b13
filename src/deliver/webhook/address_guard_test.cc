// URLs that webhooks may not call, in every disguise.
#include "deliver/webhook/address_guard.h"

#include "deliver/webhook/resolver.h"

#include <gtest/gtest.h>

namespace belfry::deliver {
namespace {

// What a careful user of the guard does with a URL: dials nothing unless all of it passes.
Status may_call(const AddressGuard& guard, std::string_view text) {
  BELFRY_TRY(url, net::Url::parse(text));
  BELFRY_CHECK(AddressGuard::check(url));
  Resolver::Answer addresses = fail(Errc::kUnavailable, "not resolved");
  if (const auto literal = IpAddress::parse(url.host)) {
    addresses = std::vector<IpAddress>{*literal};
  } else {
    addresses = Resolver::system_lookup()(url.host);
  }
  if (!addresses) return fail(addresses.error());
  return guard.check(*addresses, url.port);
}

constexpr std::string_view kHostile[] = {
    // Loopback, in every spelling a resolver takes.
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "https://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.255.255.254/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://0177.1/",
    "http://017700000001/",
    "http://0x7F.0x0.0x0.0x1/",
    "http://127.0.0.1./",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://LocalHost:8080/x",
    "http://127.0.0.2/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0.0.0.0:80/",
    "http://00.0.0.0/",
    "http://0x0/",
    // IPv6, and IPv4 in IPv6.
    "http://[::1]/",
    "http://[::1]:8080/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::]/",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:7f00:0001]/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::ffff:a00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::ffff:192.168.1.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:7f00:0001::1]/",
    "http://[2002:a00:1::1]/",
    "http://[2001::1]/",
    "http://[2001:0:7f00:1::]/",
    "http://[2001:db8::1]/",
    "http://[2001:2::1]/",
    "http://[2001:10::1]/",
    "http://[3fff::1]/",
    "http://[fc00::1]/",
    "http://[fd00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fdff:ffff::1]/",
    "http://[fe80::1]/",
    "http://[febf::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[ff0e::1]/",
    "http://[100::1]/",
    "http://[5f00::1]/",
    "http://[4000::1]/",
    "http://[8000::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1%25lo]/",
    "http://[v1.x]/",
    "http://[]/",
    "http://[::g]/",
    "http://[1:2]/",
    "http://[127.0.0.1]/",
    // Private, shared, link-local, special.
    "http://10.0.0.0/",
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://10.1/",
    "http://167772161/",
    "http://0xa000001/",
    "http://012.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.255.255/",
    "http://192.168.1/",
    "http://3232235777/",
    "http://100.64.0.1/",
    "http://100.127.255.255/",
    "http://169.254.0.1/",
    "http://169.254.169.254/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://168.63.129.16/",
    "http://192.0.0.1/",
    "http://192.0.0.192/",
    "http://192.0.2.1/",
    "http://192.88.99.1/",
    "http://198.18.0.1/",
    "http://198.19.255.255/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://239.255.255.255/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://0.1.2.3/",
    "http://4294967295/",
    // Ports of other services.
    "http://8.8.8.8:22/",
    "http://8.8.8.8:25/",
    "http://8.8.8.8:53/",
    "http://8.8.8.8:0/",
    "http://8.8.8.8:445/",
    "http://8.8.8.8:65536/",
    "http://8.8.8.8:-1/",
    "http://8.8.8.8:8a/",
    // Tricks with the form.
    "http://user@8.8.8.8/",
    "http://user:password@8.8.8.8/",
    "http://8.8.8.8@127.0.0.1/",
    "http://127.0.0.1@8.8.8.8/",
    "http://127.0.0.1\\@8.8.8.8/",
    "http://8.8.8.8\\@127.0.0.1/",
    "http://127.0.0.1%00.example.com/",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://loc%61lhost/",
    "http://127.0.0.1 .example.com/",
    "http://127.0.0.1\t/",
    "http://127.0.0.1\r\nHost: x/",
    "http://\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1/",
    "http://127\xE3\x80\x82"
    "0\xE3\x80\x82"
    "0\xE3\x80\x82"
    "1/",
    "http://\xE2\x93\x9Bocalhost/",
    "http://a b/",
    "http:///path",
    "http://",
    "http:/127.0.0.1/",
    "http:127.0.0.1",
    "//127.0.0.1/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_x",
    "ftp://127.0.0.1/",
    "dict://127.0.0.1:11211/",
    "unix:/var/run/docker.sock",
    "javascript:alert(1)",
    "data:text/plain,x",
    "ldap://127.0.0.1/",
    "http+unix://%2Ftmp%2Fx/",
    "http://127.0.0.1#@8.8.8.8/",
    "http://127.0.0.1?@8.8.8.8/",
    "http://-/",
    "http://./",
    "http://../",
    "http://a..b.invalid/",
    "http://<x>/",
    "http://x\"y/",
    "http://*/",
    "http://$(id)/",
    "http://`id`/",
    "http://;127.0.0.1/",
    "http://,127.0.0.1/",
};

TEST(AddressGuardTest, LoopbackIsOpenWhileItIsSaidToBe) {
  bool open = true;
  const AddressGuard guard({}, {}, [&] { return open; });
  for (const char* url : {"http://127.0.0.1:8080/", "http://[::1]:25/", "http://127.8.8.8/"}) {
    EXPECT_TRUE(may_call(guard, url)) << url;
  }
  EXPECT_FALSE(may_call(guard, "http://10.0.0.1/"));
  open = false;
  EXPECT_FALSE(may_call(guard, "http://127.0.0.1:8080/"));
  EXPECT_FALSE(may_call(guard, "http://[::1]:25/"));
}

TEST(AddressGuardTest, RefusesHostileUrls) {
  static_assert(std::size(kHostile) >= 120);
  const AddressGuard guard({}, own_addresses());
  for (const std::string_view url : kHostile) {
    EXPECT_FALSE(may_call(guard, url)) << url;
  }
}

TEST(AddressGuardTest, LetsPublicAddressesThrough) {
  const AddressGuard guard({}, {});
  for (const std::string_view url :
       {"https://8.8.8.8/hook", "http://1.1.1.1:8080/", "https://[2606:4700::1111]/",
        "http://93.184.216.34:80/", "https://172.32.0.1/", "https://172.15.255.255/",
        "https://192.169.0.1/", "https://100.128.0.1/", "https://11.0.0.1/"}) {
    const Status status = may_call(guard, url);
    EXPECT_TRUE(status) << url << ": " << to_string(status.error());
  }
}

TEST(AddressGuardTest, OneBadAddressAmongGoodOnesIsEnough) {
  const AddressGuard guard({}, {});
  const IpAddress good = *IpAddress::parse("8.8.8.8");
  const IpAddress bad = *IpAddress::parse("10.0.0.1");
  EXPECT_TRUE(guard.check({good}, 443));
  EXPECT_FALSE(guard.check({good, bad}, 443));
  EXPECT_FALSE(guard.check({bad, good}, 443));
}

TEST(AddressGuardTest, TheOperatorOpensNetworks) {
  const auto networks = parse_networks("10.1.0.0/16,fd00::/8,127.0.0.1");
  ASSERT_TRUE(networks);
  const AddressGuard guard(*networks, {*IpAddress::parse("10.1.0.1")});
  EXPECT_TRUE(may_call(guard, "http://10.1.2.3/"));
  EXPECT_TRUE(may_call(guard, "http://10.1.0.1:22/"));
  EXPECT_TRUE(may_call(guard, "http://[fd12::1]/"));
  EXPECT_TRUE(may_call(guard, "http://[::ffff:127.0.0.1]/"));
  EXPECT_FALSE(may_call(guard, "http://10.2.0.1/"));
  EXPECT_FALSE(may_call(guard, "http://127.0.0.2/"));
  EXPECT_FALSE(may_call(guard, "http://[::1]/"));
}

TEST(AddressGuardTest, ThisMachineIsNotForStrangers) {
  const AddressGuard guard({}, {*IpAddress::parse("8.8.4.4")});
  EXPECT_FALSE(may_call(guard, "http://8.8.4.4/"));
}

TEST(NetworkTest, RefusesWhatIsNone) {
  for (const char* text : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "fd00::/129", "host", "/8"}) {
    EXPECT_FALSE(parse_networks(text)) << text;
  }
  EXPECT_TRUE(parse_networks("")->empty());
}

}  // namespace
}  // namespace belfry::deliver
