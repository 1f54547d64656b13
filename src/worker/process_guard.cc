#include "worker/process_guard.h"

#include "worker/closed_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

// Between the fork and the end of the guard nothing may allocate or lock: the worker has other
// threads, and what they held when it forked is held for ever. So this is plain system calls.
namespace belfry::worker {
namespace {

constexpr int kControl = 3;  // the guard's own descriptors, all others are closed
constexpr int kSignals = 4;
constexpr int kTimer = 5;
constexpr int kGroup = 6;
constexpr int kClosure = 7;
constexpr Duration kKillAgain = std::chrono::milliseconds(50);
constexpr int kMostKills = 100;  // then what is left cannot be killed (it hangs in the kernel)

// What the child needs, laid out before the fork.
struct Plan {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  int input;
  int output;
  int control;
  Duration grace;
  int group;    // -1: none
  int closure;  // -1: none
  const char* group_name;
  const char* home;
  uid_t uid;
  gid_t gid;
  bool is_other_user;
  ExecLimits limits;
};

void set_timer(Duration time) {
  const auto micros = time.count();
  itimerspec spec{};
  spec.it_value.tv_sec = micros / 1'000'000;
  spec.it_value.tv_nsec = micros % 1'000'000 * 1'000;
  timerfd_settime(kTimer, 0, &spec, nullptr);
}

void tell(const GuardMessage& word) {
  [[maybe_unused]] const auto sent = send(kControl, &word, sizeof word, MSG_NOSIGNAL);
}

// ---- The program itself

bool limit(__rlimit_resource what, std::uint64_t most) {
  const rlimit both{most, most};
  return setrlimit(what, &both) == 0;
}

// False: errno says why. What changes the user comes last: until then we may do the rest.
bool confine(const Plan& plan) {
  if (plan.group >= 0 && !enter_group(kGroup)) return false;
  if (!limit(RLIMIT_CORE, 0)) return false;
  if (plan.limits.memory > 0 && !limit(RLIMIT_AS, plan.limits.memory)) return false;
  if (plan.limits.processes > 0 && !limit(RLIMIT_NPROC, plan.limits.processes)) return false;
  if (plan.is_other_user) {
    // Not the library's functions: they wait for the worker's other threads, which did not come
    // along with the fork.
    if (syscall(SYS_setgroups, 0, nullptr) != 0) return false;
    if (syscall(SYS_setresgid, plan.gid, plan.gid, plan.gid) != 0) return false;
    if (syscall(SYS_setresuid, plan.uid, plan.uid, plan.uid) != 0) return false;
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (plan.closure >= 0 && !enter_closure(kClosure)) return false;
  return chdir(plan.home) == 0 || chdir("/") == 0;
}

[[noreturn]] void give_up(GuardMessage::Kind kind, int error_pipe) {
  const GuardMessage word{kind, errno};
  [[maybe_unused]] const auto written = write(error_pipe, &word, sizeof word);
  _exit(127);
}

[[noreturn]] void become(const Plan& plan, pid_t guard, int error_pipe) {
  setsid();
  umask(022);
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!confine(plan)) give_up(GuardMessage::kNotConfined, error_pipe);
  // Should somebody kill the guard. After the change of user, which takes it back.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(127);
  execvpe(plan.arguments[0], plan.arguments.data(), plan.environment.data());
  give_up(GuardMessage::kNotStarted, error_pipe);
}

// ---- The guard

void signal_children(int number) {
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  char text[4096];
  const auto size = read(list, text, sizeof text);
  close(list);
  pid_t pid = 0;
  for (ssize_t i = 0; i < size; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      pid = pid * 10 + (text[i] - '0');
      continue;
    }
    if (pid > 1) ::kill(pid, number);
    pid = 0;
  }
}

class Watch {
 public:
  Watch(pid_t program, const Plan& plan) : program_(program), plan_(plan) {}

  // Waits until nothing of the program is left; returns its status.
  int run() {
    std::array<pollfd, 3> waits{
        {{kSignals, POLLIN, 0}, {kControl, POLLIN, 0}, {kTimer, POLLIN, 0}}};
    while (reap()) {
      if (ended_ && stage_ == Stage::kRuns) terminate();
      if (reaped_ && stage_ == Stage::kTerminating) signal_all(SIGTERM);  // to what it left behind
      poll(waits.data(), waits.size(), -1);
      if (waits[0].revents != 0) {
        signalfd_siginfo info;
        [[maybe_unused]] const auto got = read(kSignals, &info, sizeof info);
      }
      if (waits[1].revents != 0) listen(waits[1]);
      if (waits[2].revents != 0) {
        std::uint64_t times = 0;
        [[maybe_unused]] const auto got = read(kTimer, &times, sizeof times);
        if (++kills_ > kMostKills) break;
        kill_all();
      }
    }
    return status_;
  }

 private:
  enum class Stage { kRuns, kTerminating, kKilling };

