#include "store/postgres/wire/hosts.h"

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

namespace belfry::store::postgres {
namespace {

// For each of several servers, unless `connect_timeout` says otherwise.
constexpr Duration kGreeting = std::chrono::seconds(2);

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using ReadOptions = std::unique_ptr<PQconninfoOption, FreeOptions>;

std::string value_of(const ReadOptions& options, std::string_view keyword) {
  for (const PQconninfoOption* each = options.get(); each && each->keyword; ++each) {
    if (keyword == each->keyword && each->val) return each->val;
  }
  return {};
}

std::vector<std::string> cut_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

// One port counts for all hosts; several count one by one, and an empty one of these is the usual.
std::string port_of(const std::vector<std::string>& ports, std::size_t i) {
  if (ports.size() == 1) return ports[0];
  return i < ports.size() && !ports[i].empty() ? ports[i] : "5432";
}

// As libpq reads the number: none, zero or less is no limit.
std::optional<Duration> seconds_in(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  if (number <= 0) return std::nullopt;
  return std::chrono::seconds(number);
}

}  // namespace

Hosts::Hosts(const std::string& address) {
  const ReadOptions options(PQconninfoParse(address.c_str(), nullptr));
  const auto names = cut_at_commas(value_of(options, "host"));
  const auto addresses = cut_at_commas(value_of(options, "hostaddr"));
  const auto ports = cut_at_commas(value_of(options, "port"));
  for (std::size_t i = 0; i < std::max(names.size(), addresses.size()); ++i) {
    hosts_.push_back({.name = i < names.size() ? names[i] : "",
                      .address = i < addresses.size() ? addresses[i] : "",
                      .port = port_of(ports, i)});
  }
  const std::string told = value_of(options, "connect_timeout");
  patience_ = seconds_in(told);
  if (told.empty() && hosts_.size() > 1) patience_ = kGreeting;
}

}  // namespace belfry::store::postgres
