#pragma once

#include "base/result.h"
#include "tests/support/process.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace belfry::test {

// A private PostgreSQL, with its own folder, socket and loopback port. It is as durable as
// PostgreSQL is by default, except for full_page_writes. Ends with this object; its log is printed
// when it does not start.
class PostgresServer {
 public:
  // Settings as in postgresql.conf: {"shared_buffers=256MB"}. Ends the process when it cannot
  // start: no test that needs it can go on.
  explicit PostgresServer(const std::vector<std::string>& settings = {});
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The server that all tests of a process share.
  static PostgresServer& shared();

  // An empty database with the schema of this program, not opened by any store yet.
  std::string fresh_database();
  // The same, without the schema.
  std::string empty_database();
  // For statements about the server itself.
  std::string url(const std::string& database = "postgres") const;

  // Runs the test's own statements in one go.
  Status run_script(const std::string& url, const std::string& script) const;
  // What pg_dump prints of a database, with these options.
  std::string dump(const std::string& url, const std::vector<std::string>& options) const;

  void start();
  void stop();  // at once, without a checkpoint: recovery follows at the next start
  void restart();
  void kill();  // SIGKILL to all its processes

  // Keeps a standby that lags: a copy of the server as it is now, which takes its place later, on a
  // new timeline. What was committed in between is lost.
  void keep_standby();
  void promote_standby();

  // Freezes all its processes, and thaws them.
  void pause();
  void resume();

  // Processes of the server, the postmaster first.
  std::vector<pid_t> processes() const;
  std::string log() const;

 private:
  void sql(const std::string& statement) const;
  bool control(const std::vector<std::string>& arguments) const;
  bool try_start() const;
  std::string name_database();

  std::string folder_;
  LastWill will_;
  std::string binaries_;
  std::string options_;
  int port_ = 0;
  int databases_ = 0;
  bool has_template_ = false;
};

}  // namespace belfry::test
