#pragma once

#include "base/json.h"
#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/session.h"

#include <cstdint>
#include <optional>
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
  std::string calendar_policy;
  std::string dst_gap;
  std::string dst_overlap;
  std::string description;
  std::string secret;  // the name of one that is kept
  std::vector<std::string> headers;
  std::string method;
  std::string start_at;
  std::string end_at;
  std::optional<std::int64_t> max_concurrent;
  std::optional<std::int64_t> priority;
  std::string retry;  // BASE or BASE..CAP
  std::string region;
  std::string run_in;
  std::vector<std::string> env;
  std::string cwd;
};

void add_job_flags(Command& command, JobFlags& flags);

// The given fields, in the words of the API. Times without a zone are read on the wall clock of
// --tz, or else of `timezone`, or else of this machine.
Answer<Json> to_fields(const JobFlags& flags, const Session& session,
                       const std::string& timezone = {});

// A problem with these fields, told in the flags that gave them.
Problem with_flags(Problem problem);

// JSON, or the JSON in a file: `@payload.json`; `-` is stdin.
Answer<Json> read_payload(const std::string& text, const Session& session);

// An instant as a person types it (time_argument.h), in RFC 3339; `flag` names it in errors.
Answer<std::string> to_instant(const std::string& text, const std::string& flag,
                               const std::string& timezone, const Session& session);

}  // namespace belfry::cli
