#include "worker/exec_handler.h"

#include "worker/command.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

namespace belfry::worker {
namespace {

constexpr int kDataError = 65;
constexpr int kConfigError = 78;

std::vector<std::string> environment_of(const ExecOptions& options, const Task& task) {
  std::vector<std::string> environment = options.environment;
  std::erase_if(environment, [](const std::string& text) {
    return text.starts_with("BELFRY_") || text.starts_with("TRACEPARENT=");
  });
  const auto add = [&](const char* name, const std::string& value) {
    environment.push_back(std::string("BELFRY_") + name + "=" + value);
  };
  add("RUN_ID", task.run_id);
  add("JOB_ID", task.job_id);
  add("JOB_NAME", task.job_name);
  add("JOB_TYPE", task.job_type);
  add("TENANT", task.tenant);
  add("ATTEMPT", std::to_string(task.attempt));
  add("FENCE", std::to_string(task.fence));
  add("SCHEDULED_FOR", task.scheduled_for);
  add("DEADLINE", task.deadline);
  add("STANDS_FOR", std::to_string(task.stands_for));
  add("IDEMPOTENCY_KEY", task.idempotency_key);
  if (!task.traceparent.empty()) environment.push_back("TRACEPARENT=" + task.traceparent);
  return environment;
}

std::string name_of_signal(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? std::to_string(number) : "SIG" + std::string(name);
}

// A command is stopped a little before its deadline; waiting for it lets the attempt time out,
// not fail.
void wait_for_deadline(Context& context) {
  while (context.wait(context.time_left())) {
  }
}

Outcome outcome_of(const CommandEnd& end, Context& context) {
  if (end.stopped) {
    if (!context.cancelled()) wait_for_deadline(context);
    return cancelled("stopped: " + std::string(name_of(context.why())));
  }
  if (end.signal) return failed("killed by " + name_of_signal(*end.signal));
  const int code = end.exit_code.value_or(-1);
  if (code == 0) return done({{"exit_code", 0}});
  const std::string error = "exit code " + std::to_string(code);
  if (code == kDataError || code == kConfigError) return failed_for_good(error);
  return failed(error);
}

Outcome run(const ExecOptions& options, std::vector<std::string> arguments, Context& context) {
  const Command command{.arguments = std::move(arguments),
                        .environment = environment_of(options, context.task()),
                        .input = context.task().payload_text + "\n",
                        .grace = options.grace,
                        .confinement = options.confinement};
  const auto end = run_command(command, context);
  if (!end) return failed(to_string(end.error()));
  return outcome_of(*end, context);
}

std::vector<std::string> command_of(const Json& target) {
  std::vector<std::string> words;
  if (!target.is_object() || !target.contains("command") || !target["command"].is_array()) {
    return words;
  }
  for (const Json& word : target["command"]) {
    if (word.is_string()) words.push_back(word.get<std::string>());
  }
  return words;
}

}  // namespace

Handler exec_handler(ExecOptions options) {
  return [options = std::move(options)](Context& context) {
    std::vector<std::string> words = command_of(context.task().target);
    if (words.empty()) return failed_for_good("the job's target has no command");
    return run(options, std::move(words), context);
  };
}

Handler exec_handler(ExecOptions options, std::vector<std::string> command) {
  return [options = std::move(options), command = std::move(command)](Context& context) {
    return run(options, command, context);
  };
}

}  // namespace belfry::worker
