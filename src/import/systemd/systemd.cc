#include "import/systemd/systemd.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/cron/syntax.h"
#include "import/cron_fields.h"
#include "import/systemd/calendar_cron.h"
#include "import/systemd/calendar_spec.h"
#include "import/systemd/systemd_service.h"
#include "import/systemd/time_span.h"
#include "import/text.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace belfry::importer {
namespace {

// Whether clock changes affect this job otherwise than systemd's timer: the text decides.
bool is_rhythm(const std::string& expression) {
  const auto syntax = core::parse_syntax(expression, core::Dialect::kStandard, {});
  return syntax && ((*syntax)[core::Field::kSecond].begins_with_star() ||
                    (*syntax)[core::Field::kMinute].begins_with_star() ||
                    (*syntax)[core::Field::kHour].begins_with_star());
}

bool zone_matters(const std::string& expression) {
  const auto words = words_of(expression);
  if (words.size() != 5) return true;
  return depends_on_zone({words[0], words[1], words[2], words[3], words[4]});
}

class TimerReader {
 public:
  TimerReader(const Unit& timer, ServicePart service, ReportBuilder& builder)
      : timer_(timer), service_(std::move(service)), builder_(builder) {}

  void read() {
    prepare();
    for (const UnitLine& line : timer_.lines()) {
      if (!is_schedule(line)) read_setting(line);
    }
    report_lost(lost_, timer_.name(), service_.findings);
    for (const UnitLine& line : timer_.lines()) {
      if (is_schedule(line)) read_schedule(line);
    }
  }

 private:
  // What holds for each job of the timer, whatever the order of the timer's lines.
  void prepare() {
    ImportedJob& job = service_.job;
    job.labels["unit"] = timer_.name();
    const std::string_view description = timer_.value("Unit", "Description");
    if (!description.empty()) job.description = description;
    for (const std::string_view key : {"OnCalendar", "OnUnitActiveSec", "OnUnitInactiveSec"}) {
      for (const UnitLine* line : timer_.all("Timer", key)) in_force_.insert(line);
    }
    repeats_ = !timer_.all("Timer", "OnUnitActiveSec").empty() ||
               !timer_.all("Timer", "OnUnitInactiveSec").empty();
    if (timer_.flag("Timer", "Persistent")) {
      job.misfire_policy = "FIRE_ONCE";
      job.misfire_grace = "3650d";  // systemd makes up for a miss, however old
    } else {
      job.misfire_policy = "SKIP";
    }
    read_delay();
  }

  void read_delay() {
    const std::string_view value = timer_.value("Timer", "RandomizedDelaySec");
    if (value.empty()) return;
    const auto span = parse_time_span(value);
    if (!span || !*span) {
      delay_is_broken_ = true;
    } else if (**span >= std::chrono::seconds(1)) {
      service_.job.jitter = format_duration(std::chrono::floor<std::chrono::seconds>(**span));
      if (!timer_.flag("Timer", "FixedRandomDelay")) {
        service_.findings.change(
            "RandomizedDelaySec was drawn anew each time; `jitter` is fixed by the job's name");
      }
    }
  }

  // A line that makes a job.
  static bool is_schedule(const UnitLine& line) {
    return line.kind == UnitLine::Kind::kSetting && line.section == "Timer" &&
           !line.value.empty() &&
           (line.key == "OnCalendar" || line.key == "OnUnitActiveSec" ||
            line.key == "OnUnitInactiveSec");
  }

  void read_schedule(const UnitLine& line) {
    if (!in_force_.contains(&line)) {
      builder_.line(line.place, Verdict::kIgnored, "taken back by an empty value below");
    } else if (line.key == "OnCalendar") {
      read_calendar(line);
    } else {
      read_interval(line);
    }
  }

  void read_setting(const UnitLine& line) {
    const bool setting = line.kind == UnitLine::Kind::kSetting && line.section == "Timer";
    if (setting && line.value.empty()) {
      builder_.line(line.place, Verdict::kApplied, "takes back what was set above");
    } else if (setting && (line.key == "OnBootSec" || line.key == "OnStartupSec" ||
                           line.key == "OnActiveSec")) {
      read_once_after_start(line);
    } else if (setting && line.key == "RandomizedDelaySec" && delay_is_broken_) {
      lost_.push_back(line.key);
      builder_.line(line.place, Verdict::kRefused, "not a time span");
    } else if (setting && (line.key == "Persistent" || line.key == "RandomizedDelaySec" ||
                           line.key == "FixedRandomDelay" || line.key == "Unit")) {
      builder_.line(line.place, Verdict::kApplied, "part of the job");
    } else {
      report_common_line(line, builder_, lost_);
    }
  }

  void read_calendar(const UnitLine& line) {
    ImportedJob job = service_.job;
    Findings findings;
    if (const Status status = set_calendar(line.value, job, findings); !status) {
      findings.refuse(to_string(status.error()));
    }
    finish(line, std::move(job), findings);
  }

  Status set_calendar(std::string_view value, ImportedJob& job, Findings& findings) const {
    BELFRY_TRY(spec, parse_calendar(value));
    if (spec.epoch) {
      job.schedule_type = "ONCE";
      job.run_at = format_instant(from_unix_seconds(*spec.epoch));
      return {};
    }
    BELFRY_TRY(expression, cron_from(spec));
    job.cron_expression = expression;
    Findings unused;
    job.timezone = spec.timezone;
    if (job.timezone.empty()) {
      job.timezone = builder_.host_zone(zone_matters(expression) ? findings : unused);
    }
    if (!builder_.changes_clocks(job.timezone)) return {};
    if (is_rhythm(expression)) {
      findings.change(
          "when clocks go back systemd leaves out the second pass of the hour; ticks fall in both");
    } else {
      job.dst_gap = "SKIP";
    }
    return {};
  }

