#include "client/client.h"

#include "base/condition.h"
#include "base/verbatim.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace belfry::client {
namespace {

constexpr Duration kLongestWait = std::chrono::seconds(5);

bool is_json(const net::Response& response) {
  const auto type = response.headers.find("Content-Type");
  return type && type->find("json") != std::string_view::npos;
}

Answer<Reply> read_reply(net::Response response, const std::string& keeping) {
  if (response.status >= 400) return fail(problem_of(response));
  Reply reply{.status = response.status, .headers = response.headers};
  if (response.body.empty()) return reply;
  if (!is_json(response)) {
    reply.body = std::move(response.body);
    return reply;
  }
  BELFRY_TRY(body, keeping.empty() ? parse_json(response.body)
                                   : parse_json_keeping(keeping, response.body));
  reply.body = std::move(body);
  return reply;
}

// Whether the server said "not now, and nothing was changed".
bool is_not_now(const net::Response& response) {
  return response.status == 429 || response.status == 503;
}

Duration retry_after(const net::Response& response) {
  const std::string_view text = response.headers.find("Retry-After").value_or("1");
  int seconds = 1;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::clamp<Duration>(std::chrono::seconds(seconds), std::chrono::milliseconds(100),
                              kLongestWait);
}

bool may_be_repeated(const Ask& ask) {
  return ask.keyed || ask.method == "GET" || ask.method == "PUT" || ask.method == "DELETE";
}

bool is_job_id(std::string_view text) {
  return text.size() == 16 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

Client::Client(ClientOptions options, net::Url base, Rng rng)
    : options_(std::move(options)),
      base_(std::move(base)),
      http_({.ca_file = options_.ca_file, .own = options_.own, .user_agent = options_.user_agent}),
      rng_(std::move(rng)) {}

namespace {

// "unix:/run/belfry.sock" is a node of this machine, by its socket.
Result<net::Url> server_url(const std::string& server) {
  constexpr std::string_view kUnix = "unix:";
  if (!server.starts_with(kUnix)) return net::Url::parse(server);
  BELFRY_TRY(url, net::Url::parse("http://localhost"));
  url.socket = server.substr(kUnix.size());
  return url;
}

}  // namespace

Answer<Client> Client::make(ClientOptions options) {
  auto base = server_url(options.server);
  if (!base) {
    return fail(
        Problem(Problem::Kind::kInvalid, "`" + options.server + "` is not the address of a server",
                base.error().message,
                "write --server http://HOST:PORT or unix:PATH, or set BELFRY_SERVER likewise"));
  }
  while (base->path.ends_with('/')) base->path.pop_back();
  BELFRY_TRY(rng, Rng::from_system_entropy());
  return Client(std::move(options), *std::move(base), std::move(rng));
}

net::Call Client::prepare(const Ask& ask) {
  net::Call call{.method = ask.method, .url = base_, .headers = ask.headers};
  call.url.path += ask.path;
  call.url.query = net::format_query(ask.query);
  call.headers.set("Accept", "application/json");
  if (!options_.token.empty()) call.headers.set("Authorization", "Bearer " + options_.token);
  if (!options_.tenant.empty()) call.headers.set("Belfry-Tenant", options_.tenant);
  if (ask.body) {
    if (!call.headers.find("Content-Type")) call.headers.set("Content-Type", "application/json");
    call.body = write_json(*ask.body);
  }
  if (ask.keyed) {
    call.headers.set("Idempotency-Key",
                     fmt::format("cli-{:016x}{:016x}", rng_.next_u64(), rng_.next_u64()));
  }
  return call;
}

Problem Client::unreachable(const Error& error) const {
  Problem problem(error);
  if (problem.kind == Problem::Kind::kUnreachable) {
    problem.what = "no Belfry server answers at " + options_.server;
    problem.why = error.message;
    problem.fix = "start one with `belfry serve`, or say where it is: --server or BELFRY_SERVER";
  }
  if (problem.kind == Problem::Kind::kTimedOut) {
    problem.what = options_.server + " did not answer in time";
    problem.why = error.message;
    problem.fix = "it may or may not have been done: check before you repeat it";
  }
  return problem;
}

Answer<Reply> Client::call(const Ask& ask) {
  const net::Call call = prepare(ask);
  Duration patience = options_.patience;
  for (bool repeated = false;;) {
    auto response = http_.request(call, ask.timeout.value_or(options_.timeout));
    if (!response) {
      const bool lost = response.error().code == Errc::kUnknownOutcome;
      if (repeated || !lost || !may_be_repeated(ask) || patience <= Duration::zero()) {
        return fail(unreachable(response.error()));
      }
      repeated = true;
      continue;
    }
    const Duration pause = retry_after(*response);
    if (!is_not_now(*response) || pause > patience)
      return read_reply(*std::move(response), ask.keeping);
    wait(pause);
    patience -= pause;
  }
}

Answer<Json> Client::get(std::string path, Query query) {
  BELFRY_TRY(reply, call({.path = std::move(path), .query = std::move(query)}));
  return std::move(reply.body);
}

Answer<Json> Client::post(std::string path, Json body) {
  BELFRY_TRY(reply, call({.method = "POST", .path = std::move(path), .body = std::move(body)}));
  return std::move(reply.body);
}

Answer<Json> Client::post_keyed(std::string path, Json body) {
  BELFRY_TRY(
      reply,
      call({.method = "POST", .path = std::move(path), .body = std::move(body), .keyed = true}));
  return std::move(reply.body);
}

Answer<void> Client::stream(const std::string& path, const std::string& id, Duration silence,
                            const std::function<bool(std::string_view line)>& on_line) {
  net::Call call = prepare({.path = path});
  call.headers.set("Accept", "text/event-stream");
  if (!id.empty()) call.headers.set("Last-Event-ID", id);
  const auto response = http_.stream(call, silence, on_line);
  if (!response) return fail(unreachable(response.error()));
  if (response->status >= 400) return fail(problem_of(*response));
  return {};
}

std::string job_path(std::string_view job, std::string_view rest) {
  std::string path = "/api/v1/jobs/";
  if (job.starts_with("name:")) {
    path += "name:" + net::encode_percent(job.substr(5));
  } else {
    path += (is_job_id(job) ? "" : "name:") + net::encode_percent(job);
  }
  return path + std::string(rest);
}

std::string path_of(std::string_view collection, std::string_view name, std::string_view rest) {
  return fmt::format("/api/v1/{}/{}{}", collection, net::encode_percent(name), rest);
}

void wait(Duration time) {
  Mutex mutex;
  Condition nobody_notifies;
  const MutexLock lock(mutex);
  nobody_notifies.wait_for(mutex, time);
}

}  // namespace belfry::client
