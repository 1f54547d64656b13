#include "worker/command.h"

#include "worker/closed_files.h"
#include "worker/descriptor.h"
#include "worker/process_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace belfry::worker {
namespace {

Error system_error(const std::string& what) {
  return {.code = Errc::kUnavailable, .message = what + ": " + std::strerror(errno)};
}

// A file in memory instead of a pipe: a command that does not read blocks nobody.
Result<Descriptor> input_of(const std::string& text) {
  Descriptor file(memfd_create("belfry-payload", MFD_CLOEXEC));
  if (!file.is_open()) return fail(system_error("no memory for the command's input"));
  std::size_t written = 0;
  while (written < text.size()) {
    const auto now = ::write(file.number(), text.data() + written, text.size() - written);
    if (now < 0 && errno != EINTR) {
      return fail(system_error("the command's input cannot be written"));
    }
    if (now > 0) written += static_cast<std::size_t>(now);
  }
  lseek(file.number(), 0, SEEK_SET);
  return file;
}

// The worker's side of a command that runs.
class Supervision {
 public:
  Supervision(const Command& command, Context& context) : command_(command), context_(context) {}
  ~Supervision() {
    context_.on_cancel({});
    socket_.close();  // whatever still runs is killed
    while (guard_ > 0 && waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  Status start();
  Result<CommandEnd> watch();

 private:
  Error not_started(const GuardMessage& word) const;
  // When to send TERM, so that KILL comes before the deadline and leaves time to report.
  Duration until_stop() const {
    const Duration margin =
        std::min<Duration>(std::chrono::seconds(1), context_.task().timeout / 5);
    return context_.time_left() - grace() - margin;
  }
  Duration grace() const {
    return std::max(std::min(context_.task().timeout / 10, command_.grace), Duration(1));
  }
  int poll_timeout() const;
  bool read_output();
  void stop();
  std::optional<GuardMessage> read_word();

  const Command& command_;
  Context& context_;
  RunGroup group_;  // goes last
  pid_t guard_ = -1;
  Descriptor socket_;
  Descriptor output_;
  Descriptor wake_;  // rings when the run is cancelled
  bool stopped_ = false;
};

// What its group does not limit as a whole.
ExecLimits limits_of_each(const Confinement& confinement, const RunGroup& group) {
  ExecLimits limits = confinement.limits;
  if (!group.exists()) return limits;
  if (confinement.groups->limits_memory) limits.memory = 0;
  if (confinement.groups->limits_processes) limits.processes = 0;
  return limits;
}

Status Supervision::start() {
  BELFRY_TRY(input, input_of(command_.input));
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return fail(system_error("no pipe for the command's output"));
  output_ = Descriptor(pipe[0]);
  const Descriptor to(pipe[1]);
  fcntl(output_.number(), F_SETFL, O_NONBLOCK);
  wake_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.is_open()) return fail(system_error("no event for the command"));
  const Confinement& confinement = command_.confinement;
  if (confinement.groups) group_ = RunGroup(*confinement.groups, confinement.limits);
  Descriptor closure;
  if (!confinement.closed.empty()) {
    BELFRY_TRY(made, close_files(confinement.closed));
    closure = std::move(made);
  }
  BELFRY_TRY(guard, start_guard({.arguments = command_.arguments,
                                 .environment = command_.environment,
                                 .input = input.number(),
                                 .output = to.number(),
                                 .grace = grace(),
                                 .user = confinement.user,
                                 .limits = limits_of_each(confinement, group_),
                                 .group = group_.folder(),
                                 .group_name = group_.name(),
                                 .closure = closure.number()}));
  guard_ = guard.pid;
  socket_ = Descriptor(guard.socket);
  context_.on_cancel([wake = wake_.number()] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake, &one, sizeof one);
  });
  return {};
}

int Supervision::poll_timeout() const {
  if (stopped_) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_stop()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

// False when nobody can write any more.
bool Supervision::read_output() {
  std::array<char, 65536> buffer;
  for (int i = 0; i < 16; ++i) {  // so that a flood does not keep us from the rest
    const auto got = ::read(output_.number(), buffer.data(), buffer.size());
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    context_.write({buffer.data(), static_cast<std::size_t>(got)});
  }
  return true;
}

void Supervision::stop() {
  stopped_ = true;
  const char byte = 'x';
  [[maybe_unused]] const auto sent = send(socket_.number(), &byte, 1, MSG_NOSIGNAL);
}

std::optional<GuardMessage> Supervision::read_word() {
  GuardMessage word;
  const auto got = recv(socket_.number(), &word, sizeof word, 0);
  if (got != sizeof word) return std::nullopt;
  return word;
}

Error Supervision::not_started(const GuardMessage& word) const {
  const ExecUser& user = command_.confinement.user;
  const std::string reason = std::strerror(word.value);
  if (word.kind == GuardMessage::kNotConfined) {
    return {.code = Errc::kUnavailable,
            .message = "commands cannot be run as `" + user.name + "` here: " + reason};
  }
  const std::string who = user.is_other ? " by `" + user.name + "`" : "";
  return {
      .code = Errc::kInvalid,
      .message = "`" + command_.arguments.front() + "` cannot be started" + who + ": " + reason};
}

Result<CommandEnd> Supervision::watch() {
  std::array<pollfd, 3> waits{
      {{socket_.number(), POLLIN, 0}, {output_.number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}}};
  for (;;) {
    ::poll(waits.data(), waits.size(), poll_timeout());
    if (waits[1].revents != 0 && !read_output()) waits[1].fd = -1;
    const bool late = until_stop() <= Duration::zero();
    if (!stopped_ && late) context_.log("[stopped: its time is up]");
    if (!stopped_ && (waits[2].revents != 0 || late)) stop();
    if (stopped_) waits[2].fd = -1;
    if (waits[0].revents == 0) continue;
    const auto word = read_word();
    if (!word) return fail(Errc::kUnavailable, "the command's guard was killed");
    if (word->kind != GuardMessage::kEnded) return fail(not_started(*word));
    if (waits[1].fd >= 0) read_output();  // what is still in the pipe
    CommandEnd end{.stopped = stopped_};
    if (WIFEXITED(word->value)) end.exit_code = WEXITSTATUS(word->value);
    if (WIFSIGNALED(word->value)) end.signal = WTERMSIG(word->value);
    return end;
  }
}

}  // namespace

Result<CommandEnd> run_command(const Command& command, Context& context) {
  Supervision supervision(command, context);
  BELFRY_CHECK(supervision.start());
  return supervision.watch();
}

}  // namespace belfry::worker
