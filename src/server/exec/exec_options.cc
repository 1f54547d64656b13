#include "server/exec/exec_options.h"

#include "worker/exec_environment.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace belfry::server {
namespace {

// "512M": digits, then nothing or K, M, G, T (of 1024).
Result<std::uint64_t> read_number(const std::string& text, const char* field, bool is_size) {
  if (text.empty()) return 0;
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  std::size_t unit = kUnits.npos;
  if (is_size && read.ptr + 1 == end) unit = kUnits.find(*read.ptr);
  const bool is_plain = read.ptr == end;
  const unsigned shift = is_plain ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  if (read.ec != std::errc() || (!is_plain && unit == kUnits.npos) || number == 0 ||
      number > ~std::uint64_t{0} >> shift) {
    return fail({.code = Errc::kInvalid,
                 .message = "`" + text + "` is not a limit",
                 .field = field,
                 .hint = is_size ? "write a size like 512M or 2G" : "write a number above 0"});
  }
  return number << shift;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from <= text.size() && !text.empty();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    names.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

}  // namespace

Result<worker::ExecOptions> exec_options(const config::ExecSettings& settings, Duration grace) {
  BELFRY_TRY(user, worker::find_exec_user(settings.exec_user));
  BELFRY_TRY(environment,
             worker::fresh_environment(own_environment(), user, split(settings.exec_env)));
  BELFRY_TRY(memory, read_number(settings.exec_memory_max, "exec_memory_max", true));
  BELFRY_TRY(processes, read_number(settings.exec_processes_max, "exec_processes_max", false));
  const worker::ExecLimits limits{.memory = memory, .processes = processes};
  return worker::ExecOptions{
      .environment = std::move(environment),
      .grace = grace,
      .confinement = {
          .user = std::move(user), .limits = limits, .groups = worker::find_group_home(limits)}};
}

void hide_from_commands() {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace belfry::server
