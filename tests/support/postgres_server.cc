#include "tests/support/postgres_server.h"

#include "base/assert.h"
#include "base/real_clock.h"
#include "store/postgres/wire/database.h"
#include "store/postgres/wire/migrate.h"
#include "tests/support/eventually.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace belfry::test {
namespace {

namespace fs = std::filesystem;
namespace postgres = store::postgres;

// Ends the server of a folder and removes the folder. The server's number may belong to another
// process by now, so its command line must name the folder.
constexpr const char* kCleanUp = R"(
  server=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) &&
    grep -qF "$0/data" "/proc/$server/cmdline" 2>/dev/null && kill -QUIT "$server" && sleep 1
  rm -rf "$0")";

constexpr int kStarts = 5;  // on one free port after the other

std::string make_folder() {
  const char* parent = std::getenv("TMPDIR");
  std::string name = fmt::format("{}/belfry-pg-XXXXXX", parent == nullptr ? "/tmp" : parent);
  BELFRY_ASSERT(::mkdtemp(name.data()) != nullptr);
  return name;
}

// Debian keeps the server's programs off the path.
std::string find_binaries(const std::string& folder) {
  std::vector<std::string> places;
  const std::string output = folder + "/bindir";
  if (run_program({"pg_config", "--bindir"}, output)) {
    std::string place = read_file(output);
    place.erase(place.find_last_not_of('\n') + 1);
    places.push_back(place);
  }
  std::error_code error;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error)) {
    places.push_back(version.path() / "bin");
  }
  for (const std::string& place : places) {
    if (fs::exists(place + "/initdb")) return place;
  }
  return "";
}

// Another process may take it before the server does.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  BELFRY_ASSERT(::bind(socket, any, size) == 0);
  BELFRY_ASSERT(::getsockname(socket, any, &size) == 0);
  ::close(socket);
  return ntohs(address.sin_port);
}

// The server refuses to run as root.
std::vector<std::string> as_server_user(std::vector<std::string> command) {
  if (::geteuid() == 0) {
    const std::vector<std::string> prefix{"runuser", "-u", "postgres", "--"};
    command.insert(command.begin(), prefix.begin(), prefix.end());
  }
  return command;
}

// Gone, or dead and not reaped.
bool is_dead(pid_t process) {
  const std::string line = read_file(fmt::format("/proc/{}/stat", process));
  const auto name_end = line.rfind(')');
  return name_end == std::string::npos || line.find("Z", name_end) == name_end + 2;
}

[[noreturn]] void give_up(const std::string& folder, const char* what) {
  std::fprintf(stderr, "%s failed\n%s\n%s\n", what, read_file(folder + "/output").c_str(),
               read_file(folder + "/log").c_str());
  std::abort();
}

}  // namespace

PostgresServer::PostgresServer(const std::vector<std::string>& settings)
    : folder_(make_folder()), will_(kCleanUp, folder_), binaries_(find_binaries(folder_)) {
  if (binaries_.empty()) give_up(folder_, "finding PostgreSQL (Debian: postgresql-15)");
  if (::geteuid() == 0) {
    BELFRY_ASSERT(run_program({"chown", "postgres", folder_}, folder_ + "/output"));
  }
  const std::vector<std::string> make{
      binaries_ + "/initdb", "-D",         folder_ + "/data", "-U", "postgres", "--auth=trust",
      "--encoding=UTF8",     "--locale=C", "--no-sync"};
  if (!run_program(as_server_user(make), folder_ + "/output")) give_up(folder_, "initdb");
  for (const std::string& setting : settings) options_ += " -c " + setting;
  for (int starts = 1; starts < kStarts; ++starts) {
    port_ = free_port();
    if (try_start()) return;
  }
  port_ = free_port();
  start();
}

