#include "net/server/response_text.h"

#include "net/message_text.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <iterator>

namespace belfry::net {
namespace {

// "Sun, 06 Nov 1994 08:49:37 GMT", the one form HTTP has.
void append_date(std::string& out, Instant now) {
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds second{std::chrono::seconds(floor_unix_seconds(now))};
  const auto midnight = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss time(second - midnight);
  fmt::format_to(std::back_inserter(out), "Date: {}, {:02} {} {:04} {:02}:{:02}:{:02} GMT\r\n",
                 kDays[std::chrono::weekday(midnight).c_encoding()],
                 static_cast<unsigned>(date.day()),
                 kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                 time.hours().count(), time.minutes().count(), time.seconds().count());
}

// What every answer says unless it says otherwise: nobody guesses its type, frames it, runs
// anything in it, keeps it, or learns from it where its reader came from.
struct Precaution {
  std::string_view name;
  std::string_view value;
};
constexpr std::array<Precaution, 4> kPrecautions{
    {{"X-Content-Type-Options", "nosniff"},
     {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
     {"Referrer-Policy", "no-referrer"},
     {"Cache-Control", "no-store"}}};

// These never have a body, and their header does not say how long it is.
bool is_bodiless(int status) {
  return status == 204 || status == 304;
}

// In a JSON string. Details are our own words, but may quote a request.
std::string json_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += '?';
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

bool is_sendable(const Response& response) {
  return response.status >= 200 && response.status <= 599 && are_sendable(response.headers);
}

void append_response(std::string& out, const Response& response, Framing framing, Instant now) {
  const auto end = std::back_inserter(out);
  fmt::format_to(end, "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  append_date(out, now);
  for (const Header& field : response.headers) {
    fmt::format_to(end, "{}: {}\r\n", field.name, field.value);
  }
  for (const Precaution& each : kPrecautions) {
    if (!response.headers.find(each.name)) fmt::format_to(end, "{}: {}\r\n", each.name, each.value);
  }
  if (!framing.keep_alive) out += "Connection: close\r\n";
  const bool has_length =
      framing.body == BodyFraming::kLength || framing.body == BodyFraming::kHead;
  if (framing.body == BodyFraming::kChunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (has_length && !is_bodiless(response.status)) {
    fmt::format_to(end, "Content-Length: {}\r\n", response.body.size());
  }
  out += "\r\n";
  if (framing.body == BodyFraming::kLength && !is_bodiless(response.status)) out += response.body;
}

void append_chunk(std::string& out, std::string_view data) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", data.size());
  out += data;
  out += "\r\n";
}

void append_last_chunk(std::string& out) {
  out += "0\r\n\r\n";
}

Response default_error(int status, std::string_view detail) {
  Response response{.status = status};
  response.headers.set("Content-Type", "application/problem+json");
  response.body = fmt::format(R"({{"title":"{}","status":{},"detail":"{}"}})",
                              reason_phrase(status), status, json_escape(detail));
  return response;
}

}  // namespace belfry::net
