#include "import/crontab/crontab.h"

#include "core/cron/syntax.h"
#include "import/builder.h"
#include "import/crontab/anacron.h"
#include "import/crontab/crontab_command.h"
#include "import/crontab/crontab_environment.h"
#include "import/crontab/crontab_fields.h"
#include "import/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace belfry::importer {
namespace {

// A comment that is a switched-off job, or the ruler of a template, describes nothing.
bool is_switched_off_job(std::string_view comment) {
  if (comment.starts_with('@')) {
    const std::string_view word = take_word(comment);
    return !comment.empty() && (word == "@reboot" ||
                                core::parse_syntax(word, core::Dialect::kStandard, {}).has_value());
  }
  CronFields fields;
  for (std::string_view& field : fields) field = take_word(comment);
  Findings unused;
  return !comment.empty() &&
         core::parse_syntax(expression_from(fields, unused), core::Dialect::kStandard, {})
             .has_value();
}
bool is_ruler(std::string_view comment) {
  const std::vector<std::string_view> words = words_of(comment);
  const auto short_word = [](std::string_view word) { return word.size() <= 3; };
  constexpr std::array<std::string_view, 4> kMarks{"┌", "│", "|", "*"};
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return comment.starts_with(mark); }) ||
         comment.starts_with("period ") ||
         std::none_of(comment.begin(), comment.end(),
                      [](unsigned char c) { return std::isalpha(c) != 0; }) ||
         (words.size() >= 5 && std::all_of(words.begin(), words.begin() + 5, short_word) &&
          comment.find("dom") != std::string_view::npos);
}

class CrontabReader {
 public:
  CrontabReader(const SourceFile& file, const CrontabOptions& crontab, ReportBuilder& builder)
      : file_(file), crontab_(crontab), builder_(builder) {}

  void read() {
    std::size_t number = 0;
    for (const std::string_view line : lines_of(file_.text)) read_line(++number, trimmed(line));
  }

 private:
  void read_line(std::size_t number, std::string_view line) {
    const SourcePlace place{file_.name, number, number};
    if (line.empty()) {
      comment_.clear();
    } else if (line.front() == '#') {
      read_comment(place, trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size()))));
    } else if (const auto variable = parse_variable(line)) {
      comment_.clear();
      builder_.line(place, environment_.set(*variable, crontab_.style == CrontabStyle::kAnacron));
    } else if (crontab_.style == CrontabStyle::kAnacron) {
      read_anacron(place, line);
    } else {
      read_job(place, line);
    }
  }

  void read_comment(const SourcePlace& place, std::string_view comment) {
    if (is_switched_off_job(comment)) {
      builder_.line(place, Verdict::kIgnored, "a job that is commented out");
    } else if (is_ruler(comment)) {
      builder_.line(place, Verdict::kIgnored, "comment");
    } else {
      if (!comment_.empty()) comment_ += ' ';
      comment_ += comment;
      builder_.line(place, Verdict::kIgnored, "comment");
    }
  }

  void read_anacron(const SourcePlace& place, std::string_view line) {
    Findings findings;
    ImportedJob job = new_job();
    AnacronLine parsed = parse_anacron(line, environment_.start_hour(), job, findings);
    set_zone(job, true, findings);
    finish(place, std::move(job), {std::move(parsed.command), {}}, findings, parsed.name);
  }

  void read_job(const SourcePlace& place, std::string_view line) {
    Findings findings;
    ImportedJob job = new_job();
    if (line.front() == '-') {  // SUSE
      line.remove_prefix(1);
      findings.note("the leading `-` kept cron's log quiet; runs are always recorded here");
    }
    bool zone_matters = true;
    if (line.starts_with('@')) {
      schedule_from_shorthand(take_word(line), job, findings);
    } else {
      CronFields fields;
      for (std::string_view& field : fields) field = take_word(line);
      zone_matters = depends_on_zone(fields);
      if (fields.back().empty() || line.empty()) {
        findings.refuse("a line has five time fields and a command; this one ends too early");
      } else {
        job.cron_expression = expression_from(fields, findings);
      }
    }
    set_zone(job, zone_matters, findings);
    read_user(line, job, findings);
    CronCommand command = split_percent(line);
    if (command.text.find_first_not_of("*0123456789,-/") == command.text.find(' ') &&
        !command.text.empty()) {
      findings.refuse(
          "the command begins with what looks like a sixth time field, which cron does not have");
    }
    if (command.text.empty() && !findings.refused()) {
      findings.refuse(crontab_.style == CrontabStyle::kSystem
                          ? "there is no command after the user; is it a user's crontab?"
                          : "there is no command");
    }
    if (take_off_flock(command.text, findings)) job.concurrency_policy = "FORBID";
    const std::string name = name_from_command(command.text);
    finish(place, std::move(job), command, findings, name);
  }

  void set_zone(ImportedJob& job, bool zone_matters, Findings& findings) const {
    if (job.schedule_type != "CRON" || findings.refused()) return;
    Findings ignored;
    job.timezone = environment_.cron_tz();
    if (job.timezone.empty()) job.timezone = builder_.host_zone(zone_matters ? findings : ignored);
  }

  void read_user(std::string_view& line, ImportedJob& job, Findings& findings) const {
    if (crontab_.style == CrontabStyle::kSystem) {
      builder_.ran_as(take_word(line), job, findings);
      return;
    }
    builder_.ran_as(crontab_.owner, job, findings);
    std::string_view rest = line;
    if (take_word(rest) == "root" && !rest.empty()) {
      findings.refuse(
          "the command begins with `root`, which looks like a user column; import the file as a "
          "system crontab");
    }
  }

  static ImportedJob new_job() {
    ImportedJob job;
    job.max_attempts = 1;
    job.timeout = "1d";
    job.concurrency_policy = "ALLOW";
    job.misfire_policy = "SKIP";
    job.labels["imported_from"] = "crontab";
    return job;
  }

  void finish(const SourcePlace& place, ImportedJob job, const CronCommand& command,
              Findings findings, std::string_view name) {
    if (command.input && !command.input->empty()) {
      findings.note("the text behind `%` is still what the command reads, through `printf`");
    }
    if (command.text.find("run-parts") != std::string::npos) {
      findings.note("runs every script of a folder as one job; one failing script fails it");
    }
    environment_.apply(job, findings);
    job.command = with_environment(environment_.variables(), environment_.home(),
                                   words_for(command, environment_.shell()));
    job.description = std::exchange(comment_, {});
    builder_.job(place, std::move(job), std::move(findings), name);
  }

  const SourceFile& file_;
  const CrontabOptions& crontab_;
  ReportBuilder& builder_;
  CronEnvironment environment_;
  std::string comment_;  // the comment directly above
};

}  // namespace

ImportReport import_crontab(const SourceFile& file, const CrontabOptions& crontab,
                            const ImportOptions& options, core::ZoneCatalog& zones) {
  ReportBuilder builder(options, zones);
  CrontabReader(file, crontab, builder).read();
  builder.note(
      "commands run as the user, in the folder and with the environment of their exec "
      "worker; cron starts them in the user's home folder with PATH=/usr/bin:/bin");
  builder.note("output is kept with the run; no mail is sent");
  builder.note("cron sets no limit to a run; the imported jobs end after `timeout`, one day");
  return builder.take();
}

}  // namespace belfry::importer
