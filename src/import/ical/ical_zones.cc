#include "import/ical/ical_zones.h"

#include "core/schedule/civil.h"
#include "import/ical/ical_rule.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace belfry::importer {
namespace {

// The names that Outlook writes, as CLDR maps them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 60> kWindowsNames{{
    {"AUS Central Standard Time", "Australia/Darwin"},
    {"AUS Eastern Standard Time", "Australia/Sydney"},
    {"Alaskan Standard Time", "America/Anchorage"},
    {"Arab Standard Time", "Asia/Riyadh"},
    {"Arabian Standard Time", "Asia/Dubai"},
    {"Argentina Standard Time", "America/Argentina/Buenos_Aires"},
    {"Atlantic Standard Time", "America/Halifax"},
    {"Bangladesh Standard Time", "Asia/Dhaka"},
    {"Canada Central Standard Time", "America/Regina"},
    {"Cen. Australia Standard Time", "Australia/Adelaide"},
    {"Central America Standard Time", "America/Guatemala"},
    {"Central Asia Standard Time", "Asia/Almaty"},
    {"Central Europe Standard Time", "Europe/Budapest"},
    {"Central European Standard Time", "Europe/Warsaw"},
    {"Central Standard Time", "America/Chicago"},
    {"Central Standard Time (Mexico)", "America/Mexico_City"},
    {"China Standard Time", "Asia/Shanghai"},
    {"E. Africa Standard Time", "Africa/Nairobi"},
    {"E. Australia Standard Time", "Australia/Brisbane"},
    {"E. Europe Standard Time", "Europe/Chisinau"},
    {"E. South America Standard Time", "America/Sao_Paulo"},
    {"Eastern Standard Time", "America/New_York"},
    {"Egypt Standard Time", "Africa/Cairo"},
    {"FLE Standard Time", "Europe/Kiev"},
    {"GMT Standard Time", "Europe/London"},
    {"GTB Standard Time", "Europe/Bucharest"},
    {"Greenwich Standard Time", "Atlantic/Reykjavik"},
    {"Hawaiian Standard Time", "Pacific/Honolulu"},
    {"India Standard Time", "Asia/Kolkata"},
    {"Iran Standard Time", "Asia/Tehran"},
    {"Israel Standard Time", "Asia/Jerusalem"},
    {"Jordan Standard Time", "Asia/Amman"},
    {"Korea Standard Time", "Asia/Seoul"},
    {"Middle East Standard Time", "Asia/Beirut"},
    {"Morocco Standard Time", "Africa/Casablanca"},
    {"Mountain Standard Time", "America/Denver"},
    {"Nepal Standard Time", "Asia/Kathmandu"},
    {"New Zealand Standard Time", "Pacific/Auckland"},
    {"Newfoundland Standard Time", "America/St_Johns"},
    {"Pacific SA Standard Time", "America/Santiago"},
    {"Pacific Standard Time", "America/Los_Angeles"},
    {"Pakistan Standard Time", "Asia/Karachi"},
    {"Romance Standard Time", "Europe/Paris"},
    {"Russian Standard Time", "Europe/Moscow"},
    {"SA Eastern Standard Time", "America/Cayenne"},
    {"SA Pacific Standard Time", "America/Bogota"},
    {"SA Western Standard Time", "America/La_Paz"},
    {"SE Asia Standard Time", "Asia/Bangkok"},
    {"Singapore Standard Time", "Asia/Singapore"},
    {"South Africa Standard Time", "Africa/Johannesburg"},
    {"Sri Lanka Standard Time", "Asia/Colombo"},
    {"Taipei Standard Time", "Asia/Taipei"},
    {"Tokyo Standard Time", "Asia/Tokyo"},
    {"Turkey Standard Time", "Europe/Istanbul"},
    {"US Eastern Standard Time", "America/Indianapolis"},
    {"US Mountain Standard Time", "America/Phoenix"},
    {"UTC", "UTC"},
    {"W. Australia Standard Time", "Australia/Perth"},
    {"W. Central Africa Standard Time", "Africa/Lagos"},
    {"W. Europe Standard Time", "Europe/Berlin"},
}};

constexpr std::size_t kMostChanges = 10'000;  // a zone changes twice a year

// `+0100` or `-003000` in seconds.
std::optional<std::int32_t> offset_of(std::string_view text) {
  if ((text.size() != 5 && text.size() != 7) || (text[0] != '+' && text[0] != '-')) return {};
  std::array<std::int32_t, 3> parts{};
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    parts[(i - 1) / 2] = parts[(i - 1) / 2] * 10 + (text[i] - '0');
  }
  const std::int32_t seconds = parts[0] * 3'600 + parts[1] * 60 + parts[2];
  if (seconds >= 86'400) return std::nullopt;
  return text[0] == '-' ? -seconds : seconds;
}

