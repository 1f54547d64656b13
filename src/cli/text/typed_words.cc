#include "cli/text/typed_words.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace belfry::cli {
namespace {

// Calls whose last word is the name of something, and the command that makes them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kCalls{{
    {"PUT /jobs/name:", "belfry edit "},
    {"PUT /tenants/", "belfry tenants put "},
    {"PUT /calendars/", "belfry calendars put "},
    {"PUT /secrets/", "belfry secrets put "},
    {"POST /secrets/", "belfry secrets put "},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 33> kFlags{{
    {"job_name", "NAME"},
    {"cron_expression", "--cron"},
    {"every", "--every"},
    {"run_at", "--at"},
    {"delay", "--in"},
    {"timezone", "--tz"},
    {"start_at", "--start-at"},
    {"end_at", "--end-at"},
    {"jitter", "--jitter"},
    {"calendar", "--calendar"},
    {"calendar_policy", "--calendar-policy"},
    {"dst_gap", "--dst-gap"},
    {"dst_overlap", "--dst-overlap"},
    {"job_type", "--type"},
    {"payload", "--payload"},
    {"labels", "--label"},
    {"timeout", "--timeout"},
    {"max_attempts", "--retries"},
    {"retry", "--retry"},
    {"concurrency_policy", "--overlap"},
    {"max_concurrent", "--max-concurrent"},
    {"misfire_policy", "--misfire"},
    {"misfire_grace", "--grace"},
    {"start_within", "--start-within"},
    {"stop_within", "--stop-within"},
    {"priority", "--priority"},
    {"home_region", "--region"},
    {"run_in", "--run-in"},
    {"description", "--description"},
    {"target/url", "--url"},
    {"target/method", "--method"},
    {"target/headers", "--header"},
    {"target/secret_ref", "--secret"},
}};

// What else the server says in words of the API.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kPhrases{{
    {"set dst_gap to RUN_AFTER", "set --dst-gap run-after"},
    {"set misfire_policy to FIRE_ALL", "set --misfire fire-all"},
    {"raise misfire_grace", "raise --grace"},
    {"raise start_within", "raise --start-within"},
    {"choose another concurrency_policy", "choose another --overlap"},
    {"backfill the tick", "make it up with `belfry backfill`"},
    {"wait for stop_within, or unstick the run",
     "wait for --stop-within, or `belfry runs unstick` it"},
    {"replace it (PUT) to bring it back", "`belfry restore` brings it back"},
    {"replace the job (PUT)", "bring the job back: `belfry restore`"},
    {"look at the schedule's preview", "look at its next fires: `belfry next`"},
    {"give a later instant or a `delay`; `trigger` runs a job now",
     "give a later time, or --in; `belfry run` runs a job now"},
    {"it needs the concurrency_policy ALLOW", "it needs --overlap allow"},
}};

bool ends_a_name(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',' || c == ';' || c == ')';
}

}  // namespace

std::string in_typed_words(std::string line) {
  if (line.starts_with('?')) line.replace(0, 1, "--");
  // "rules/0: …" of a calendar: what follows quotes the rule.
  if (line.starts_with("rules/")) line.erase(0, std::min(line.find(": ") + 2, line.size()));
  for (const auto& [call, command] : kCalls) {
    const std::size_t at = line.find(call);
    if (at == std::string::npos) continue;
    std::size_t end = at + call.size();
    while (end < line.size() && !ends_a_name(line[end])) ++end;
    const std::string name = line.substr(at + call.size(), end - at - call.size());
    line.replace(at, end - at, "`" + std::string(command) + name + "`");
  }
  for (const auto& [phrase, typed] : kPhrases) {
    const std::size_t at = line.find(phrase);
    if (at != std::string::npos) line.replace(at, phrase.size(), typed);
  }
  return line;
}

std::string with_flag(std::string line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos) return line;
  std::string_view field = std::string_view(line).substr(0, colon);
  for (const auto& [name, flag] : kFlags) {
    // "labels/team" and "retry/base" are parts of what one flag says.
    const bool is_part =
        field.starts_with(name) && field.size() > name.size() && field[name.size()] == '/';
    if (field == name || is_part) return std::string(flag) + line.substr(colon);
  }
  return line;
}

std::string with_option(std::string line) {
  const std::size_t colon = line.find(':');
  const bool is_field = colon != std::string::npos && colon > 0 &&
                        line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == colon;
  if (!is_field) return line;
  std::replace(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), '_', '-');
  return "--" + line;
}

std::string as_api_word(std::string_view typed) {
  std::string word = in_capitals(typed);
  std::ranges::replace(word, '-', '_');
  return word;
}

}  // namespace belfry::cli
