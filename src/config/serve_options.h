#pragma once

#include "base/log/log.h"
#include "base/time.h"
#include "config/exec_settings.h"

#include <cstdint>
#include <string>

namespace belfry::config {

// Whether a node runs commands itself.
enum class WithWorker : std::uint8_t {
  kAuto,  // yes if it is alone on the embedded store and reached only from this machine
  kOn,
  kOff,
};

// Whether statements are prepared on the database.
enum class StorePrepare : std::uint8_t {
  kAuto,  // unless a pooler is in between
  kOn,
  kOff,
};

// What becomes of ticks that may have been decided in commits that a new primary lacks.
enum class AfterLostCommits : std::uint8_t { kRun, kSkip };

// The settings of `belfry serve`. The defaults are in the table of config/settings.h.
struct ServeOptions : ExecSettings {
  std::string store;  // sqlite:PATH or postgres://...
  StorePrepare store_prepare = StorePrepare::kAuto;
  std::string data_dir;            // where a node keeps files
  std::string listen;              // HTTP
  std::string socket;              // a Unix socket for HTTP; empty: in the data folder; or `off`
  std::string grpc_listen;         // empty: the port after `listen`'s; or `off`
  std::string metrics_listen;      // empty: none of its own
  std::string metrics_token_file;  // empty: without a token
  std::string tls_cert;            // PEM files; both or none
  std::string tls_key;
  std::string tls_client_ca;
  std::string oidc_issuer;  // empty: none
  std::string oidc_audience;
  std::string oidc_jwks;  // a file or an https URL
  std::string oidc_tenant_claim;
  std::string oidc_scopes_claim;
  std::string node_name;  // empty: the host's name
  std::string region;
  Duration lease_ttl{};
  Duration lease_renew{};
  AfterLostCommits after_lost_commits = AfterLostCommits::kRun;
  Duration history_retention{};
  std::string archive_dir;    // empty: past runs are dropped
  std::string otlp_endpoint;  // of a collector; empty: no traces
  std::string otlp_headers;   // "name=value,...", from the environment only
  double trace_ratio = 1;     // of all runs
  WithWorker with_worker = WithWorker::kAuto;
  LogFormat log_format{};
  LogLevel log_level{};
  std::string broker;                  // NAME=URL, several separated by blanks
  std::string smtp;                    // smtp://user:password@host:port?from=...
  std::string allow_private_webhooks;  // networks, separated by commas
  std::string secrets_key_file;        // keys that seal secrets, newest first
  std::string first_key_file;          // a key for root, made if there is none
  std::string secrets_key;             // the same, from the environment only
  bool print_routes = false;           // print the routes of the API, and exit
};

}  // namespace belfry::config
