#include "api/frame/session_cookie.h"

#include <gtest/gtest.h>

namespace belfry::api {
namespace {

net::Request ask(std::string method, net::Headers headers) {
  return {.method = std::move(method), .path = "/api/v1/jobs", .headers = std::move(headers)};
}

TEST(SessionCookieTest, TheHeaderComesBeforeTheCookie) {
  const auto both = credentials_of(
      ask("GET", {{"Authorization", "Bearer bf_header"}, {"Cookie", "belfry_session=bf_cookie"}}));
  EXPECT_EQ(both.authorization, "Bearer bf_header");
  EXPECT_FALSE(both.is_cookie);
}

TEST(SessionCookieTest, FindsItsCookieAmongOthers) {
  const auto found =
      credentials_of(ask("GET", {{"Cookie", "theme=dark; belfry_session=bf_a-B_9; x=y"}}));
  EXPECT_EQ(found.authorization, "Bearer bf_a-B_9");
  EXPECT_TRUE(found.is_cookie);
  EXPECT_EQ(credentials_of(ask("GET", {{"Cookie", "belfry_session=eyJh.eyJp.s-_9"}})).authorization,
            "Bearer eyJh.eyJp.s-_9");  // a token of an issuer
  EXPECT_FALSE(credentials_of(ask("GET", {{"Cookie", "xbelfry_session=bf_a"}})).authorization);
  EXPECT_FALSE(credentials_of(ask("GET", {{"Cookie", "belfry_session=a b"}})).authorization);
  EXPECT_FALSE(credentials_of(ask("GET", {{"Cookie", "belfry_session="}})).authorization);
  EXPECT_FALSE(credentials_of(ask("GET", {})).is_cookie);
}

TEST(SessionCookieTest, AChangeByCookieNeedsTheToken) {
  const net::Header cookie{"Cookie", "belfry_session=bf_a"};
  const auto session = credentials_of(ask("GET", {cookie}));
  const std::string token = csrf_token(session);
  ASSERT_FALSE(token.empty());
  const auto problem_of_call = [&](const net::Request& request) {
    return check_csrf(request, credentials_of(request)).has_value();
  };
  EXPECT_TRUE(problem_of_call(ask("POST", {cookie})));
  EXPECT_TRUE(problem_of_call(ask("DELETE", {cookie, {"Belfry-Csrf", "guess"}})));
  EXPECT_FALSE(problem_of_call(ask("POST", {cookie, {"Belfry-Csrf", token}})));
  EXPECT_FALSE(problem_of_call(ask("GET", {cookie})));
  EXPECT_FALSE(problem_of_call(ask("POST", {{"Authorization", "Bearer bf_a"}})));
}

TEST(SessionCookieTest, EachKeyHasItsOwnToken) {
  const auto token = [](std::string key) {
    return csrf_token({.authorization = "Bearer " + key, .is_cookie = true});
  };
  EXPECT_NE(token("bf_a"), token("bf_b"));
  EXPECT_EQ(csrf_token({}), "");
}

TEST(SessionCookieTest, ScriptsCannotReadItAndOtherSitesCannotSendIt) {
  const Credentials session{.authorization = "Bearer bf_a", .is_cookie = true};
  net::Request request = ask("POST", {});
  EXPECT_EQ(session_cookie(request, session),
            "belfry_session=bf_a; Path=/api; HttpOnly; SameSite=Strict; Max-Age=43200");
  request.secure = true;
  EXPECT_NE(session_cookie(request, session).find("; Secure"), std::string::npos);
  EXPECT_NE(forgotten_cookie().find("belfry_session=; "), std::string::npos);
  EXPECT_NE(forgotten_cookie().find("Max-Age=0"), std::string::npos);
}

}  // namespace
}  // namespace belfry::api
