#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "store/author.h"

#include <cstddef>
#include <string>
#include <vector>

// Check-ins: by which token the work of a job that is done elsewhere reports, and what it reported
// before its tick was decided.
namespace belfry::store {

struct CheckInRow {
  JobId job;
  TenantId tenant;
  Instant created_at;
  std::string created_by;
};

// A report that waits for its tick; one for each job.
struct EarlyReport {
  JobId job;
  Instant at;  // when the first word of it came
  std::string report;
};

class CheckInStore {
 public:
  virtual ~CheckInStore() = default;

  // Gives the job a token, in place of the one it may have. Only its digest is kept: nobody is
  // shown it again. kNotFound when there is no such job; kConflict when another job has this token.
  // Repeating is harmless.
  virtual Result<CheckInRow> put_checkin(JobId job, const std::string& token,
                                         const Author& author) = 0;
  // kNotFound when the job has none, no job has this one, or the job is deleted.
  virtual Result<CheckInRow> find_checkin(JobId job) = 0;
  virtual Result<CheckInRow> find_checkin(const std::string& token) = 0;
  // The token is nobody's from now on. kNotFound when the job has none.
  virtual Status delete_checkin(JobId job, const Author& author) = 0;

  // Puts digests in the place of tokens that nodes of an earlier version kept in the clear, up to
  // `most`. On PostgreSQL only if the leader, who asks, has run for a day: until then there may be
  // such nodes, who know no digests and would take a token for nobody's. Returns how many.
  virtual Result<std::size_t> digest_tokens(const Incarnation& leader, std::size_t most) = 0;

  // Keeps a report until its tick is decided; a later one replaces it, but not its instant.
  virtual Status keep_early(JobId job, const std::string& report) = 0;
  // The oldest first.
  virtual Result<std::vector<EarlyReport>> early_reports(std::size_t limit) = 0;
  virtual Status drop_early(JobId job) = 0;
};

}  // namespace belfry::store
