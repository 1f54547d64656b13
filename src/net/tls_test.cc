#include "net/client/client.h"
#include "net/server/server.h"
#include "net/server/test_server.h"
#include "tests/support/eventually.h"
#include "tests/support/process.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

// A certificate of our own, made once for all cases.
class TlsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (std::filesystem::temp_directory_path() / "belfry-tls-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder() = pattern;
    make_certificate("cert.pem", "key.pem");
    make_certificate("other.pem", "other-key.pem");
  }
  static void make_certificate(const std::string& name, const std::string& key_name) {
    ASSERT_TRUE(
        test::run_program({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                           "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                           "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                           "-keyout", folder() + "/" + key_name, "-out", folder() + "/" + name},
                          folder() + "/openssl.log"))
        << test::read_file(folder() + "/openssl.log");
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder()); }

  static std::string& folder() {
    static std::string path;
    return path;
  }
  static std::string certificate() { return folder() + "/cert.pem"; }
  static std::string key() { return folder() + "/key.pem"; }

  static std::string other() { return folder() + "/other.pem"; }
  static std::string other_key() { return folder() + "/other-key.pem"; }
  static bool shakes_hands(const HttpServer& server, const std::string& how) {
    return test::run_program({"sh", "-c",
                              "openssl s_client -brief -connect 127.0.0.1:" +
                                  std::to_string(server.port()) + " " + how + " < /dev/null"},
                             folder() + "/s_client.log");
  }

  static std::unique_ptr<HttpServer> start(Handler handler, ServerLimits limits = {}) {
    return start_server(
        std::move(handler),
        {.tls = TlsFiles{.certificate = certificate(), .key = key()}, .limits = limits});
  }
  static Url url_of(const HttpServer& server, const std::string& host) {
    return *Url::parse("https://" + host + ":" + std::to_string(server.port()) + "/x");
  }
};

TEST_F(TlsTest, MakesTheRoundTrip) {
  const auto server = start([](Request request, const Responder& to) {
    EXPECT_TRUE(request.secure);
    to.send({.body = std::move(request.body)});
  });
  const std::string body(3'000'000, 'b');
  HttpClient client({.ca_file = certificate()});
  for (const char* host : {"127.0.0.1", "localhost", "localhost"}) {
    const auto response = client.request(
        {.method = "POST", .url = url_of(*server, host), .body = body}, test::kPatience);
    ASSERT_TRUE(response) << to_string(response.error());
    EXPECT_EQ(response->body, body);
  }
}

TEST_F(TlsTest, KeepsTheConnection) {
  const auto server = start(echo);
  HttpClient client({.ca_file = certificate()});
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(client.request({.url = url_of(*server, "localhost")}, test::kPatience));
  }
  EXPECT_EQ(server->stats().connections, 1U);
}

TEST_F(TlsTest, BelievesNoStranger) {
  const auto server = start(echo);
  HttpClient careful;  // knows only the system's authorities
  const auto refused = careful.request({.url = url_of(*server, "localhost")}, test::kPatience);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kUnavailable);
  EXPECT_NE(refused.error().message.find("certificate refused"), std::string::npos)
      << refused.error().message;
  HttpClient careless({.verify = false});
  EXPECT_TRUE(careless.request({.url = url_of(*server, "localhost")}, test::kPatience));
}

TEST_F(TlsTest, LooksAtTheNameInTheCertificate) {
  const auto server = start(echo);
  HttpClient client({.ca_file = certificate()});
  // The same server under an address that its certificate does not name.
  const auto response = client.request({.url = url_of(*server, "127.0.0.2")}, test::kPatience);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnavailable);
}

TEST_F(TlsTest, StreamsAndParks) {
  const auto server = start([](const Request& request, const Responder& to) {
    if (request.method == "POST") {
      to.park(std::chrono::milliseconds(20), [to](ParkEnd) { to.send({.status = 204}); });
      return;
    }
    const Stream stream = to.stream({});
    for (int i = 0; i < 100; ++i) stream.write("line " + std::to_string(i) + "\n");
  });
  HttpClient client({.ca_file = certificate()});
  int lines = 0;
  ASSERT_TRUE(client.stream({.url = url_of(*server, "localhost")}, test::kPatience,
                            [&](std::string_view) { return ++lines > 0; }));
  EXPECT_EQ(lines, 100);
  const Call poll{.method = "POST", .url = url_of(*server, "localhost")};
  EXPECT_EQ(client.request(poll, test::kPatience)->status, 204);
}

