#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What an import says about a foreign schedule: one entry for every line that is not blank, with
// what became of it and why. Nothing is dropped without a word.
namespace belfry::importer {

enum class Verdict : std::uint8_t {
  kImported,  // a job that means what it meant
  kChanged,   // imported, but means something else now: the reasons say what
  kRefused,   // was not imported: the reasons say why, and what to do
  kApplied,   // not a job, but part of one: a variable, an option
  kIgnored,   // says nothing about a job: a comment, a heading, a separator
};

// "imported", "changed", ...
std::string_view name_of(Verdict verdict);

// A job in the words of the REST contract; an empty text or nullopt leaves a field at its default.
struct ImportedJob {
  std::string job_name;
  std::string schedule_type = "CRON";
  std::string cron_expression;
  std::string timezone;
  std::string dst_gap;
  std::string dst_overlap;
  std::string every;
  std::string run_at;
  std::string jitter;
  std::vector<std::string> command;  // of an EXEC target
  std::optional<int> max_attempts;
  std::string retry_base;
  std::string retry_cap;
  std::string timeout;
  std::string concurrency_policy;
  std::string misfire_policy;
  std::string misfire_grace;
  std::map<std::string, std::string> labels;
  std::string description;
};

struct ImportEntry {
  std::string file;
  std::size_t first_line = 0;  // counted from 1
  std::size_t last_line = 0;
  Verdict verdict = Verdict::kIgnored;
  std::vector<std::string> reasons;
  std::optional<ImportedJob> job;  // on the line that makes a job, if it was not refused
};

struct ImportReport {
  std::vector<ImportEntry> entries;  // by file, then by line
  std::vector<std::string> notes;    // what holds for every job of this source
};

// A file as it was read; the name is what the report calls it.
struct SourceFile {
  std::string name;
  std::string text;
};

// What the caller knows and the files do not say.
struct ImportOptions {
  std::string timezone;     // of the host the files come from; empty: not known, UTC is assumed
  std::string host;         // becomes the label `host`
  std::string worker_user;  // the user the exec worker runs as; empty: not known
  Instant from;             // a schedule without a tick after this is refused
};

}  // namespace belfry::importer
