#include "import/systemd/systemd_service.h"

#include "base/text/duration_text.h"
#include "core/cron/words.h"
#include "import/command.h"
#include "import/systemd/exec_line.h"
#include "import/systemd/time_span.h"
#include "import/systemd/unit_keys.h"
#include "import/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace belfry::importer {
namespace {

class ServiceReader {
 public:
  ServiceReader(const Unit& unit, std::string_view run_as, ReportBuilder& builder)
      : unit_(unit), run_as_(run_as), builder_(builder) {}

  ServicePart read() {
    part_.job.max_attempts = 1;
    part_.job.concurrency_policy = "FORBID";
    part_.job.labels["imported_from"] = "systemd";
    part_.job.description = unit_.value("Unit", "Description");
    for (const UnitLine& line : unit_.lines()) read_line(line);
    report_lost(lost_, unit_.name(), part_.findings);
    check_type();
    make_command();
    builder_.ran_as(unit_.value("Service", "User"), part_.job, part_.findings);
    return std::move(part_);
  }

 private:
  void read_line(const UnitLine& line) {
    const bool setting = line.kind == UnitLine::Kind::kSetting && line.section == "Service";
    if (setting && line.value.empty()) {
      builder_.line(line.place, Verdict::kApplied, "takes back what was set above");
    } else if (setting && line.key == "Environment") {
      report(line, read_environment(line.value), "variables of the command");
    } else if (setting && line.key == "WorkingDirectory") {
      report(line, read_folder(line.value), "the folder of the command");
    } else if (setting && (line.key == "TimeoutStartSec" || line.key == "TimeoutSec" ||
                           line.key == "RuntimeMaxSec")) {
      read_timeout(line);
    } else if (setting && line.key == "User") {
      builder_.line(line.place, Verdict::kApplied, "the label `user`");
    } else {
      report_common_line(line, builder_, lost_);
    }
  }

  void report(const UnitLine& line, const Status& status, std::string_view use) {
    if (status) {
      builder_.line(line.place, Verdict::kApplied, std::string(use));
      return;
    }
    builder_.line(line.place, Verdict::kRefused, to_string(status.error()));
    lost_.push_back(line.key);
  }

  Status read_environment(std::string_view value) {
    BELFRY_TRY(words, split_quoted(value));
    for (const std::string& word : words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0) {
        return fail(Errc::kInvalid, in_backticks(word) + " is not NAME=value");
      }
      BELFRY_TRY(expanded, expand_specifiers(word.substr(equals + 1), run_as_));
      set_variable(variables_, word.substr(0, equals), expanded);
    }
    return {};
  }

  Status read_folder(std::string_view value) {
    if (value.starts_with('-')) value.remove_prefix(1);
    if (value == "~") {
      return fail(Errc::kInvalid, "the user's home folder is not known here; write its path");
    }
    BELFRY_TRY(expanded, expand_specifiers(value, run_as_));
    folder_ = expanded;
    return {};
  }

  // A limit on the run: on the start of a oneshot, on the running time of any other service.
  void read_timeout(const UnitLine& line) {
    const bool oneshot = unit_.value("Service", "Type") == "oneshot";
    if (oneshot != (line.key != "RuntimeMaxSec")) {
      builder_.line(line.place, Verdict::kIgnored,
                    "limits nothing for a service of this Type, and so nothing here");
      return;
    }
    const auto span = parse_time_span(line.value);
    if (!span) {
      report(line, fail(span.error()), {});
    } else if (!*span || **span == Duration::zero()) {
      builder_.line(line.place, Verdict::kApplied, "no limit: `timeout` is one day");
    } else {
      part_.job.timeout = format_duration(std::max<Duration>(**span, std::chrono::seconds(1)));
      builder_.line(line.place, Verdict::kApplied, "the `timeout` of the job");
    }
  }

