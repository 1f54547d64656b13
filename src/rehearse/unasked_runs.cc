#include "rehearse/unasked_runs.h"

namespace belfry::rehearse {
namespace {

tl::unexpected<Error> unasked() {
  return fail(Errc::kInternal, "a rehearsal has no such call");
}

}  // namespace

Result<std::vector<core::LiveRun>> UnaskedRuns::find_waiting(const store::Elsewhere&) {
  return unasked();
}

Result<std::vector<std::optional<core::AttemptOutcome>>> UnaskedRuns::outcomes_of(
    std::span<const store::RunGrant>) {
  return unasked();
}

Status UnaskedRuns::note_late(std::span<const store::LateReport>) {
  return unasked();
}

Status UnaskedRuns::return_runs(std::span<const store::RunGrant>, Duration) {
  return unasked();
}

Result<store::RunRow> UnaskedRuns::trigger(const Trigger&) {
  return unasked();
}

Result<std::vector<store::BackfillFate>> UnaskedRuns::backfill(const Backfill&) {
  return unasked();
}

Result<store::RunRow> UnaskedRuns::retry_run(const Retry&) {
  return unasked();
}

Result<bool> UnaskedRuns::unstick_run(const core::RunRef&, const std::string&,
                                      const store::Author&) {
  return unasked();
}

Result<bool> UnaskedRuns::cancel_run(const core::RunRef&, const store::Author&) {
  return unasked();
}

}  // namespace belfry::rehearse
