#pragma once

#include "service/health/health_facts.h"
#include "store/jobs.h"

#include <optional>
#include <string>

// What would keep the runs of a job from being taken, told when somebody makes it. Nothing of this
// is refused: a worker may start tomorrow, and a broker be configured.
namespace belfry::service {

// As the API writes it, beside the warnings of a schedule.
struct TargetWarning {
  std::string code;  // no_worker, unknown_broker, unknown_host
  std::string message;
};

// Whether somebody has lately asked this node for such runs, or holds some. Pure.
std::optional<TargetWarning> warn_of_queue(const store::JobRow& job, const HealthFacts& facts);

// Of a webhook's URL that cannot be called, in the words of whoever tried.
TargetWarning warn_of_host(const Error& error);

}  // namespace belfry::service
