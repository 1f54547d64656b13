// Everything the other files do, done right: it shows that they fail for the stated reason.
#include "base/ids.h"
#include "base/log/log_field.h"
#include "base/result.h"
#include "base/time.h"

#include <initializer_list>

namespace belfry {

void take_job(JobId);
void take_tick(Tick);
void take_boot(BootInstant);
void take_fields(std::initializer_list<Field>);
Result<int> count_jobs();
Status save_jobs();

bool use(JobId job, TenantId tenant, Instant now, BootInstant boot, Tick tick, const char* input) {
  take_job(job);
  take_job(JobId(7));
  take_tick(Tick(now));
  take_boot(boot);
  take_fields({{"input", input}});
  const Result<int> count = count_jobs();
  const Status saved = save_jobs();
  const Duration age = boot - BootInstant();
  return job == JobId(1) && tenant == TenantId(1) && now < tick.instant() &&
         age > Duration::zero() && count && saved;
}

}  // namespace belfry
