#pragma once

#include "base/json.h"
#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/session.h"

#include <string>
#include <vector>

namespace belfry::cli {

// A job as flags: what `add` creates, and what `jobs edit` changes.
struct JobFlags {
  std::string cron;
  std::string every;
  std::string at;
  std::string in;
  std::string timezone;
  std::string exec;
  std::string url;
  std::string topic;  // BROKER/TOPIC
  bool checkin = false;
  std::string type;
  std::string payload;  // JSON, or @FILE
  std::vector<std::string> labels;
  std::string timeout;
  int retries = -1;
  std::string overlap;
  std::string misfire;
  std::string grace;
  std::string start_within;
  std::string stop_within;
  std::string jitter;
  std::string calendar;
  std::string dst_gap;
  std::string dst_overlap;
  std::string description;
};

void add_job_flags(Command& command, JobFlags& flags);

// The given fields, in the words of the API; `--at` is read on the wall clock of --tz or of
// this machine.
Answer<Json> to_fields(const JobFlags& flags, const Session& session);

// JSON, or the JSON in a file: `@payload.json`; `-` is stdin.
Answer<Json> read_payload(const std::string& text, const Session& session);

// An instant as a person types it (time_argument.h), in RFC 3339; `flag` names it in errors.
Answer<std::string> to_instant(const std::string& text, const std::string& flag,
                               const std::string& timezone, const Session& session);

}  // namespace belfry::cli
