#include "server/addresses.h"

#include "net/url.h"
#include "rpc/rpc_server.h"
#include "server/data_folder.h"

#include <sys/resource.h>

#include <algorithm>

namespace belfry::server {
namespace {

// Beyond loopback every caller needs a key, so there must be one.
Status check_reachable(const std::string& listen, const char* field, store::Store& store) {
  BELFRY_TRY(address, net::HostPort::parse(listen));
  if (net::is_loopback(address.host)) return {};
  BELFRY_TRY(any_keys, store.any_keys());
  if (any_keys) return {};
  return fail({.code = Errc::kInvalid,
               .message = "without an API key Belfry listens on the loopback only",
               .field = field,
               .hint = "listen on 127.0.0.1, make a key with `belfry keys create NAME --scope "
                       "root`, then listen on " +
                       listen + "; or give a `first_key_file`"});
}

// A folder whose path is too long for a socket in it has none, unless one is asked for.
std::string unix_socket_of(const config::ServeOptions& options) {
  if (options.socket == "off") return "";
  if (!options.socket.empty() || !keeps_files(options)) return options.socket;
  constexpr std::size_t kLongest = 107;
  const std::string path = options.data_dir + "/belfry.sock";
  return path.size() <= kLongest ? path : "";
}

}  // namespace

Connections most_connections() {
  constexpr rlim_t kOwn = 200;
  // No more than that: commands that a node runs inherit the limit, and some walk through all
  // of it.
  constexpr rlim_t kEnough = 16'384;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, kEnough));
  setrlimit(RLIMIT_NOFILE, &files);  // if not, what we have is what we can count on
  getrlimit(RLIMIT_NOFILE, &files);
  const rlim_t left = files.rlim_cur > 2 * kOwn ? files.rlim_cur - kOwn : files.rlim_cur / 2;
  Connections most{.http = net::ServerLimits().connections, .grpc = rpc::RpcOptions().connections};
  most.http = std::min<std::size_t>(most.http, left / 4 * 3);
  most.grpc = std::min<std::size_t>(most.grpc, (left - most.http) / 2);
  return most;
}

bool runs_commands(const config::ServeOptions& options) {
  if (options.with_worker != config::WithWorker::kAuto) {
    return options.with_worker == config::WithWorker::kOn;
  }
  const auto address = net::HostPort::parse(options.listen);
  return options.store.starts_with("sqlite:") && address && net::is_loopback(address->host);
}

Result<std::string> grpc_address(const config::ServeOptions& options) {
  if (!options.grpc_listen.empty()) return options.grpc_listen;
  BELFRY_TRY(http, net::HostPort::parse(options.listen));
  const std::string host = options.listen.substr(0, options.listen.rfind(':'));
  return host + ":" + std::to_string(http.port == 0 ? 0 : (http.port + 1) % 65536);
}

net::TlsFiles tls_files(const config::ServeOptions& options) {
  return {
      .certificate = options.tls_cert, .key = options.tls_key, .client_ca = options.tls_client_ca};
}

Result<net::ServerOptions> http_options(const config::ServeOptions& options, store::Store& store) {
  net::ServerOptions http{.listen = options.listen, .socket = unix_socket_of(options)};
  http.limits.connections = most_connections().http;
  if (!options.tls_key.empty()) {
    http.tls = tls_files(options);
  }
  BELFRY_CHECK(check_reachable(options.listen, "listen", store));
  if (!options.grpc_listen.empty() && options.grpc_listen != "off") {
    BELFRY_CHECK(check_reachable(options.grpc_listen, "grpc_listen", store));
  }
  return http;
}

bool is_open_to_others(const config::ServeOptions& options) {
  const auto is_open = [](const std::string& listen) {
    const auto address = net::HostPort::parse(listen);
    return !address || !net::is_loopback(address->host);
  };
  const std::string& grpc = options.grpc_listen;
  return is_open(options.listen) || (!grpc.empty() && grpc != "off" && is_open(grpc));
}

}  // namespace belfry::server
