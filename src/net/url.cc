#include "net/url.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace belfry::net {
namespace {

Result<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc() || stop != end) {
    return fail({.code = Errc::kInvalid,
                 .message = fmt::format("`{}` is not a port", text),
                 .field = "port",
                 .hint = "use a number up to 65535"});
  }
  return port;
}

bool is_blank_or_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7f;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "host:port", "[v6]:port", either without the port.
struct Authority {
  std::string_view host;
  std::string_view port;
};

std::optional<Authority> split_authority(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const auto rest = text.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') return std::nullopt;
    return Authority{text.substr(1, end - 1), rest.empty() ? rest : rest.substr(1)};
  }
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return Authority{text, {}};
  return Authority{text.substr(0, colon), text.substr(colon + 1)};
}

bool is_host(std::string_view host) {
  return !host.empty() &&
         std::ranges::all_of(host, [](char c) { return is_unreserved(c) || c == ':'; });
}

std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

// What may be a credential is not echoed.
std::string echo(std::string_view text) {
  if (text.find('@') != std::string_view::npos) return "the URL";
  return fmt::format("`{}`", text.substr(0, text.find('?')));
}

tl::unexpected<Error> bad_url(std::string_view text, std::string_view reason) {
  return fail({.code = Errc::kInvalid,
               .message = fmt::format("{} {}", echo(text), reason),
               .field = "url",
               .hint = "write it like https://host:7070/path"});
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::optional<std::string> decode_form(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace(blanks, '+', ' ');
  return decode_percent(blanks);
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  if (std::ranges::any_of(text, is_blank_or_control)) {
    return bad_url("@", "has a blank or a control character in it");  // not echoed
  }
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return bad_url(text, "has no scheme");
  Url url{.scheme = lower(text.substr(0, scheme_end))};
  if (url.scheme != "http" && url.scheme != "https") {
    return bad_url(text, "is neither http nor https");
  }
  std::string_view rest = text.substr(scheme_end + 3);
  rest = rest.substr(0, rest.find('#'));
  const auto authority_end = std::min(rest.find_first_of("/?"), rest.size());
  const auto authority_text = rest.substr(0, authority_end);
  rest.remove_prefix(authority_end);
  if (authority_text.find('@') != std::string_view::npos) {
    return bad_url(text, "has a user name in it");
  }
  const auto authority = split_authority(authority_text);
  if (!authority || !is_host(authority->host)) return bad_url(text, "has no host");
  url.host = lower(authority->host);
  url.port = url.secure() ? 443 : 80;
  if (!authority->port.empty()) {
    BELFRY_TRY(port, parse_port(authority->port));
    url.port = port;
  }
  const auto path_end = std::min(rest.find('?'), rest.size());
  url.path = rest.substr(0, path_end);
  if (url.path.empty()) url.path = "/";
  if (path_end < rest.size()) url.query = rest.substr(path_end + 1);
  if (!decode_percent(url.path) || !decode_percent(url.query)) {
    return bad_url(text, "has a broken percent code");
  }
  return url;
}

std::string Url::authority() const {
  const bool is_default = port == (secure() ? 443 : 80);
  return is_default ? bracketed(host) : fmt::format("{}:{}", bracketed(host), port);
}

std::string Url::target() const {
  return query.empty() ? path : path + "?" + query;
}

std::string to_string(const Url& url) {
  return url.scheme + "://" + url.authority() + url.target();
}

std::optional<std::string> decode_percent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') return std::nullopt;
    out.push_back(c);
  }
  return out;
}

std::string encode_percent(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kHex[byte >> 4U]);
    out.push_back(kHex[byte & 15U]);
  }
  return out;
}

std::optional<std::vector<std::string>> split_path(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const auto end = std::min(path.find('/'), path.size());
    if (end == 0 && path.empty()) break;
    auto segment = decode_percent(path.substr(0, end));
    if (!segment || *segment == "." || *segment == "..") return std::nullopt;
    segments.push_back(std::move(*segment));
    path.remove_prefix(end);
  }
  return segments;
}

std::optional<std::vector<Parameter>> parse_query(std::string_view query) {
  std::vector<Parameter> parameters;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto name = decode_form(pair.substr(0, equals));
    auto value = decode_form(equals < pair.size() ? pair.substr(equals + 1) : "");
    if (!name || !value) return std::nullopt;
    parameters.push_back({std::move(*name), std::move(*value)});
  }
  return parameters;
}

std::string format_query(const std::vector<Parameter>& parameters) {
  std::string out;
  for (const Parameter& each : parameters) {
    if (!out.empty()) out.push_back('&');
    out += encode_percent(each.name) + "=" + encode_percent(each.value);
  }
  return out;
}

Result<HostPort> HostPort::parse(std::string_view text) {
  const auto authority = split_authority(text);
  if (!authority || !is_host(authority->host) || authority->port.empty()) {
    return fail({.code = Errc::kInvalid,
                 .message = fmt::format("`{}` is not an address to listen on", text),
                 .field = "listen",
                 .hint = "write it like 127.0.0.1:7070 or [::1]:7070"});
  }
  BELFRY_TRY(port, parse_port(authority->port));
  return HostPort{.host = std::string(authority->host), .port = port};
}

std::string to_string(const HostPort& address) {
  return fmt::format("{}:{}", bracketed(address.host), address.port);
}

bool is_loopback(std::string_view host) {
  if (equal_ignoring_case(host, "localhost") || host == "::1") return true;
  // A host name may begin with 127 too; only an address counts.
  in_addr address{};
  return inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
         ntohl(address.s_addr) >> 24 == 127;
}

}  // namespace belfry::net