// The changes to STANDARD or DAYLIGHT time that one part of a VTIMEZONE names.
void add_changes(const IcalComponent& part, std::vector<core::OffsetChange>& changes,
                 core::OffsetChange& first) {
  const auto from = offset_of(part.text("TZOFFSETFROM"));
  const auto to = offset_of(part.text("TZOFFSETTO"));
  const auto start = parse_ical_time(part.text("DTSTART"));
  if (!from || !to || !start) return;
  const std::int64_t last = core::days_from_civil({core::kLastYear, 12, 31}) * 86'400;
  std::vector<std::int64_t> onsets{start->civil};
  if (const IcalProperty* text = part.find("RRULE")) {
    const auto rule = IcalRule::parse(text->value);
    if (rule) {
      const auto until = rule->until();
      const std::int64_t through = until ? std::min(last, until->civil + *from) : last;
      onsets.clear();
      rule->visit(start->civil, through, [&](std::int64_t at) {
        onsets.push_back(at);
        return true;
      });
    }
  }
  for (const IcalProperty& property : part.properties) {
    if (property.name != "RDATE") continue;
    if (const auto at = parse_ical_time(property.value)) onsets.push_back(at->civil);
  }
  for (const std::int64_t civil : onsets) {
    if (civil - *from < first.at) first = {civil - *from, *from};
    changes.push_back({civil - *from, *to});
  }
}

std::unique_ptr<const core::Zone> make_zone(const IcalComponent& defined) {
  std::vector<core::OffsetChange> changes;
  core::OffsetChange first{INT64_MAX, 0};  // what was before the first of them
  for (const IcalComponent& part : defined.parts) {
    if (part.name != "STANDARD" && part.name != "DAYLIGHT") continue;
    add_changes(part, changes, first);
  }
  if (changes.empty() || changes.size() > kMostChanges) return nullptr;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  // Of several changes at one instant the last one counts; one that changes nothing is none.
  std::vector<core::OffsetChange> kept;
  for (const core::OffsetChange& change : changes) {
    if (!kept.empty() && kept.back().at == change.at) kept.pop_back();
    const std::int32_t before = kept.empty() ? first.offset : kept.back().offset;
    if (before != change.offset) kept.push_back(change);
  }
  return std::make_unique<const core::Zone>(defined.text("TZID"), first.offset, kept);
}

}  // namespace

IcalZones::IcalZones(const IcalComponent& calendar, core::ZoneCatalog& catalog)
    : catalog_(catalog) {
  for (const IcalComponent& part : calendar.parts) {
    if (part.name == "VTIMEZONE") defined_[part.text("TZID")] = &part;
  }
}

const core::Zone* IcalZones::known(const std::string& name) {
  if (const auto zone = catalog_.find(name)) return *zone;
  for (const auto& [windows, iana] : kWindowsNames) {
    if (name != windows) continue;
    const auto zone = catalog_.find(iana);
    return zone ? *zone : nullptr;
  }
  // `/freeassociation.sourceforge.net/Europe/Berlin`: what stands behind a prefix.
  const std::size_t slash = name.starts_with('/') ? name.find('/', 1) : std::string::npos;
  if (slash == std::string::npos) return nullptr;
  const auto zone = catalog_.find(name.substr(slash + 1));
  return zone ? *zone : nullptr;
}

const core::Zone* IcalZones::find(const std::string& id) {
  const auto [entry, is_new] = found_.try_emplace(id, nullptr);
  if (!is_new) return entry->second;
  const auto defined = defined_.find(id);
  entry->second = known(id);
  if (entry->second == nullptr && defined != defined_.end()) {
    const std::string place = defined->second->text("X-LIC-LOCATION");
    if (!place.empty()) entry->second = known(place);
    if (entry->second == nullptr) {
      if (auto made = make_zone(*defined->second)) {
        made_.push_back(std::move(made));
        entry->second = made_.back().get();
      }
    }
  }
  return entry->second;
}

std::int64_t unix_of(const core::Zone& zone, std::int64_t civil) {
  std::size_t index = zone.span_index_at(std::max<std::int64_t>(civil - 2 * 86'400, 0));
  while (index + 1 < zone.span_count() && zone.span(index).civil_end() <= civil) ++index;
  const core::ZoneSpan& span = zone.span(index);
  const bool in_gap = index > 0 && civil < span.civil_begin();
  return civil - (in_gap ? zone.span(index - 1).offset : span.offset);
}

}  // namespace belfry::importer
