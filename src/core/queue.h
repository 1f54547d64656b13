#pragma once

#include "core/job.h"

#include <cstdint>
#include <string>
#include <string_view>

// Where the runs of a job wait until somebody claims them.
//
// Runs for workers wait in the queue named by their job type. What a node delivers itself, or an
// exec worker runs, must not be handed to a worker that happens to know the type, so it waits
// elsewhere: in a queue whose name has a blank, which no job type has.
namespace belfry::core {

enum class TargetKind : std::uint8_t { kWorker, kHttp, kTopic, kExec, kCheckIn };

// The kind of a target as the store keeps it; one that cannot be read counts as kWorker.
TargetKind kind_of_target(std::string_view target);

// All webhooks wait together; their courier decides which of them may go now.
std::string http_queue();
// One queue for each broker: one that is down holds back nobody else's messages.
std::string topic_queue(std::string_view broker);
// One queue for each job type: its commands run wherever an exec worker subscribes to it.
std::string exec_queue(std::string_view job_type);
// Nobody claims from it: runs whose work is done elsewhere wait there until it reports.
std::string checkin_queue();

// What a queue's name says: whose runs wait there. `name` is the job type or the broker.
struct QueueName {
  TargetKind kind{};
  std::string name;
};
QueueName read_queue(std::string_view queue);

std::string queue_of(const JobDefinition& job);

// Like queue_of, but empty for the usual case, the job type itself.
std::string queue_beside_type(const JobDefinition& job);

}  // namespace belfry::core
