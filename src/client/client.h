#pragma once

#include "base/json.h"
#include "base/rng.h"
#include "base/time.h"
#include "client/problem.h"
#include "net/client/client.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::client {

struct ClientOptions {
  std::string server = "http://127.0.0.1:7070";
  std::string token;   // bf_…; empty: none
  std::string tenant;  // empty: that of the token
  std::string ca_file;
  net::TlsFiles own;  // our certificate and its key, for servers that ask
  std::string user_agent = "belfry";
  Duration timeout = std::chrono::seconds(30);
  // How long to repeat a call that the server could not serve just then (429, 503, no answer).
  Duration patience = std::chrono::seconds(5);
};

using Query = std::vector<net::Parameter>;

// One call of the REST API.
struct Ask {
  std::string method = "GET";
  std::string path;  // from "/" on, its segments encoded
  Query query;
  std::optional<Json> body;
  net::Headers headers;
  // Sent with an Idempotency-Key, so that it is safe to repeat.
  bool keyed = false;
  std::optional<Duration> timeout = {};  // instead of the client's
  // Where values of the answer are kept as written, such as "/payload" (base/verbatim.h).
  std::string keeping = {};
};

struct Reply {
  int status = 200;
  net::Headers headers;
  Json body;  // null when there was none, a string when it was not JSON
};

// A Belfry server as its REST API shows it. Blocking; one thread at a time; nothing is opened
// before the first call.
class Client {
 public:
  // Refuses a bad address.
  static Answer<Client> make(ClientOptions options);

  // Statuses from 400 on are Problems. A call without an answer is repeated when that is safe: it
  // changes nothing, sets something to a value, or is `keyed`.
  Answer<Reply> call(const Ask& ask);

  Answer<Json> get(std::string path, Query query = {});
  Answer<Json> post(std::string path, Json body = Json::object());
  Answer<Json> post_keyed(std::string path, Json body = Json::object());

  // Reads a stream of events line by line until `on_line` returns false or the stream ends. With an
  // `id` it continues right after that event. `silence` bounds each wait for more.
  Answer<void> stream(const std::string& path, const std::string& id, Duration silence,
                      const std::function<bool(std::string_view line)>& on_line);

  // From any thread: the call under way, and every later one, ends at once as unreachable.
  void interrupt() { http_.interrupt(); }

  const std::string& server() const { return options_.server; }

 private:
  Client(ClientOptions options, net::Url base, Rng rng);
  net::Call prepare(const Ask& ask);
  Problem unreachable(const Error& error) const;

  ClientOptions options_;
  net::Url base_;
  net::HttpClient http_;
  Rng rng_;
};

// "/api/v1/jobs/name:nightly%20report": the path of the job with this name or id.
std::string job_path(std::string_view job, std::string_view rest = {});
// "/api/v1/runs/…", "/api/v1/tenants/…": a path with one name in it.
std::string path_of(std::string_view collection, std::string_view name, std::string_view rest = {});

// Blocks for this long.
void wait(Duration time);

}  // namespace belfry::client
