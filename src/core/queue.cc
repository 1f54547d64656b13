#include "core/queue.h"

#include "base/json.h"

namespace belfry::core {
namespace {

// The usual targets, told apart without parsing: a large registration has very many of them.
bool is_plain_worker(std::string_view target) {
  return target.empty() || target == R"({"kind":"WORKER"})" || target == "{}";
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json read_object(std::string_view target) {
  if (is_plain_worker(target)) return Json::object();
  auto read = parse_json(target);
  return read && read->is_object() ? *std::move(read) : Json::object();
}

TargetKind kind_in(const Json& target) {
  const std::string kind = text_in(target, "kind");
  if (kind == "HTTP") return TargetKind::kHttp;
  if (kind == "TOPIC") return TargetKind::kTopic;
  if (kind == "EXEC") return TargetKind::kExec;
  if (kind == "CHECKIN") return TargetKind::kCheckIn;
  return TargetKind::kWorker;
}

}  // namespace

TargetKind kind_of_target(std::string_view target) {
  return kind_in(read_object(target));
}

std::string http_queue() {
  return "HTTP *";
}

std::string topic_queue(std::string_view broker) {
  return "TOPIC " + std::string(broker);
}

std::string exec_queue(std::string_view job_type) {
  return "EXEC " + std::string(job_type);
}

std::string checkin_queue() {
  return "CHECKIN *";
}

QueueName read_queue(std::string_view queue) {
  const auto blank = queue.find(' ');
  if (blank == std::string_view::npos) return {TargetKind::kWorker, std::string(queue)};
  const std::string_view kind = queue.substr(0, blank);
  const std::string name(queue.substr(blank + 1));
  if (kind == "TOPIC") return {TargetKind::kTopic, name};
  if (kind == "EXEC") return {TargetKind::kExec, name};
  if (kind == "CHECKIN") return {TargetKind::kCheckIn, ""};
  return {TargetKind::kHttp, ""};
}

std::string queue_beside_type(const JobDefinition& job) {
  const Json target = read_object(job.target);
  switch (kind_in(target)) {
    case TargetKind::kHttp: return http_queue();
    case TargetKind::kTopic: return topic_queue(text_in(target, "broker"));
    case TargetKind::kExec: return exec_queue(job.job_type);
    case TargetKind::kCheckIn: return checkin_queue();
    case TargetKind::kWorker: break;
  }
  return "";
}

std::string queue_of(const JobDefinition& job) {
  std::string queue = queue_beside_type(job);
  return queue.empty() ? job.job_type : queue;
}

}  // namespace belfry::core
