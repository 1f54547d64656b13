#include "import/systemd/unit_keys.h"

#include <algorithm>
#include <array>
#include <span>

namespace belfry::importer {
namespace {

struct Row {
  std::string_view key;  // a `*` at its end stands for anything
  KeyFate fate;
};

bool matches(std::string_view pattern, std::string_view key) {
  if (pattern.ends_with('*')) return key.starts_with(pattern.substr(0, pattern.size() - 1));
  return key == pattern;
}

constexpr KeyFate kUsed{Verdict::kApplied, "part of the job", false};
constexpr KeyFate kReadable{Verdict::kIgnored, "for readers", false};
constexpr KeyFate kNoUnits{Verdict::kRefused,
                           "there are no other units here: choose the times so that jobs follow",
                           false};
constexpr KeyFate kCondition{Verdict::kRefused, "not checked: test for it in the command", true};
constexpr KeyFate kOutput{Verdict::kIgnored, "output is kept with the run", false};
constexpr KeyFate kSurroundings{
    Verdict::kRefused, "a matter of the process that runs the command: set it for the worker",
    true};
constexpr KeyFate kStopping{Verdict::kIgnored, "about stopping a service, which a run is not",
                            false};
constexpr KeyFate kRetry{Verdict::kRefused, "set `max_attempts` and `retry` of the job", true};
constexpr KeyFate kUnknown{Verdict::kRefused, "not known to the importer", true};

constexpr std::array<Row, 14> kUnit{{{"Description", kUsed},
                                     {"Documentation", kReadable},
                                     {"SourcePath", kReadable},
                                     {"After", kNoUnits},
                                     {"Before", kNoUnits},
                                     {"Wants", kNoUnits},
                                     {"Requires*", kNoUnits},
                                     {"Requisite", kNoUnits},
                                     {"BindsTo", kNoUnits},
                                     {"PartOf", kNoUnits},
                                     {"Conflicts", kNoUnits},
                                     {"Condition*", kCondition},
                                     {"Assert*", kCondition},
                                     {"StartLimit*", kRetry}}};

constexpr std::array<Row, 6> kTimer{
    {{"AccuracySec",
      {Verdict::kIgnored, "ticks are exact here; nothing is gained by being late", false}},
     {"RemainAfterElapse", {Verdict::kIgnored, "a job stays until it is deleted", false}},
     {"WakeSystem", {Verdict::kRefused, "no host is woken for a tick", true}},
     {"OnClockChange", {Verdict::kRefused, "not a time: nothing here waits for it", true}},
     {"OnTimezoneChange", {Verdict::kRefused, "not a time: nothing here waits for it", true}},
     {"On*", {Verdict::kRefused, "not a kind of schedule here", true}}}};

constexpr std::array<Row, 21> kService{{{"Type", kUsed},
                                        {"RemainAfterExit", kStopping},
                                        {"ExecStop*", kStopping},
                                        {"ExecReload", kStopping},
                                        {"KillMode", kStopping},
                                        {"KillSignal", kStopping},
                                        {"TimeoutStopSec", kStopping},
                                        {"SendSIG*", kStopping},
                                        {"StandardOutput", kOutput},
                                        {"StandardError", kOutput},
                                        {"Syslog*", kOutput},
                                        {"Log*", kOutput},
                                        {"Restart*", kRetry},
                                        {"StartLimit*", kRetry},
                                        {"EnvironmentFile",
                                         {Verdict::kRefused,
                                          "the file is not read: put its variables into the "
                                          "command, or load it there",
                                          true}},
                                        {"PassEnvironment", kSurroundings},
                                        {"StandardInput*", kSurroundings},
                                        {"SuccessExitStatus",
                                         {Verdict::kRefused,
                                          "every exit code but 0 is a failure: change it in the "
                                          "command",
                                          true}},
                                        {"ExecCondition", kCondition},
                                        {"ExecStart*", kUsed},
                                        {"SyslogIdentifier", kOutput}}};

// Sandboxes, limits and identities.
constexpr std::array<std::string_view, 38> kProcessSettings{"Private*",
                                                            "Protect*",
                                                            "Restrict*",
                                                            "ReadOnly*",
                                                            "ReadWrite*",
                                                            "Inaccessible*",
                                                            "Capability*",
                                                            "Ambient*",
                                                            "NoNewPrivileges",
                                                            "SystemCall*",
                                                            "LockPersonality",
                                                            "MemoryDeny*",
                                                            "Nice",
                                                            "IO*",
                                                            "CPU*",
                                                            "Memory*",
                                                            "Tasks*",
                                                            "Limit*",
                                                            "Slice",
                                                            "OOM*",
                                                            "UMask",
                                                            "Group",
                                                            "DynamicUser",
                                                            "Supplementary*",
                                                            "Delegate",
                                                            "StateDirectory*",
                                                            "CacheDirectory*",
                                                            "LogsDirectory*",
                                                            "RuntimeDirectory*",
                                                            "Root*",
                                                            "Bind*",
                                                            "Temporary*",
                                                            "Mount*",
                                                            "DeviceAllow",
                                                            "DevicePolicy",
                                                            "AppArmorProfile",
                                                            "LoadCredential*",
                                                            "UtmpIdentifier"};

KeyFate look_up(std::span<const Row> rows, std::string_view key) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return matches(row.key, key); });
  return found == rows.end() ? kUnknown : found->fate;
}

}  // namespace

KeyFate fate_of(std::string_view section, std::string_view key) {
  if (section.starts_with("X-") || key.starts_with("X-")) return kReadable;
  if (section == "Install") {
    return {Verdict::kIgnored, "says when the unit is switched on; resume the job instead", false};
  }
  if (section == "Unit") return look_up(kUnit, key);
  if (section == "Timer") return look_up(kTimer, key);
  if (section != "Service") return kUnknown;
  const bool process = std::any_of(kProcessSettings.begin(), kProcessSettings.end(),
                                   [&](std::string_view name) { return matches(name, key); });
  return process ? kSurroundings : look_up(kService, key);
}

}  // namespace belfry::importer
