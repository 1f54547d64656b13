#pragma once

#include "api/frame/problem.h"
#include "net/http.h"

#include <optional>
#include <string>
#include <string_view>

// How the web console says who it is: by a cookie that holds its key, which scripts cannot read and
// other sites cannot send. A change must also carry a token that is derived from the key, so that
// nothing but the console's own page can have made the call.
namespace belfry::api {

struct Credentials {
  std::optional<std::string> authorization;  // as the header writes it: "Bearer bf_…"
  bool is_cookie = false;
};

// The header, or else the cookie.
Credentials credentials_of(const net::Request& request);

// The token that goes with a session; empty without a key.
std::string csrf_token(const Credentials& credentials);

// The problem of a call by cookie that changes something without the token, if it is one.
std::optional<Problem> check_csrf(const net::Request& request, const Credentials& credentials);

// The value of Set-Cookie that keeps the key for as long as it is used, or forgets it.
std::string session_cookie(const net::Request& request, const Credentials& credentials);
std::string forgotten_cookie();

}  // namespace belfry::api