TEST_F(TlsTest, SurvivesThoseWhoDoNotSpeakIt) {
  const auto server = start(echo, {.read_time = std::chrono::milliseconds(200)});
  for (const char* bytes : {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\xff\xff", ""}) {
    test::RawClient client(server->port());
    client.send(bytes);
    EXPECT_TRUE(client.is_closed_by_server());
  }
  test::RawClient abrupt(server->port());
  abrupt.send("\x16\x03\x01");
  abrupt.reset();
  // A handshake on a busy machine may take longer than the server has patience for here.
  EXPECT_TRUE(test::eventually([&] {
    HttpClient client({.ca_file = certificate()});
    return client.request({.url = url_of(*server, "localhost")}, test::kPatience).has_value();
  }));
}

TEST_F(TlsTest, IsNoKeyForAPlainServer) {
  const auto server = start_server(echo);
  HttpClient client({.ca_file = certificate()});
  const auto response = client.request({.url = url_of(*server, "localhost")}, test::kPatience);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnavailable) << response.error().message;
}

TEST_F(TlsTest, SpeaksOnlyWhatIsStillGood) {
  const auto server = start(echo);
  EXPECT_TRUE(shakes_hands(*server, "-tls1_3"));
  EXPECT_TRUE(shakes_hands(*server, "-tls1_2"));
  EXPECT_TRUE(shakes_hands(*server, "-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305"));
  EXPECT_FALSE(shakes_hands(*server, "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA"));
  EXPECT_FALSE(shakes_hands(*server, "-tls1_2 -cipher ECDHE-ECDSA-AES256-SHA384"));
  EXPECT_FALSE(shakes_hands(*server, "-tls1_1 -cipher ALL:@SECLEVEL=0"));
}

TEST_F(TlsTest, LetsInOnlyWhoHasACertificateIfAsked) {
  const auto server = start_server(
      echo, {.tls = TlsFiles{.certificate = certificate(), .key = key(), .client_ca = other()}});
  const auto answer_to = [&](const TlsFiles& own) {
    HttpClient client({.ca_file = certificate(), .own = own});
    return client.request({.url = url_of(*server, "localhost")}, test::kPatience);
  };
  const auto known = answer_to({.certificate = other(), .key = other_key()});
  EXPECT_TRUE(known) << to_string(known.error());
  EXPECT_FALSE(answer_to({}));
  EXPECT_FALSE(answer_to({.certificate = certificate(), .key = key()}));  // of nobody it knows
  EXPECT_EQ(server->stats().requests, 1U);
}

TEST_F(TlsTest, ANewCertificateIsForNewConnections) {
  const std::string chain = folder() + "/now.pem";
  const std::string secret = folder() + "/now-key.pem";
  const auto put = [&](const std::string& from, const std::string& to) {
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
  };
  put(certificate(), chain);
  put(key(), secret);
  const auto server = start_server(echo, {.tls = TlsFiles{.certificate = chain, .key = secret}});
  HttpClient old({.ca_file = certificate()});
  ASSERT_TRUE(old.request({.url = url_of(*server, "localhost")}, test::kPatience));

  put(other(), chain);  // half of it
  const auto half = server->reload_tls();
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().field, "tls key");
  HttpClient meanwhile({.ca_file = certificate()});
  EXPECT_TRUE(meanwhile.request({.url = url_of(*server, "localhost")}, test::kPatience));

  put(other_key(), secret);
  ASSERT_TRUE(server->reload_tls());
  HttpClient fresh({.ca_file = other()});
  EXPECT_TRUE(fresh.request({.url = url_of(*server, "localhost")}, test::kPatience));
  const auto kept = old.request({.url = url_of(*server, "localhost")}, test::kPatience);
  EXPECT_TRUE(kept) << to_string(kept.error());
  EXPECT_EQ(server->stats().connections, 3U);  // the old one was never dropped
}

TEST_F(TlsTest, SaysWhichFileIsWrong) {
  const auto no_certificate =
      HttpServer::start({.tls = TlsFiles{.certificate = "/no/such", .key = key()}}, echo);
  ASSERT_FALSE(no_certificate);
  EXPECT_EQ(no_certificate.error().field, "tls certificate");
  const auto no_key = HttpServer::start(
      {.tls = TlsFiles{.certificate = certificate(), .key = certificate()}}, echo);
  ASSERT_FALSE(no_key);
  EXPECT_EQ(no_key.error().field, "tls key");
  HttpClient client({.ca_file = "/no/such"});
  const auto response =
      client.request({.url = *Url::parse("https://localhost:1/")}, test::kPatience);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kInvalid);
}

TEST_F(TlsTest, ServesManyAtOnce) {
  const auto server = start(echo);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) {
        HttpClient client({.ca_file = certificate()});
        EXPECT_TRUE(client.request({.url = url_of(*server, "localhost")}, test::kPatience));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace belfry::net
