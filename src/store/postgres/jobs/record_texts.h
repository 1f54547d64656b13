#pragma once

#include "store/author.h"
#include "store/jobs.h"

#include <cstdint>
#include <string>
#include <string_view>

// What is written of jobs as JSON: made here, because the server takes several times as long.
namespace belfry::store::postgres {

// The schedule of a revision, with what it keeps beside.
std::string schedule_text(const core::JobDefinition& job);

// Where authors acted from; many jobs in a row have the same one.
class Origins {
 public:
  const std::string& of(const Author& author);

 private:
  const Author* author_ = nullptr;
  std::string text_;
};

// What the audit says of a job.
struct AuditDetail {
  const JobRow& job;
  std::string_view origin;            // an object
  std::uint32_t revision_before = 0;  // 0: the job is new
  std::string_view changed;           // an object, as differences() writes it
  std::string_view note;
};
std::string audit_text(const AuditDetail& detail);

}  // namespace belfry::store::postgres
