#include "cli/checkins/watched_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace belfry::cli {
namespace {

constexpr int kCannotStart = 127;
constexpr int kKilled = 128;
constexpr int kLookMs = 50;  // for the end of a command whose children keep its output open

std::atomic<pid_t> the_child{0};

void pass_on(int signal) {
  const int kept = errno;
  const pid_t child = the_child.load();
  if (child > 0) ::kill(child, signal);
  errno = kept;
}

// Until it goes, what would end us reaches the command instead.
class Forwarding {
 public:
  Forwarding() {
    struct sigaction action{};
    action.sa_handler = pass_on;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~Forwarding() {
    the_child = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;

 private:
  static constexpr std::array kSignals{SIGTERM, SIGINT, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

struct Stream {
  int from = -1;  // -1: it has ended
  int to = -1;
};

void write_all(int to, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(to, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // nobody reads it: the command's work counts
    data += done;
    size -= static_cast<std::size_t>(done);
  }
}

// Passes on what is there. The last lines: what is in front of them goes in whole lines.
void pass(Stream& stream, std::string& output, std::size_t kept) {
  std::array<char, 16 * 1024> buffer{};
  while (true) {
    const ssize_t got = ::read(stream.from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;
    if (got == 0) {
      ::close(stream.from);
      stream.from = -1;
      return;
    }
    write_all(stream.to, buffer.data(), static_cast<std::size_t>(got));
    output.append(buffer.data(), static_cast<std::size_t>(got));
    if (output.size() <= kept) continue;
    const auto line = output.find('\n', output.size() - kept);
    output.erase(0, line == std::string::npos ? output.size() - kept : line + 1);
  }
}

[[noreturn]] void become(const std::vector<std::string>& words, int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  const std::string said = "belfry: " + words.front() + ": " + std::strerror(errno) + "\n";
  write_all(STDERR_FILENO, said.data(), said.size());
  ::_exit(kCannotStart);
}

int code_of(int status) {
  return WIFSIGNALED(status) ? kKilled + WTERMSIG(status) : WEXITSTATUS(status);
}

int watch(pid_t child, std::array<Stream, 2>& streams, std::string& output, std::size_t kept) {
  int status = 0;
  bool is_over = false;
  while (!is_over) {
    std::array<pollfd, 2> polled{{{streams[0].from, POLLIN, 0}, {streams[1].from, POLLIN, 0}}};
    ::poll(polled.data(), polled.size(), kLookMs);
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    is_over = ended == child || (ended < 0 && errno != EINTR);
    for (Stream& stream : streams) {
      if (stream.from >= 0) pass(stream, output, kept);
    }
  }
  return code_of(status);
}

}  // namespace

CommandEnd run_watched(const std::vector<std::string>& words, std::size_t kept) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  const bool has_pipes = ::pipe2(out.data(), O_CLOEXEC) == 0 && ::pipe2(err.data(), O_CLOEXEC) == 0;
  if (!has_pipes) return {kCannotStart, std::string("pipe: ") + std::strerror(errno)};
  const Forwarding forwarding;
  const pid_t child = ::fork();
  if (child == 0) become(words, out[1], err[1]);
  ::close(out[1]);
  ::close(err[1]);
  if (child < 0) return {kCannotStart, std::string("fork: ") + std::strerror(errno)};
  the_child = child;
  std::array<Stream, 2> streams{{{out[0], STDOUT_FILENO}, {err[0], STDERR_FILENO}}};
  for (const Stream& stream : streams) ::fcntl(stream.from, F_SETFL, O_NONBLOCK);
  CommandEnd end;
  end.code = watch(child, streams, end.output, kept);
  for (const Stream& stream : streams) {
    if (stream.from >= 0) ::close(stream.from);
  }
  return end;
}

}  // namespace belfry::cli
