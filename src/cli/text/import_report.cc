#include "cli/text/import_report.h"

#include "cli/text/text.h"
#include "import/job_json.h"

#include <array>
#include <ostream>

namespace belfry::cli {
namespace {

using importer::ImportEntry;
using importer::Verdict;

Paint paint_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kImported: return Paint::kGood;
    case Verdict::kChanged: return Paint::kWarn;
    case Verdict::kRefused: return Paint::kBad;
    case Verdict::kApplied:
    case Verdict::kIgnored: break;
  }
  return Paint::kDim;
}

std::string place_of(const ImportEntry& entry) {
  return entry.file + ":" + std::to_string(entry.first_line);
}

bool is_worth_a_line(const ImportEntry& entry, const Session& session) {
  if (session.globals().verbose || entry.job) return true;
  return entry.verdict == Verdict::kRefused || entry.verdict == Verdict::kChanged;
}

void print_entry(const ImportEntry& entry, const Session& session) {
  const Look look = session.look();
  session.out() << painted(importer::name_of(entry.verdict), paint_of(entry.verdict), look) << "  "
                << painted(place_of(entry), Paint::kDim, look);
  if (entry.job) {
    const auto& job = *entry.job;
    session.out() << "  " << clean(job.job_name) << "  "
                  << clean(!job.cron_expression.empty() ? job.cron_expression
                           : !job.every.empty()         ? "every " + job.every
                                                        : job.run_at);
    if (!job.timezone.empty()) session.out() << "  " << clean(job.timezone);
  }
  session.out() << '\n';
  for (const std::string& reason : entry.reasons) session.out() << "    " << clean(reason) << '\n';
}

std::string line_of(const std::string& text, std::size_t number) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < number && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

void print_report(const importer::ImportReport& report, const Session& session) {
  std::array<std::size_t, 5> counts{};
  std::size_t jobs = 0;
  for (const ImportEntry& entry : report.entries) {
    ++counts.at(static_cast<std::size_t>(entry.verdict));
    jobs += entry.job ? 1U : 0U;
    if (is_worth_a_line(entry, session)) print_entry(entry, session);
  }
  for (const std::string& note : report.notes) session.out() << "note  " << clean(note) << '\n';
  std::string line = counted(jobs, "job") + ":";
  for (const Verdict verdict : {Verdict::kImported, Verdict::kChanged, Verdict::kRefused,
                                Verdict::kApplied, Verdict::kIgnored}) {
    line += " " + grouped(counts.at(static_cast<std::size_t>(verdict))) + " " +
            std::string(importer::name_of(verdict)) +
            (verdict == Verdict::kIgnored ? " lines" : ",");
  }
  session.out() << line << '\n';
}

Json to_json(const importer::ImportReport& report) {
  Json entries = Json::array();
  for (const ImportEntry& entry : report.entries) {
    Json item{{"file", entry.file},
              {"first_line", entry.first_line},
              {"last_line", entry.last_line},
              {"verdict", importer::name_of(entry.verdict)},
              {"reasons", entry.reasons}};
    if (entry.job) {
      auto job = parse_json(importer::to_json(*entry.job));
      if (job) item["job"] = *std::move(job);
    }
    entries.push_back(std::move(item));
  }
  return {{"entries", std::move(entries)}, {"notes", report.notes}};
}

void print_lines_to_remove(const importer::ImportReport& report, const std::vector<TextFile>& files,
                           const Session& session) {
  bool first = true;
  for (const ImportEntry& entry : report.entries) {
    if (!entry.job) continue;
    if (first) session.say("once they run here, remove from the crontab:");
    first = false;
    for (const TextFile& file : files) {
      if (file.name != entry.file) continue;
      session.say("  " + place_of(entry) + "  " + clean(line_of(file.text, entry.first_line)));
    }
  }
}

}  // namespace belfry::cli
