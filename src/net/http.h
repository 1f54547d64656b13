#pragma once

#include "base/text/ascii.h"

#include <sys/types.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// HTTP messages as plain values. Nothing here knows of sockets; nothing outside net knows of Boost.
namespace belfry::net {

struct Header {
  std::string name;  // as written; compared without regard to case
  std::string value;
};

// Header fields in the order they came. A message has about a dozen, so a lookup walks the list.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<Header> fields) : fields_(fields) {}

  // The first field of this name.
  std::optional<std::string_view> find(std::string_view name) const;
  // Replaces all fields of this name.
  void set(std::string_view name, std::string value);
  // For names that may come more than once (Set-Cookie).
  void add(std::string name, std::string value);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

 private:
  std::vector<Header> fields_;
};

// One `name=value` of a query, decoded. A name without `=` has an empty value.
struct Parameter {
  std::string name;
  std::string value;
};

// What a client asks. The server has checked its form: a handler never sees a malformed one.
struct Request {
  std::string method;                 // as sent; methods are case-sensitive
  std::string path;                   // as sent, still encoded, without the query: for logs
  std::vector<std::string> segments;  // of the path, each decoded, so a name may contain a slash:
                                      // "/v1/jobs/a%2Fb" is {"v1", "jobs", "a/b"}, "/" is {}
  std::vector<Parameter> query;       // decoded, in order
  Headers headers;
  std::string body;
  std::string remote;         // the peer, "127.0.0.1:40000"
  std::optional<uid_t> user;  // whose program that is, if it runs on this machine
  std::string network;  // whose share it takes: one IPv4 address, or the first half of an IPv6 one
  bool secure = false;  // came over TLS

  // The first parameter of this name.
  std::optional<std::string_view> parameter(std::string_view name) const;
};

// What a server answers. Content-Length, Connection, Date and Transfer-Encoding are the server's
// business and are not to be set.
struct Response {
  int status = 200;
  Headers headers;
  std::string body;
};

// "Not Found"; "Status 299" for a number without a name.
std::string reason_phrase(int status);

}  // namespace belfry::net
