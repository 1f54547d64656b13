#pragma once

#include "base/result.h"
#include "net/http.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::net {

// "https://host:port/path?query", the kind of address a client connects to. Holds no user name and
// no fragment: the first is refused (credentials belong in a header), the second is dropped.
struct Url {
  std::string scheme;      // "http" or "https"
  std::string host;        // lower case, without the brackets of an IPv6 address
  std::uint16_t port = 0;  // 80 or 443 when not written
  std::string path;        // encoded, begins with '/'
  std::string query;       // encoded, without '?'
  // A Unix socket of this machine, to connect to in the host's stead. No text of a URL sets it.
  std::string socket = {};

  // Refuses what has no host, another scheme, a bad port, a broken percent code, or any blank or
  // control character (so nobody smuggles a second header in a URL).
  static Result<Url> parse(std::string_view text);

  bool secure() const { return scheme == "https"; }
  // As the Host header and a user want it: no default port, brackets around IPv6.
  std::string authority() const;
  // Path and query, as a request line wants them.
  std::string target() const;

  friend bool operator==(const Url&, const Url&) = default;
};

std::string to_string(const Url& url);

// "%41b" -> "Ab". None for a broken code ("%4"), and for a zero byte, which C strings would hide.
std::optional<std::string> decode_percent(std::string_view text);

// Everything but letters, digits and -._~ encoded: safe in a segment of a path and in a query.
std::string encode_percent(std::string_view text);

// The path's segments, each decoded; an empty last one (a trailing slash) is left out. None for a
// broken code and for "." and "..", which no client of ours sends and no handler should meet.
std::optional<std::vector<std::string>> split_path(std::string_view path);

// "a=1&b=x+y" -> {{"a","1"},{"b","x y"}}. None for a broken code.
std::optional<std::vector<Parameter>> parse_query(std::string_view query);

// The reverse.
std::string format_query(const std::vector<Parameter>& parameters);

// "127.0.0.1:7070", "[::1]:7070", "localhost:0": where to listen.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;

  static Result<HostPort> parse(std::string_view text);
};

std::string to_string(const HostPort& address);

// Whether a host is this machine, whatever a resolver says: "localhost", 127.0.0.0/8, "::1".
bool is_loopback(std::string_view host);

}  // namespace belfry::net
