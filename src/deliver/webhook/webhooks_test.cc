// Webhooks against endpoints on loopback, where 127.0.0.2 plays the outside and 127.0.0.1
// the inside.
#include "deliver/webhook/webhooks.h"

#include "base/real_clock.h"
#include "tests/support/event.h"
#include "tests/support/fake_server.h"

#include <gtest/gtest.h>

#include <atomic>

namespace belfry::deliver {
namespace {

using namespace std::chrono_literals;
using test::Event;
using test::FakeServer;
using test::kPatience;

constexpr char kFine[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

// Takes connections and counts them.
class Inside {
 public:
  explicit Inside(int waiting = 64)
      : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_, name, size), 0);
    EXPECT_EQ(::listen(listener_, waiting), 0);
    ::getsockname(listener_, name, &size);
    port_ = ntohs(address.sin_port);
  }
  ~Inside() { ::close(listener_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  std::uint16_t port() const { return port_; }
  // Somebody who wants in and does not wait for an answer.
  int knock() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port_);
    ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    return socket;
  }
  bool was_reached() const { return ::accept(listener_, nullptr, nullptr) >= 0; }

 private:
  const int listener_;
  std::uint16_t port_ = 0;
};

class WebhooksTest : public testing::Test {
 protected:
  // They own the threads, so a test declares them after whatever they call back into.
  std::unique_ptr<Webhooks> start_webhooks(Resolver::Lookup lookup,
                                           const char* allowed = "127.0.0.2") {
    WebhooksConfig config;
    config.breaker.failures_to_open = 1'000'000;
    config.lookup = std::move(lookup);
    return std::make_unique<Webhooks>(config, AddressGuard(*parse_networks(allowed), {}), clock_,
                                      [this] { return clock_.wall_now(); });
  }
  Delivery delivery_to(const std::string& url) {
    Delivery delivery;
    delivery.grant = {{JobId(++last_), core::RunKey(1)}, Fence(1)};
    delivery.target = {{"kind", "HTTP"}, {"url", url}};
    delivery.payload = "{}";
    delivery.timeout = 2 * kPatience;  // longer than any test waits
    delivery.give_up_at = clock_.boot_now() + delivery.timeout;
    return delivery;
  }
  // Waits for the end of one delivery.
  Outcome deliver(Webhooks& webhooks, const std::string& url) {
    Event ended;
    Outcome result;
    webhooks.start(delivery_to(url), [&](Outcome outcome) {
      result = std::move(outcome);
      ended.happen();
    });
    EXPECT_TRUE(ended.wait());
    return result;
  }
  static std::vector<IpAddress> at(const char* address) { return {*IpAddress::parse(address)}; }

  const RealClock clock_;
  std::uint64_t last_ = 0;
};

TEST_F(WebhooksTest, DialsWhatTheNameResolvesTo) {
  FakeServer server({kFine});
  const auto hooks = start_webhooks(
      [](const std::string&) { return Resolver::Answer(at("127.0.0.1")); }, "127.0.0.1");
  const Outcome outcome =
      deliver(*hooks, "http://hook.example:" + std::to_string(server.port()) + "/");
  EXPECT_EQ(outcome.ending, Ending::kSucceeded) << outcome.error;
}

// The name leads outside when it is checked, and inside a moment later.
TEST_F(WebhooksTest, RebindingNeverReachesTheInside) {
  const Inside inside;
  std::atomic<int> asked = 0;
  const auto hooks = start_webhooks([&](const std::string&) {
    return Resolver::Answer(at(asked++ % 2 == 0 ? "127.0.0.2" : "127.0.0.1"));
  });
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    const Outcome outcome =
        deliver(*hooks, "http://rebind.example:" + std::to_string(inside.port()) + "/");
    if (outcome.error.starts_with("address:")) ++refused;
    ASSERT_FALSE(inside.was_reached());
  }
  EXPECT_EQ(refused, 150);
}