PostgresServer::~PostgresServer() {
  resume();
  stop();
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

bool PostgresServer::control(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command{binaries_ + "/pg_ctl", "-D", folder_ + "/data", "-w"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(as_server_user(command), folder_ + "/output");
}

bool PostgresServer::try_start() const {
  const std::string options =
      fmt::format("-k {} -p {} -h 127.0.0.1 -c full_page_writes=off{}", folder_, port_, options_);
  return control({"-t", "180", "-l", folder_ + "/data/log", "-o", options, "start"});
}

void PostgresServer::start() {
  if (!try_start()) give_up(folder_ + "/data", "starting PostgreSQL");
}

void PostgresServer::stop() {
  if (!processes().empty()) control({"-m", "immediate", "stop"});
}

void PostgresServer::restart() {
  stop();
  start();
}

// They are dead before this returns: until then they have the port and write to the folder. Its
// locks go too: where nobody reaps orphans, the dead postmaster's number still looks alive.
void PostgresServer::kill() {
  const std::vector<pid_t> all = processes();
  for (const pid_t process : all) ::kill(process, SIGKILL);
  for (const pid_t process : all) {
    if (!eventually([process] { return is_dead(process); })) give_up(folder_, "killing PostgreSQL");
  }
  fs::remove(folder_ + "/data/postmaster.pid");
  fs::remove(fmt::format("{}/.s.PGSQL.{}.lock", folder_, port_));
}

void PostgresServer::keep_standby() {
  control({"-m", "fast", "stop"});
  const std::string data = folder_ + "/data";
  const std::vector<std::string> copy{"cp", "-a", data, folder_ + "/standby"};
  if (!run_program(as_server_user(copy), folder_ + "/output")) give_up(folder_, "copying");
  start();
}

// Recovery from an empty archive ends at once and begins a new timeline.
void PostgresServer::promote_standby() {
  stop();
  fs::remove_all(folder_ + "/data");
  fs::rename(folder_ + "/standby", folder_ + "/data");
  const std::vector<std::string> mark{"touch", folder_ + "/data/recovery.signal"};
  if (!run_program(as_server_user(mark), folder_ + "/output")) give_up(folder_, "promoting");
  options_ += " -c restore_command=false";
  start();
}

void PostgresServer::pause() {
  for (const pid_t process : processes()) ::kill(process, SIGSTOP);
}

void PostgresServer::resume() {
  for (const pid_t process : processes()) ::kill(process, SIGCONT);
}

std::vector<pid_t> PostgresServer::processes() const {
  std::vector<pid_t> all;
  pid_t postmaster = 0;
  std::istringstream(read_file(folder_ + "/data/postmaster.pid")) >> postmaster;
  if (postmaster <= 0 || ::kill(postmaster, 0) != 0) return all;
  all.push_back(postmaster);
  std::istringstream children(read_file(fmt::format("/proc/{0}/task/{0}/children", postmaster)));
  for (pid_t child = 0; children >> child;) all.push_back(child);
  return all;
}

std::string PostgresServer::log() const {
  return read_file(folder_ + "/data/log");
}

std::string PostgresServer::url(const std::string& database) const {
  return fmt::format("postgresql://postgres@127.0.0.1:{}/{}", port_, database);
}

Status PostgresServer::run_script(const std::string& url, const std::string& script) const {
  const RealClock clock;
  postgres::Connection connection({.url = url, .prepare = false}, clock);
  const BootInstant deadline = clock.boot_now() + kPatience;
  BELFRY_CHECK(connection.open(deadline));
  BELFRY_TRY(done, connection.run_script(script, postgres::Effect::kCommits, deadline));
  return {};
}

std::string PostgresServer::dump(const std::string& url,
                                 const std::vector<std::string>& options) const {
  const std::string output = folder_ + "/dump";
  fs::remove(output);  // programs append to it
  std::vector<std::string> command{binaries_ + "/pg_dump", "--dbname", url};
  command.insert(command.end(), options.begin(), options.end());
  if (!run_program(command, output)) give_up(folder_ + "/data", read_file(output).c_str());
  return read_file(output);
}

void PostgresServer::sql(const std::string& statement) const {
  const auto done = run_script(url(), statement);
  if (!done) give_up(folder_ + "/data", done.error().message.c_str());
}

std::string PostgresServer::name_database() {
  return fmt::format("test_{}", ++databases_);
}

std::string PostgresServer::empty_database() {
  const std::string name = name_database();
  sql("create database " + name);
  return url(name);
}

std::string PostgresServer::fresh_database() {
  if (!has_template_) {
    sql("create database migrated");
    const RealClock clock;
    postgres::Database database({.url = url("migrated"), .prepare = false}, 1, kPatience, clock);
    const auto done = postgres::migrate(database);
    if (!done) give_up(folder_ + "/data", done.error().message.c_str());
    has_template_ = true;
  }
  const std::string name = name_database();
  sql("create database " + name + " template migrated");
  return url(name);
}

}  // namespace belfry::test