  // False when no child is left.
  bool reap() {
    reaped_ = false;
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid == 0) return true;
      if (pid < 0) return errno == EINTR;
      reaped_ = true;
      if (pid == program_) {
        ended_ = true;
        status_ = status;
      }
    }
  }

  void listen(pollfd& control) {
    char byte = 0;
    const auto got = recv(kControl, &byte, 1, MSG_DONTWAIT);
    if (got > 0) {
      if (stage_ == Stage::kRuns) terminate();
    } else if (got == 0 || errno != EAGAIN) {
      control.fd = -1;  // the worker is gone
      kill_all();
    }
  }

  void terminate() {
    stage_ = Stage::kTerminating;
    signal_all(SIGTERM);
    set_timer(plan_.grace > Duration::zero() ? plan_.grace : kKillAgain);
  }

  void kill_all() {
    stage_ = Stage::kKilling;
    if (plan_.group >= 0) kill_group(kGroup);
    signal_all(SIGKILL);
    set_timer(kKillAgain);  // what the dead leave behind becomes ours: kill again
  }

  // Signals the program's process group and whatever has become our child. Once the program is
  // reaped, the number of its process group may be reused, so only the children are signalled.
  void signal_all(int number) {
    if (!ended_) ::kill(-program_, number);
    signal_children(number);
  }

  const pid_t program_;
  const Plan& plan_;
  Stage stage_ = Stage::kRuns;
  bool ended_ = false;
  bool reaped_ = false;
  int status_ = 0;
  int kills_ = 0;
};

// Moves what is needed to its place and closes the rest: the worker's secrets and sockets are none
// of the program's business, and a lifeline that a stranger holds open is no lifeline.
void arrange(const Plan& plan) {
  // First above all final places, so that no move overwrites a descriptor that is still needed.
  const int input = fcntl(plan.input, F_DUPFD, 10);
  const int output = fcntl(plan.output, F_DUPFD, 10);
  const int control = fcntl(plan.control, F_DUPFD, 10);
  const int group = plan.group < 0 ? -1 : fcntl(plan.group, F_DUPFD, 10);
  const int closure = plan.closure < 0 ? -1 : fcntl(plan.closure, F_DUPFD, 10);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  dup3(control, kControl, O_CLOEXEC);
  close_range(kControl + 1, kClosure, 0);
  if (group >= 0) dup3(group, kGroup, O_CLOEXEC);
  if (closure >= 0) dup3(closure, kClosure, O_CLOEXEC);
  close_range(kClosure + 1, ~0U, 0);
  if (!plan.is_other_user) return;
  // So that it may open them again, as /dev/stdin and /dev/stdout.
  for (int number = 0; number < 2; ++number) {
    [[maybe_unused]] const int changed = fchown(number, plan.uid, plan.gid);
  }
}

void make_waits() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  dup3(signalfd(-1, &child, SFD_CLOEXEC), 20, O_CLOEXEC);
  dup3(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC), 21, O_CLOEXEC);
  dup3(20, kSignals, O_CLOEXEC);
  dup3(21, kTimer, O_CLOEXEC);
  close_range(20, 21, 0);
}

// A program of our own user can kill its guard. Unless it has a group, this process stays behind
// the guard, and what the guard leaves becomes ours.
void stay_behind_guard() {
  const pid_t guard = _Fork();
  if (guard == 0) return;
  close_range(0, ~0U, 0);  // the worker sees the guard's end, not ours
  int status = 0;
  while (guard > 0 && waitpid(guard, &status, 0) < 0 && errno == EINTR) {
  }
  for (int i = 0; i < kMostKills; ++i) {
    signal_children(SIGKILL);
    poll(nullptr, 0, 1);
    pid_t pid = 0;
    while ((pid = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (pid < 0) break;  // none is left
  }
  _exit(0);
}

// Starts the program; what it says is empty if it runs.
struct Started {
  pid_t program;
  GuardMessage problem;
};
Started start_program(const Plan& plan) {
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) _exit(1);
  const pid_t guard = getpid();
  Started started{_Fork(), {}};
  if (started.program == 0) become(plan, guard, error_pipe[1]);
  close(error_pipe[1]);
  if (started.program < 0) started.problem = {GuardMessage::kNotStarted, errno};
  if (started.program > 0) {
    [[maybe_unused]] const auto got = read(error_pipe[0], &started.problem, sizeof started.problem);
  }
  close(error_pipe[0]);
  return started;
}

[[noreturn]] void be_guard(const Plan& plan) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  std::signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "belfry-guard");
  arrange(plan);
  if (!plan.is_other_user && plan.group < 0) stay_behind_guard();
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // is not inherited
  make_waits();
  const Started started = start_program(plan);
  // The program's ends of input and output are its own; ours would keep them open.
  close_range(0, 2, 0);
  GuardMessage word = started.problem;
  if (word.value == 0) {
    Watch watch(started.program, plan);
    word = {GuardMessage::kEnded, watch.run()};
  }
  if (plan.group >= 0) clear_group(kGroup, plan.group_name);
  tell(word);
  _exit(0);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

Error system_error(const char* what) {
  return {.code = Errc::kUnavailable, .message = std::string(what) + ": " + std::strerror(errno)};
}

}  // namespace

Result<ProcessGuard> start_guard(const Program& program) {
  std::vector<std::string> arguments = program.arguments;
  std::vector<std::string> environment = program.environment;
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return fail(system_error("no socket for a command"));
  }
  const Plan plan{.arguments = pointers(arguments),
                  .environment = pointers(environment),
                  .input = program.input,
                  .output = program.output,
                  .control = sockets[1],
                  .grace = program.grace,
                  .group = program.group,
                  .closure = program.closure,
                  .group_name = program.group_name.c_str(),
                  .home = program.user.home.c_str(),
                  .uid = program.user.uid,
                  .gid = program.user.gid,
                  .is_other_user = program.user.is_other,
                  .limits = program.limits};
  // Not fork(): its handlers take locks of libraries.
  const pid_t pid = _Fork();
  if (pid == 0) be_guard(plan);
  close(sockets[1]);
  if (pid < 0) {
    close(sockets[0]);
    return fail(system_error("no process for a command"));
  }
  return ProcessGuard{pid, sockets[0]};
}

}  // namespace belfry::worker