  void check_type() {
    const std::string_view type = unit_.value("Service", "Type");
    constexpr std::array<std::string_view, 5> kRuns{"", "simple", "exec", "oneshot", "idle"};
    if (std::find(kRuns.begin(), kRuns.end(), type) == kRuns.end()) {
      part_.findings.change("Type=" + std::string(type) +
                            " starts a service that stays; a run lasts until its command ends");
    }
  }

  // The commands of Pre, Start and Post in order; one alone needs no shell.
  void make_command() {
    if (unit_.all("Service", "ExecStart").empty()) {
      part_.findings.refuse(in_backticks(unit_.name()) +
                            " has no ExecStart, so there is no command");
      return;
    }
    std::vector<ExecCommand> commands;
    for (const std::string_view key : {"ExecStartPre", "ExecStart", "ExecStartPost"}) {
      for (const UnitLine* line : unit_.all("Service", key)) {
        if (const Status status = append_commands(line->value, commands); !status) {
          part_.findings.refuse(line->key + ": " + to_string(status.error()));
          return;
        }
      }
    }
    Words words;
    if (commands.size() == 1 && !commands.front().failure_is_fine) {
      words = commands.front().words;
    } else {
      words = {"/bin/sh", "-c", script_of(commands)};
      part_.findings.note("the commands of the service run in one shell, in their order");
    }
    part_.job.command = with_environment(variables_, folder_, std::move(words));
  }

  Status append_commands(std::string_view value, std::vector<ExecCommand>& commands) {
    BELFRY_TRY(parsed, parse_exec(value));
    for (ExecCommand& command : parsed) {
      for (std::string& word : command.words) {
        BELFRY_TRY(expanded, expand_specifiers(word, run_as_));
        word = std::move(expanded);
      }
      if (command.expands) {
        BELFRY_TRY(expanded, expand_variables(command.words, variables_));
        command.words = std::move(expanded);
      }
      if (command.words.empty()) return fail(Errc::kInvalid, "the command is empty");
      if (command.privileged) {
        part_.findings.change(
            "a command ran with full privileges (`+` or `!`); here all have "
            "those of the worker");
      }
      commands.push_back(std::move(command));
    }
    return {};
  }

  static std::string script_of(const std::vector<ExecCommand>& commands) {
    std::string script;
    for (const ExecCommand& command : commands) {
      if (!script.empty()) script += " && ";
      const std::string line = shell_line(command.words);
      script += command.failure_is_fine ? "{ " + line + " || true; }" : line;
    }
    return script;
  }

  const Unit& unit_;
  std::string_view run_as_;
  ReportBuilder& builder_;
  ServicePart part_;
  Variables variables_;
  std::string folder_;
  std::vector<std::string> lost_;
};

}  // namespace

ServicePart read_service(const Unit& unit, std::string_view run_as, ReportBuilder& builder) {
  ServicePart part = ServiceReader(unit, run_as, builder).read();
  if (part.job.timeout.empty()) part.job.timeout = "1d";
  return part;
}

void report_common_line(const UnitLine& line, ReportBuilder& builder,
                        std::vector<std::string>& lost) {
  switch (line.kind) {
    case UnitLine::Kind::kComment: builder.line(line.place, Verdict::kIgnored, "comment"); return;
    case UnitLine::Kind::kSection: builder.line(line.place, Verdict::kIgnored, "heading"); return;
    case UnitLine::Kind::kBroken:
      builder.line(line.place, Verdict::kRefused, "neither a [Section] nor Key=value");
      return;
    case UnitLine::Kind::kSetting: break;
  }
  const KeyFate fate = fate_of(line.section, line.key);
  builder.line(line.place, fate.verdict, std::string(fate.reason));
  if (fate.changes_job) lost.push_back(line.key);
}

void report_lost(const std::vector<std::string>& lost, std::string_view unit, Findings& findings) {
  if (lost.empty()) return;
  std::vector<std::string> names;
  for (const std::string& name : lost) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  findings.change("settings of " + in_backticks(unit) +
                  " that are not imported: " + core::in_list(names));
}

}  // namespace belfry::importer
