#include "api/proof/flaw_codec.h"

#include "base/text/instant_text.h"
#include "core/id_text.h"

namespace belfry::api {

Json write_flaw(JobId job, const std::string& name, const core::LedgerFlaw& flaw) {
  return {{"kind", core::name_of(flaw.kind)},
          {"job_id", core::write_job_id(job)},
          {"job_name", name},
          {"tick", format_instant(flaw.first.instant())},
          {"last_tick", format_instant(flaw.last.instant())},
          {"ticks", flaw.count},
          {"revision", flaw.revision == 0 ? Json() : Json(flaw.revision)},
          {"evidence", flaw.evidence}};
}

}  // namespace belfry::api
