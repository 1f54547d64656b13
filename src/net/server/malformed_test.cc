#include "net/server/server.h"
#include "net/server/test_server.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

// Bytes that are not a request: each is refused in the server's own words, and the server lives on.
namespace belfry::net {
namespace {

using namespace std::string_view_literals;
using test::RawClient;

struct Malformed {
  std::string_view name;
  std::string_view bytes;
  int status = 400;
};

constexpr Malformed kMalformed[] = {
    {"blank lines only", "\r\n\r\n\r\n\r\n"sv},
    {"no version", "GET /\r\n\r\n"sv},
    {"no target", "GET HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"no method", " / HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"method with a colon", "GE:T / HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"method with a control character", "G\x01T / HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"method with a zero", "G\0T / HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"two blanks before the target", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"two blanks before the version", "GET /  HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"tab instead of a blank", "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"blank after the version", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n"sv},
    {"lower-case protocol", "GET / http/1.1\r\nHost: x\r\n\r\n"sv},
    {"another protocol", "GET / RTSP/1.0\r\nHost: x\r\n\r\n"sv},
    {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"sv},
    {"HTTP/0.9 version", "GET / HTTP/0.9\r\nHost: x\r\n\r\n"sv},
    {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: x\r\n\r\n"sv},
    {"HTTP/11", "GET / HTTP/11\r\nHost: x\r\n\r\n"sv},
    {"version with a letter", "GET / HTTP/1.x\r\nHost: x\r\n\r\n"sv},
    {"line feed alone in the first line", "GET / HTTP/1.1\nHost: x\r\n\r\n"sv},
    {"line feeds alone in the header", "GET / HTTP/1.1\r\nHost: x\n\n"sv},
    {"carriage return alone", "GET / HTTP/1.1\rHost: x\r\n\r\n"sv},
    {"control character in the target", "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"zero in the target", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"target without a slash", "GET jobs HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"star for GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"URL of another scheme", "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"URL with a password", "GET http://a:b@x/ HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"broken percent code", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"cut percent code", "GET /%2 HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"percent code of zero", "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"broken percent code in the query", "GET /?a=%g0 HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"fragment", "GET /#a HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"parent folder", "GET /a/../b HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"encoded parent folder", "GET /%2e%2e/b HTTP/1.1\r\nHost: x\r\n\r\n"sv},
    {"no host", "GET / HTTP/1.1\r\n\r\n"sv},
    {"two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"sv},
    {"blank before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n"sv},
    {"blank before the first name", "GET / HTTP/1.1\r\n Host: x\r\n\r\n"sv},
    {"header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nNonsense\r\n\r\n"sv},
    {"header without a name", "GET / HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n"sv},
    {"line that goes on", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n"sv},
    {"line that goes on after a tab", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc\r\n\r\n"sv},
    {"host in the next line", "GET / HTTP/1.1\r\nHost:\r\n x\r\n\r\n"sv},
    {"transfer encoding in the next line",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"sv},
    {"bracket in a name", "GET / HTTP/1.1\r\nHost: x\r\nA(b: c\r\n\r\n"sv},
    {"zero in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n"sv},
    {"control character in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: b\x02\r\n\r\n"sv},
    {"length that is no number", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n"sv},
    {"negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"sv},
    {"signed length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na"sv},
    {"hexadecimal length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x1\r\n\r\na"sv},
    {"length beyond 64 bits",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"sv},
    {"two lengths",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"sv},
    {"the same length twice",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"sv},
    {"list of the same length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\na"sv},
    {"list of lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 2\r\n\r\nab"sv},
    {"length and chunks",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
     "0\r\n\r\n"sv},
    {"chunks and length",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
     "0\r\n\r\n"sv},
    {"unknown transfer encoding",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n"sv},
    {"two transfer encodings",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"sv},
    {"misspelt transfer encoding",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"sv},
    {"repeated transfer encoding",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
     "identity\r\n\r\n0\r\n\r\n"sv},
    {"chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"sv},
    {"chunk size that is no number",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n"sv},
    {"negative chunk size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n"sv},
    {"chunk size beyond 64 bits",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
     "fffffffffffffffff\r\nabc\r\n"sv},
    {"chunk longer than it says",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n"sv},
    {"unknown expectation", "POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n"sv, 417},
    {"a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"sv},
    {"an SSH greeting", "SSH-2.0-OpenSSH_9.2\r\n\r\n"sv},
    {"binary", "\xff\xfe\xfd\x00\x80\r\n\r\n"sv},
    {"text", "hello there\r\n\r\n"sv},
};

TEST(MalformedTest, MoreParametersThanAnybodyNeedsAreRefused) {
  const auto server = start_server(echo);
  const auto status_with = [&](int count) {
    std::string target = "/?";
    for (int i = 0; i < count; ++i) target += "a=" + std::to_string(i) + "&";
    RawClient client(server->port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    return client.read_response().status;
  };
  EXPECT_EQ(status_with(256), 200);
  EXPECT_EQ(status_with(257), 400);
}

TEST(MalformedTest, IsRefusedAndSurvived) {
  const auto server = start_server(echo);
  for (const Malformed& each : kMalformed) {
    RawClient client(server->port());
    client.send(each.bytes);
    client.finish_sending();  // or the server would wait for more
    const auto response = client.read_response();
    EXPECT_EQ(response.status, each.status) << each.name;
    EXPECT_NE(response.header.find("application/problem+json"), std::string::npos) << each.name;
    EXPECT_NE(response.header.find("Connection: close"), std::string::npos) << each.name;
    EXPECT_TRUE(client.is_closed_by_server()) << each.name;

    RawClient next(server->port());
    next.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_EQ(next.read_response().status, 200) << "after: " << each.name;
  }
}

TEST(MalformedTest, IsNotServedBehindAGoodRequest) {
  const auto server = start_server(echo);
  for (const Malformed& each : kMalformed) {
    RawClient client(server->port());
    client.send("GET /good HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(each.bytes));
    client.finish_sending();
    EXPECT_EQ(client.read_response().body, "GET /good ") << each.name;
    EXPECT_EQ(client.read_response().status, each.status) << each.name;
    EXPECT_TRUE(client.is_closed_by_server()) << each.name;
  }
}

TEST(MalformedTest, IsTheSameByteByByte) {
  const auto server = start_server(echo);
  for (const Malformed& each : kMalformed) {
    RawClient client(server->port());
    for (const char byte : each.bytes) {
      if (!client.send(std::string_view(&byte, 1))) break;
    }
    client.finish_sending();
    EXPECT_EQ(client.read_response().status, each.status) << each.name;
  }
}

}  // namespace
}  // namespace belfry::net
