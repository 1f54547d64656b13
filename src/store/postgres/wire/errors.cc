#include "store/postgres/wire/errors.h"

#include <array>

namespace belfry::store::postgres {
namespace {

struct Known {
  std::string_view prefix;  // of the SQLSTATE; the first that fits counts
  Verdict verdict;
};

constexpr Verdict kGone{.code = Errc::kUnavailable, .reconnect = true};
constexpr Verdict kBusy{.code = Errc::kUnavailable};
constexpr Verdict kShared{.code = Errc::kUnavailable, .reconnect = true, .pooler = true};
constexpr Verdict kRace{.code = Errc::kUnavailable, .contention = true};

constexpr auto kTable = std::to_array<Known>({
    {"08", kGone},                            // connection exceptions
    {"40001", kRace},                         // serialization failure
    {"40P01", kRace},                         // deadlock
    {"57P", kGone},                           // shutting down, starting up, terminated
    {"57014", kBusy},                         // cancelled, or its statement_timeout was over
    {"53", kBusy},                            // disk full, out of memory, too many connections
    {"55P03", kBusy},                         // its lock_timeout was over
    {"25006", kGone},                         // a standby: the primary is elsewhere now
    {"25P03", kGone},                         // idle in a transaction for too long
    {"26000", kShared},                       // a pooler gave us another server's session
    {"42P05", kShared},                       // and one that has our statement already
    {"0A000", kGone},                         // a kept plan from before a migration
    {"23505", {.code = Errc::kConflict}},     // unique
    {"23503", {.code = Errc::kNotFound}},     // references what is not there
    {"22", {.code = Errc::kInvalid}},         // data the server cannot take: bad JSON, a zero byte
    {"23514", {.code = Errc::kInvalid}},      // check
    {"28", {.code = Errc::kUnavailable}},     // not let in: somebody may be changing the password
    {"3D000", {.code = Errc::kUnavailable}},  // no such database, yet
});

}  // namespace

Verdict classify(std::string_view sqlstate) {
  for (const Known& known : kTable) {
    if (sqlstate.starts_with(known.prefix)) return known.verdict;
  }
  return {};
}

std::string without_address(std::string_view message) {
  constexpr std::string_view kFailed = "failed: ";
  constexpr std::string_view kNoName = "could not translate host name";
  if (message.starts_with(kNoName)) return "its name has no address";
  const auto failed = message.find(kFailed);
  const bool names_it = message.starts_with("connection to server");
  if (!names_it || failed == std::string_view::npos) return std::string(message);
  return std::string(message.substr(failed + kFailed.size()));
}

}  // namespace belfry::store::postgres