  void read_interval(const UnitLine& line) {
    ImportedJob job = service_.job;
    Findings findings;
    const auto span = parse_time_span(line.value);
    if (!span) {
      findings.refuse(to_string(span.error()));
    } else if (!*span || **span < std::chrono::seconds(1)) {
      findings.refuse("an interval is at least a second");
    } else {
      job.schedule_type = "EVERY";
      job.every = format_duration(std::chrono::floor<std::chrono::seconds>(**span));
      findings.change(line.key == "OnUnitActiveSec"
                          ? "counted from the last start on the host; the interval has a fixed "
                            "rhythm here, and goes on whether a host is up or not"
                          : "counted from the end of the last run; the interval is counted from "
                            "start to start here, and a tick is skipped while a run goes on");
    }
    finish(line, std::move(job), findings);
  }

  void read_once_after_start(const UnitLine& line) {
    if (repeats_) {
      builder_.line(line.place, Verdict::kChanged,
                    "the first start after boot is not special: the interval's rhythm is fixed");
    } else {
      builder_.line(line.place, Verdict::kRefused,
                    "runs when a host or a unit starts, and jobs here belong to no host");
    }
  }

  void finish(const UnitLine& line, ImportedJob job, Findings findings) {
    if (timer_.stem().ends_with('@')) {
      findings.refuse("a template has no schedule of its own: import an instance of it, " +
                      in_backticks(timer_.stem() + "NAME.timer"));
    }
    if (in_force_.size() > 1) {
      findings.change("each schedule of the timer is a job of its own: their runs may overlap");
    }
    findings.add(service_.findings);
    builder_.job(line.place, std::move(job), std::move(findings), slug(timer_.stem()));
  }

  const Unit& timer_;
  ServicePart service_;
  ReportBuilder& builder_;
  std::set<const UnitLine*> in_force_;
  std::vector<std::string> lost_;
  bool repeats_ = false;
  bool delay_is_broken_ = false;
};

// The unit a file belongs to: `backup.timer` for `/etc/systemd/system/backup.timer.d/x.conf`.
std::string unit_name_of(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  const std::string_view base = slash == std::string_view::npos ? file : file.substr(slash + 1);
  if (!base.ends_with(".conf") || slash == std::string_view::npos) return std::string(base);
  const std::string_view folder = file.substr(0, slash);
  const std::size_t before = folder.rfind('/');
  const std::string_view name =
      before == std::string_view::npos ? folder : folder.substr(before + 1);
  return std::string(name.ends_with(".d") ? name.substr(0, name.size() - 2) : base);
}

class SystemdImport {
 public:
  explicit SystemdImport(ReportBuilder& builder) : builder_(builder) {}

  void read(std::span<const SourceFile> files) {
    // Drop-ins come after the unit itself, in the order of their names.
    for (const bool drop_ins : {false, true}) {
      for (const SourceFile& file : files) {
        if (file.name.ends_with(".conf") != drop_ins) continue;
        const std::string name = unit_name_of(file.name);
        units_.try_emplace(name, name).first->second.append(file);
      }
    }
    for (const auto& [name, unit] : units_) {
      if (name.ends_with(".timer")) read_timer(unit);
    }
    for (const auto& [name, unit] : units_) {
      if (!name.ends_with(".timer") && !services_.contains(name)) report_unused(unit);
    }
  }

 private:
  void read_timer(const Unit& timer) {
    std::string service(timer.value("Timer", "Unit"));
    if (service.empty()) service = timer.stem() + ".service";
    TimerReader(timer, service_part(service), builder_).read();
  }

  // The service by its name, or by the template it is an instance of; read and reported once.
  ServicePart service_part(const std::string& name) {
    std::string file = name;
    if (const std::size_t at = name.find('@'); !units_.contains(file) && at != std::string::npos) {
      file = name.substr(0, at + 1) + ".service";
    }
    const auto unit = units_.find(file);
    ServicePart part;
    if (unit == units_.end() || !name.ends_with(".service")) {
      part.findings.refuse(in_backticks(name) +
                           ", which the timer starts, is not a service among the files; add it");
      return part;
    }
    if (!services_.insert(file).second) {
      ReportBuilder reported_before = builder_.fresh();
      return read_service(unit->second, name, reported_before);
    }
    return read_service(unit->second, name, builder_);
  }

  void report_unused(const Unit& unit) {
    const bool service = unit.name().ends_with(".service");
    for (const UnitLine& line : unit.lines()) {
      builder_.line(line.place, service ? Verdict::kIgnored : Verdict::kRefused,
                    service ? "no timer among the files starts this service"
                            : "neither a timer nor a service");
    }
  }

  ReportBuilder& builder_;
  std::map<std::string, Unit> units_;
  std::set<std::string> services_;
};

}  // namespace

ImportReport import_systemd(std::span<const SourceFile> files, const ImportOptions& options,
                            core::ZoneCatalog& zones) {
  ReportBuilder builder(options, zones);
  SystemdImport(builder).read(files);
  builder.note(
      "commands run as the user, in the folder and with the environment of their exec "
      "worker; systemd starts them as root in `/` unless the unit says otherwise");
  builder.note("a service without a limit of its own gets `timeout` one day");
  return builder.take();
}

}  // namespace belfry::importer
