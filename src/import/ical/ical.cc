#include "import/ical/ical.h"

#include "base/text/instant_text.h"
#include "core/schedule/civil.h"
#include "import/ical/ical_lines.h"
#include "import/ical/ical_rule.h"
#include "import/ical/ical_zones.h"
#include "import/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace belfry::importer {
namespace {

using core::kSecondsPerDay;

constexpr std::size_t kMostInstances = 5'000;  // of one file: as many as a calendar has rules

constexpr std::int64_t kLongest = 366 * kSecondsPerDay;

// A time of an event: a date, a wall clock's time (in a zone, or in that of the job), or UTC.
struct Moment {
  std::int64_t civil = 0;
  bool has_time = false;
  const core::Zone* zone = nullptr;

  // Unix seconds; of a date or a time without a zone, civil seconds.
  std::int64_t order() const { return zone ? unix_of(*zone, civil) : civil; }
  friend bool operator==(const Moment& a, const Moment& b) {
    return a.has_time == b.has_time && a.order() == b.order();
  }
};

struct Parsed {
  const IcalComponent* part = nullptr;
  Moment start;
  std::int64_t length = 0;         // civil seconds
  std::optional<Moment> replaces;  // its RECURRENCE-ID
};

tl::unexpected<Error> refuse(std::string message) {
  return fail(Error{.code = Errc::kInvalid, .message = std::move(message)});
}

// `P1DT2H` or `PT90M` in seconds.
std::optional<std::int64_t> span_of(std::string_view text) {
  if (!text.starts_with('P')) return std::nullopt;
  std::int64_t seconds = 0;
  std::int64_t number = 0;
  for (const char c : text.substr(1)) {
    if (c >= '0' && c <= '9') {
      number = std::min<std::int64_t>(number * 10 + (c - '0'), 100'000'000);
      continue;
    }
    const std::string_view units = "WDHMS";
    constexpr std::int64_t kSeconds[] = {604'800, 86'400, 3'600, 60, 1};
    const std::size_t unit = units.find(c);
    if (c == 'T') continue;
    if (unit == std::string_view::npos) return std::nullopt;
    seconds += number * kSeconds[unit];
    number = 0;
  }
  return seconds;
}

// Reads one file's events; see import_ical.
class Reader {
 public:
  Reader(const IcalComponent& calendar, const IcalOptions& options, core::ZoneCatalog& zones)
      : calendar_(calendar),
        options_(options),
        zones_(calendar, zones),
        utc_(zones.find("UTC").value_or(nullptr)) {}

  IcalReport read() {
    report_.name = calendar_.text("X-WR-CALNAME");
    for (const IcalComponent& part : calendar_.parts) {
      if (part.name == "VEVENT") note_replacement(part);
    }
    for (const IcalComponent& part : calendar_.parts) {
      if (part.name == "VEVENT") add(part);
    }
    report_.rules.assign(rules_.begin(), rules_.end());
    return std::move(report_);
  }

 private:
  Result<Moment> moment(const IcalProperty& property, std::string_view text) {
    const auto time = parse_ical_time(text);
    if (!time)
      return refuse(property.name + " `" + std::string(text.substr(0, 40)) +
                    "` is not a date or time");
    Moment moment{.civil = time->civil, .has_time = time->has_time};
    if (time->is_utc) moment.zone = utc_;
    const auto id = property.params.find("TZID");
    if (id == property.params.end() || time->is_utc || !time->has_time) return moment;
    moment.zone = zones_.find(id->second);
    if (moment.zone == nullptr) {
      return refuse("the file does not define the zone `" + id->second + "`");
    }
    return moment;
  }

  Result<Parsed> parse(const IcalComponent& part) {
    Parsed event{.part = &part};
    const IcalProperty* start = part.find("DTSTART");
    if (start == nullptr) return refuse("it has no DTSTART");
    BELFRY_TRY(begin, moment(*start, start->value));
    event.start = begin;
    event.length = begin.has_time ? 0 : kSecondsPerDay;
    if (const IcalProperty* end = part.find("DTEND")) {
      BELFRY_TRY(until, moment(*end, end->value));
      if (until.has_time != begin.has_time) return refuse("one end is a date, the other a time");
      // By the wall clock of its start, so that it ends at the same time on every day.
      const std::int64_t civil = begin.zone && until.zone && begin.zone != until.zone
                                     ? until.order() + begin.zone->offset_at(until.order())
                                     : until.civil;
      event.length = civil - begin.civil;
    } else if (const IcalProperty* span = part.find("DURATION")) {
      const auto seconds = span_of(span->value);
      if (!seconds) return refuse("its DURATION cannot be read");
      event.length = *seconds;
    }
    if (event.length <= 0) return refuse("it takes no time");
    if (event.length > kLongest) return refuse("it takes more than a year");
    if (!begin.has_time && event.length % kSecondsPerDay != 0) {
      return refuse("it is of whole days and does not end with one");
    }
    if (const IcalProperty* replaced = part.find("RECURRENCE-ID")) {
      BELFRY_TRY(id, moment(*replaced, replaced->value));
      event.replaces = id;
    }
    return event;
  }

  // An instance that another event stands for is none of the rule, whatever becomes of that event.
  void note_replacement(const IcalComponent& part) {
    const IcalProperty* replaced = part.find("RECURRENCE-ID");
    if (replaced == nullptr) return;
    if (const auto id = moment(*replaced, replaced->value)) {
      replaced_[part.text("UID")].push_back(*id);
    }
  }

  std::optional<std::string> left_out(const IcalComponent& part) const {
    if (part.text("STATUS") == "CANCELLED") return "it is cancelled";
    const bool free =
        part.text("TRANSP") == "TRANSPARENT" || part.text("X-MICROSOFT-CDO-BUSYSTATUS") == "FREE";
    if (free && !options_.include_free) return "it is shown as free; --free takes these, too";
    return std::nullopt;
  }

  void add(const IcalComponent& part) {
    IcalEvent entry{.first_line = part.first_line, .last_line = part.last_line};
    entry.summary = part.text("SUMMARY");
    if (const auto reason = left_out(part)) {
      entry.reasons.push_back(*reason);
    } else if (const auto parsed = parse(part); !parsed) {
      entry.reasons.push_back(parsed.error().message);
    } else if (const Status taken = take(*parsed, entry); !taken) {
      entry.verdict = Verdict::kRefused;
      entry.reasons = {taken.error().message};
    }
    report_.events.push_back(std::move(entry));
  }

  // The times that a property lists: `EXDATE` or `RDATE`, each possibly several times.
  Result<std::vector<Moment>> listed(const IcalComponent& part, std::string_view name) {
    std::vector<Moment> moments;
    for (const IcalProperty& property : part.properties) {
      if (property.name != name) continue;
      for (const std::string_view text : parts_of(property.value, ',')) {
        BELFRY_TRY(one, moment(property, text.substr(0, text.find('/'))));
        moments.push_back(one);
      }
    }
    return moments;
  }

  bool is_excluded(const std::vector<Moment>& excluded, const Moment& at) const {
    return std::any_of(excluded.begin(), excluded.end(), [&](const Moment& one) {
      // Some exclude a timed event by its date.
      const bool by_date = !one.has_time && at.has_time;
      return by_date ? core::floor_days(at.civil) == core::floor_days(one.civil) : one == at;
    });
  }

  Status take(const Parsed& event, IcalEvent& entry) {
    BELFRY_TRY(excluded, listed(*event.part, "EXDATE"));
    BELFRY_TRY(more, listed(*event.part, "RDATE"));
    if (!event.replaces) {
      const auto& replaced = replaced_[event.part->text("UID")];
      excluded.insert(excluded.end(), replaced.begin(), replaced.end());
    }
    bool cut = false;
    bool over = false;
    std::optional<Moment> last;
    const auto visit = [&](const Moment& at) {
      if (is_excluded(excluded, at)) return true;
      if (at.order() > floor_unix_seconds(options_.through)) return false;
      if (at.order() + event.length < floor_unix_seconds(options_.from) - kSecondsPerDay) {
        over = true;
        return true;
      }
      cut = rules_.size() >= kMostInstances;
      if (cut) return false;
      const auto rule = rule_of(at, event.length);
      if (!rule) return true;
      rules_.insert(*rule);
      ++entry.instances;
      if (!last || at.order() > last->order()) last = at;
      return true;
    };
    bool endless = false;
    if (const IcalProperty* text = event.part->find("RRULE"); text && !event.replaces) {
      BELFRY_TRY(rule, IcalRule::parse(text->value));
      endless = expand(event, rule, visit);
    } else {
      visit(event.start);
    }
    for (const Moment& at : more) visit(at);
    return tell({cut, over, endless}, last, entry);
  }

  struct Told {
    bool cut;
    bool over;
    bool endless;
  };
  Status tell(const Told& told, const std::optional<Moment>& last, IcalEvent& entry) const {
    if (told.cut) {
      entry.verdict = Verdict::kChanged;
      entry.reasons.push_back("a calendar has up to " + std::to_string(kMostInstances) +
                              " rules: the rest of its instances did not fit");
    }
    if (!last && !told.cut) {
      return refuse(told.over ? "it is over" : "no instance of it lies in the time that is taken");
    }
    if (!told.cut) entry.verdict = told.endless ? Verdict::kChanged : Verdict::kImported;
    if (last) {
      const std::string day = date_text(core::floor_days(last->civil));
      entry.reasons.push_back(std::to_string(entry.instances) +
                              (entry.instances == 1 ? " instance, on " : " instances up to ") +
                              day);
    }
    if (told.endless) entry.reasons.push_back("goes on after that: import it again by then");
    return {};
  }

  // True when the rule goes on after what is taken.
  template <typename Visit>
  bool expand(const Parsed& event, const IcalRule& rule, const Visit& visit) {
    const std::int64_t horizon = floor_unix_seconds(options_.through) + 2 * kSecondsPerDay;
    bool endless = !rule.has_end();
    rule.visit(event.start.civil, horizon, [&](std::int64_t civil) {
      Moment at = event.start;
      at.civil = civil;
      if (const auto& until = rule.until()) {
        const bool by_instant = until->is_utc && at.zone != nullptr;
        const std::int64_t limit =
            until->has_time ? until->civil : until->civil + kSecondsPerDay - 1;
        if ((by_instant ? at.order() : civil) > limit) return false;
      }
      if (at.order() > floor_unix_seconds(options_.through)) endless = true;
      return visit(at);
    });
    return endless;
  }

  static std::string date_text(std::int64_t day) {
    return format_instant(from_unix_seconds(day * kSecondsPerDay)).substr(0, 10);
  }
  // None for one that the clocks jump over.
  static std::optional<std::string> rule_of(const Moment& at, std::int64_t length) {
    if (!at.has_time) {
      const std::int64_t first = core::floor_days(at.civil);
      const std::int64_t last = first + length / kSecondsPerDay - 1;
      return last == first ? date_text(first) : date_text(first) + ".." + date_text(last);
    }
    const auto unix_at = [&](std::int64_t civil) {
      return at.zone ? unix_of(*at.zone, civil) : civil;
    };
    if (unix_at(at.civil + length) <= unix_at(at.civil)) return std::nullopt;
    const auto text = [&](std::int64_t civil) {
      const std::int64_t second = unix_at(civil);
      std::string instant = format_instant(from_unix_seconds(second));
      if (at.zone == nullptr) instant.pop_back();
      return instant;
    };
    return text(at.civil) + ".." + text(at.civil + length);
  }

  const IcalComponent& calendar_;
  const IcalOptions& options_;
  IcalZones zones_;
  const core::Zone* utc_;
  std::map<std::string, std::vector<Moment>> replaced_;  // by UID
  std::set<std::string> rules_;
  IcalReport report_;
};

}  // namespace

Result<IcalReport> import_ical(const SourceFile& file, const IcalOptions& options,
                               core::ZoneCatalog& zones) {
  const std::vector<IcalComponent> components = parse_ical(file.text);
  const auto calendar = std::find_if(components.begin(), components.end(),
                                     [](const auto& one) { return one.name == "VCALENDAR"; });
  if (calendar == components.end()) return refuse("there is no VCALENDAR in it");
  return Reader(*calendar, options, zones).read();
}

}  // namespace belfry::importer
