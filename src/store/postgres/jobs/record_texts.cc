#include "store/postgres/jobs/record_texts.h"

#include "base/text/instant_text.h"
#include "base/text/json_text.h"
#include "store/common/audit_chain.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <optional>

namespace belfry::store::postgres {
namespace {

std::string instant_or_null(std::optional<Instant> instant) {
  return instant ? '"' + format_instant(*instant) + '"' : "null";
}

// The members of an object, to be followed by others.
void add_members(std::string& text, std::string_view object) {
  object.remove_prefix(1);
  object.remove_suffix(1);
  if (!object.empty()) text.append(object).append(1, ',');
}

}  // namespace

std::string schedule_text(const core::JobDefinition& job) {
  const core::ScheduleSpec& schedule = job.schedule;
  return fmt::format(
      FMT_COMPILE(R"({{"type":{},"cron_expression":{},"dialect":{},"timezone":{},"dst_gap":{},)"
                  R"("dst_overlap":{},"every_micros":{},"run_at":{},"start_at":{},"end_at":{},)"
                  R"("jitter_micros":{},"calendar":{},"calendar_policy":{},"labels":{},)"
                  R"("description":{}}})"),
      static_cast<int>(schedule.type), json_text(schedule.cron_expression),
      static_cast<int>(schedule.dialect), json_text(schedule.timezone),
      static_cast<int>(schedule.dst_gap), static_cast<int>(schedule.dst_overlap),
      schedule.every.count(), instant_or_null(schedule.run_at), instant_or_null(schedule.start_at),
      instant_or_null(schedule.end_at), schedule.jitter.count(), json_text(schedule.calendar_name),
      static_cast<int>(schedule.calendar_policy), job.labels, json_text(job.description));
}

const std::string& Origins::of(const Author& author) {
  if (author_ != &author) text_ = origin_of(author);
  author_ = &author;
  return text_;
}

std::string audit_text(const AuditDetail& detail) {
  std::string text = "{";
  add_members(text, detail.origin);
  add_members(text, detail.changed);
  return text + fmt::format(FMT_COMPILE(R"("job_name":{},"revision_before":{},"revision_after":{},)"
                                        R"("note":{}}})"),
                            json_text(detail.job.definition.name), detail.revision_before,
                            detail.job.revision, json_text(detail.note));
}

}  // namespace belfry::store::postgres