TEST_F(WebhooksTest, TellsWithoutACallWhetherOneCouldBegin) {
  const auto hooks = start_webhooks([](const std::string& host) {
    if (host == "nowhere.example") return Resolver::Answer(fail(Errc::kUnavailable, "no address"));
    return Resolver::Answer(at(host == "fine.example" ? "127.0.0.2" : "127.0.0.1"));
  });
  const auto check = [&](const std::string& host) {
    Event answered;
    Status status;
    hooks->check(*net::Url::parse("http://" + host + ":8080/"), TenantId(1), [&](Status said) {
      status = std::move(said);
      answered.happen();
    });
    EXPECT_TRUE(answered.wait());
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(check("fine.example"), "");
  EXPECT_EQ(check("nowhere.example"), "no address");
  EXPECT_NE(check("inside.example").find("127.0.0.1"), std::string::npos);
  EXPECT_NE(check("a~b.example").find("not the name of a host"), std::string::npos);
}

TEST_F(WebhooksTest, AMixedAnswerIsRefused) {
  const Inside inside;
  const auto hooks = start_webhooks([](const std::string&) {
    return Resolver::Answer(
        std::vector<IpAddress>{*IpAddress::parse("127.0.0.2"), *IpAddress::parse("127.0.0.1")});
  });
  const Outcome outcome =
      deliver(*hooks, "http://mixed.example:" + std::to_string(inside.port()) + "/");
  EXPECT_TRUE(outcome.error.starts_with("address:")) << outcome.error;
  EXPECT_FALSE(outcome.retryable);
  EXPECT_FALSE(inside.was_reached());
}

// If all else failed: the dialled address is checked, whatever name or number led there.
TEST_F(WebhooksTest, TheLastWallLooksAtTheSocket) {
  const Inside inside;
  for (const std::string host : {"127.0.0.1", "0x7f.1", "2130706433", "name.example"}) {
    Event ended;
    HttpAnswer answer;
    HttpCaller caller;
    HttpCall call;
    call.method = "POST";
    call.url = "http://" + host + ":" + std::to_string(inside.port()) + "/";
    call.host = host;
    call.port = inside.port();
    call.addresses = at("127.0.0.1");
    call.may_dial = [](const IpAddress& address) { return address != at("127.0.0.1")[0]; };
    call.timeout = kPatience;
    caller.start(std::move(call), [&](HttpAnswer said) {
      answer = std::move(said);
      ended.happen();
    });
    ASSERT_TRUE(ended.wait());
    EXPECT_EQ(answer.trouble, HttpTrouble::kAddress) << host;
  }
  EXPECT_FALSE(inside.was_reached());
}

// A host that answers no knock is not reached, although the call's own time is not over.
TEST_F(WebhooksTest, AConnectionThatIsNotMadeIsNoTimeout) {
  const Inside inside(0);
  std::vector<int> crowd;  // what the listener's queue holds, and more
  for (int i = 0; i < 8; ++i) crowd.push_back(inside.knock());
  Event ended;
  HttpAnswer answer;
  HttpCaller caller({.connect = 200ms});
  caller.start({.method = "GET",
                .url = "http://127.0.0.1:" + std::to_string(inside.port()) + "/",
                .host = "127.0.0.1",
                .port = inside.port(),
                .addresses = at("127.0.0.1"),
                .may_dial = [](const IpAddress&) { return true; },
                .timeout = kPatience},
               [&](HttpAnswer said) {
                 answer = std::move(said);
                 ended.happen();
               });
  ASSERT_TRUE(ended.wait());
  EXPECT_EQ(answer.trouble, HttpTrouble::kConnect) << answer.detail;
  for (const int socket : crowd) ::close(socket);
}

TEST_F(WebhooksTest, ADroppedDeliveryIsNotHeardOfAgain) {
  const Inside inside;  // takes the connection, says nothing
  Event ended;
  const auto hooks = start_webhooks(Resolver::system_lookup(), "127.0.0.1");
  const Delivery delivery = delivery_to("http://127.0.0.1:" + std::to_string(inside.port()) + "/");
  hooks->start(delivery, [&](const Outcome&) { ended.happen(); });
  hooks->drop(delivery.grant);
  EXPECT_EQ(deliver(*hooks, "http://10.0.0.1/").error.substr(0, 8), "address:");
  EXPECT_EQ(ended.times(), 0);
}

TEST_F(WebhooksTest, TheCrowdBeforeASilentHostIsPutOff) {
  const Inside inside;
  Event put_off;
  auto hooks = start_webhooks(Resolver::system_lookup(), "127.0.0.1");
  const std::string url = "http://127.0.0.1:" + std::to_string(inside.port()) + "/";
  for (int i = 0; i < 100; ++i) {
    hooks->start(delivery_to(url), [&](const Outcome& outcome) {
      if (outcome.ending == Ending::kPutOff) put_off.happen();
    });
  }
  // 32 under way; 32 waited a moment at the breaker, the others not even that.
  EXPECT_TRUE(put_off.wait(68));
  hooks.reset();
  EXPECT_EQ(put_off.times(), 68);
}

TEST_F(WebhooksTest, OneTenantsCrowdDoesNotDelayAnothersCall) {
  const Inside inside;
  Event put_off;
  Event ended;
  auto hooks = start_webhooks(Resolver::system_lookup(), "127.0.0.1");
  const std::string url = "http://127.0.0.1:" + std::to_string(inside.port()) + "/";
  for (int i = 0; i < 100; ++i) {
    hooks->start(delivery_to(url), [&](const Outcome&) { put_off.happen(); });
  }
  Delivery other = delivery_to(url);
  other.tenant = TenantId(2);
  hooks->start(other, [&](const Outcome&) { ended.happen(); });
  EXPECT_TRUE(put_off.wait(68));
  EXPECT_EQ(ended.times(), 0);  // it is at the host, which says nothing
}

// A run that waits is put off in time, however many come after it.
TEST_F(WebhooksTest, LaterArrivalsDoNotKeepOthersWaiting) {
  const Inside inside;
  Event put_off;
  const auto hooks = start_webhooks(Resolver::system_lookup(), "127.0.0.1");
  const std::string url = "http://127.0.0.1:" + std::to_string(inside.port()) + "/";
  for (int i = 0; i < 64; ++i) {
    hooks->start(delivery_to(url), [&](const Outcome& outcome) {
      if (outcome.ending == Ending::kPutOff) put_off.happen();
    });
  }
  EXPECT_TRUE(test::eventually([&] {
    hooks->start(delivery_to(url), [](const Outcome&) {});
    return put_off.times() == 32;
  }));
}

}  // namespace
}  // namespace belfry::deliver
