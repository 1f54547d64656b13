#include "config/settings.h"

#include "base/text/ascii.h"
#include "base/text/duration_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace belfry::config {
namespace {

constexpr std::array kSettings{
    Setting{.name = "store",
            .placeholder = "ADDRESS",
            .unset = "belfry.db in the data folder",
            .help = "where jobs and runs are kept: sqlite:PATH or postgres://user@host/database",
            .field = &ServeOptions::store,
            .is_address = true},
    Setting{.name = "store_prepare",
            .placeholder = "auto|on|off",
            .preset = "auto",
            .help = "prepare statements on PostgreSQL; auto: unless a pooler is in between",
            .field = &ServeOptions::store_prepare},
    Setting{.name = "data_dir",
            .placeholder = "FOLDER",
            .unset = "$XDG_DATA_HOME/belfry, or ~/.local/share/belfry",
            .help = "where a node keeps its files; created if it is missing",
            .field = &ServeOptions::data_dir},
    Setting{.name = "listen",
            .placeholder = "HOST:PORT",
            .preset = "127.0.0.1:7070",
            .help = "the address of HTTP; beyond loopback only once there is an API key",
            .field = &ServeOptions::listen},
    Setting{.name = "socket",
            .placeholder = "PATH",
            .unset = "belfry.sock in the data folder, on the embedded store",
            .help = "a Unix socket for HTTP that only this user can open, or `off`",
            .field = &ServeOptions::socket},
    Setting{.name = "grpc_listen",
            .placeholder = "HOST:PORT",
            .unset = "the port after that of listen",
            .help = "the address of gRPC, for workers, or `off`",
            .field = &ServeOptions::grpc_listen},
    Setting{.name = "metrics_listen",
            .placeholder = "HOST:PORT",
            .unset = "at listen, with a key",
            .help = "serve /metrics at this address too, without a key",
            .field = &ServeOptions::metrics_listen},
    Setting{.name = "metrics_token_file",
            .placeholder = "FILE",
            .unset = "metrics_listen asks for nothing",
            .help = "what scrapers must send to metrics_listen: `Authorization: Bearer …`",
            .field = &ServeOptions::metrics_token_file},
    Setting{
        .name = "with_worker",
        .placeholder = "auto|on|off",
        .preset = "auto",
        .help = "run commands (EXEC jobs) in this node, on SQLite only; auto: if it is on loopback",
        .field = &ServeOptions::with_worker,
        .bare = "on"},
    Setting{.name = "exec_user",
            .placeholder = "USER",
            .unset = "nobody if the node is root, otherwise the node's own user",
            .help = "the user that commands run as; with keys, the node's own user only if named",
            .field = &ServeOptions::exec_user},
    Setting{.name = "exec_env",
            .placeholder = "NAME,...",
            .unset = "none",
            .help = "variables of the node that commands get, beside PATH, LANG, LC_* and TZ",
            .field = &ServeOptions::exec_env},
    Setting{.name = "exec_memory_max",
            .placeholder = "SIZE",
            .unset = "no limit",
            .help = "memory that one command may use, like 512M or 2G",
            .field = &ServeOptions::exec_memory_max},
    Setting{.name = "exec_processes_max",
            .placeholder = "N",
            .unset = "no limit",
            .help = "processes that one command may have at once",
            .field = &ServeOptions::exec_processes_max},
    Setting{.name = "tls_cert",
            .placeholder = "FILE",
            .unset = "plain HTTP",
            .help = "serve HTTPS with this certificate (PEM)",
            .field = &ServeOptions::tls_cert},
    Setting{.name = "tls_key",
            .placeholder = "FILE",
            .unset = "plain HTTP",
            .help = "the key of the certificate (PEM)",
            .field = &ServeOptions::tls_key},
    Setting{.name = "tls_client_ca",
            .placeholder = "FILE",
            .unset = "nobody needs a certificate",
            .help = "let in only who has a certificate of these authorities (PEM)",
            .field = &ServeOptions::tls_client_ca},
    Setting{.name = "oidc_issuer",
            .placeholder = "URL",
            .unset = "none",
            .help = "accept tokens (JWT) of this OpenID provider: its `iss`",
            .field = &ServeOptions::oidc_issuer},
    Setting{.name = "oidc_audience",
            .placeholder = "NAME",
            .preset = "belfry",
            .help = "what a token's `aud` must name",
            .field = &ServeOptions::oidc_audience},
    Setting{.name = "oidc_jwks",
            .placeholder = "URL|FILE",
            .unset = "none",
            .help = "the provider's public keys: its `jwks_uri`, or a file",
            .field = &ServeOptions::oidc_jwks},
    Setting{.name = "oidc_tenant_claim",
            .placeholder = "NAME",
            .preset = "tenant",
            .help = "the claim that names the tenant",
            .field = &ServeOptions::oidc_tenant_claim},
    Setting{.name = "oidc_scopes_claim",
            .placeholder = "NAME",
            .preset = "belfry",
            .help = "the claim that names the scope, and `exec` for that permission",
            .field = &ServeOptions::oidc_scopes_claim},
    Setting{.name = "node_name",
            .placeholder = "NAME",
            .unset = "the host's name",
            .help = "what people call this node",
            .field = &ServeOptions::node_name},
    Setting{.name = "region",
            .placeholder = "NAME",
            .preset = "default",
            .help = "the region whose jobs this node runs",
            .field = &ServeOptions::region},
    Setting{.name = "lease_ttl",
            .placeholder = "DURATION",
            .preset = "5s",
            .help = "how long others wait before they take over from a silent node",
            .field = &ServeOptions::lease_ttl},
    Setting{.name = "lease_renew",
            .placeholder = "DURATION",
            .preset = "1s",
            .help = "how often a node renews its lease; at most half of lease_ttl",
            .field = &ServeOptions::lease_renew},
    Setting{.name = "after_lost_commits",
            .placeholder = "run|skip",
            .preset = "run",
            .help = "ticks that may have run, in commits that a new primary lacks: again, or never",
            .field = &ServeOptions::after_lost_commits},
    Setting{.name = "history_retention",
            .placeholder = "DURATION",
            .preset = "90d",
            .help = "how long finished runs and skips are kept; at least 1d",
            .field = &ServeOptions::history_retention},
    Setting{.name = "archive_dir",
            .placeholder = "FOLDER",
            .unset = "none: past runs are dropped",
            .help = "where runs are archived before they are dropped; give it to all nodes",
            .field = &ServeOptions::archive_dir},
    Setting{.name = "otlp_endpoint",
            .placeholder = "URL",
            .unset = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or _ENDPOINT; else no traces are sent",
            .help = "a collector that takes traces by OTLP: http://host:4318/v1/traces",
            .field = &ServeOptions::otlp_endpoint,
            .is_address = true},
    Setting{.name = "trace_ratio",
            .placeholder = "0..1",
            .preset = "1",
            .help = "of all runs, those that are traced; the same on all nodes",
            .field = &ServeOptions::trace_ratio},
    Setting{
        .name = "broker",
        .placeholder = "NAME=URL",
        .unset = "none",
        .help =
            "where TOPIC jobs are published: redis[s]://, amqp[s]://, nats://, tls:// or kafka://",
        .field = &ServeOptions::broker,
        .is_address = true,
        .is_list = true},
    Setting{.name = "smtp",
            .placeholder = "URL",
            .unset = "none",
            .help = "where alerts by mail are handed in: smtp://user@host:587?from=ADDRESS",
            .field = &ServeOptions::smtp,
            .is_address = true},
    Setting{.name = "allow_private_webhooks",
            .placeholder = "CIDR,...",
            .unset = "none; loopback on the embedded store, until there are keys",
            .help = "private networks that webhooks may call",
            .field = &ServeOptions::allow_private_webhooks},
    Setting{.name = "secrets_key_file",
            .placeholder = "FILE",
            .unset = "BELFRY_SECRETS_KEY; else beside the embedded store",
            .help = "the keys that seal secrets, newest first",
            .field = &ServeOptions::secrets_key_file},
    Setting{.name = "first_key_file",
            .placeholder = "FILE",
            .unset = "none",
            .help = "a key for root, made at the start if there is no key yet",
            .field = &ServeOptions::first_key_file},
    Setting{.name = "log_format",
            .placeholder = "text|json",
            .preset = "text",
            .help = "the format of log lines",
            .field = &ServeOptions::log_format},
    Setting{.name = "log_level",
            .placeholder = "debug|info|warn|error",
            .preset = "info",
            .help = "the lowest level that is logged",
            .field = &ServeOptions::log_level},
};

template <typename Value>
Status choose(const std::string& text, Value& value, std::string_view words,
              std::initializer_list<std::pair<std::string_view, Value>> choices) {
  for (const auto& [word, meaning] : choices) {
    if (text != word) continue;
    value = meaning;
    return {};
  }
  return fail({.code = Errc::kInvalid,
               .message = "`" + text + "` is not one of " + std::string(words),
               .hint = "write one of them"});
}

// How each type of value is written.
struct Reader {
  const Setting& setting;
  const std::string& text;

  Status read(std::string& value) const {
    value = text;
    return {};
  }
  Status read(Duration& value) const {
    BELFRY_TRY(parsed, parse_duration(text));
    value = parsed;
    return {};
  }
  Status read(double& value) const {
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= 0 && value <= 1) return {};
    return fail({.code = Errc::kInvalid,
                 .message = "`" + text + "` is not a number from 0 to 1",
                 .hint = "0.1 means one in ten"});
  }
  Status read(LogFormat& value) const {
    return choose<LogFormat>(text, value, setting.placeholder,
                             {{"text", LogFormat::kText}, {"json", LogFormat::kJson}});
  }
  Status read(StorePrepare& value) const {
    return choose<StorePrepare>(
        text, value, setting.placeholder,
        {{"auto", StorePrepare::kAuto}, {"on", StorePrepare::kOn}, {"off", StorePrepare::kOff}});
  }
  Status read(AfterLostCommits& value) const {
    return choose<AfterLostCommits>(
        text, value, setting.placeholder,
        {{"run", AfterLostCommits::kRun}, {"skip", AfterLostCommits::kSkip}});
  }
  Status read(WithWorker& value) const {
    return choose<WithWorker>(
        text, value, setting.placeholder,
        {{"auto", WithWorker::kAuto}, {"on", WithWorker::kOn}, {"off", WithWorker::kOff}});
  }
  Status read(LogLevel& value) const {
    return choose<LogLevel>(text, value, setting.placeholder,
                            {{"debug", LogLevel::kDebug},
                             {"info", LogLevel::kInfo},
                             {"warn", LogLevel::kWarn},
                             {"error", LogLevel::kError}});
  }
};

constexpr std::string_view kMask = "********";

}  // namespace

std::span<const Setting> serve_settings() {
  return kSettings;
}

std::string flag_of(const Setting& setting) {
  std::string flag = "--" + std::string(setting.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string variable_of(const Setting& setting) {
  return "BELFRY_" + in_capitals(setting.name);
}

Status assign(const Setting& setting, const std::string& text, ServeOptions& options) {
  const Reader reader{setting, text};
  return std::visit([&](const auto field) { return reader.read(options.*field); }, setting.field);
}

// Where an address is odd, rather masks too much than too little.
std::string masked(std::string address) {
  const std::size_t scheme = address.find("://");
  const std::size_t at = address.rfind('@');
  if (scheme != std::string::npos && at != std::string::npos) {
    const std::size_t colon = address.find(':', scheme + 3);
    // For NATS a name alone is a token.
    const std::string_view before = std::string_view(address).substr(0, scheme);
    const bool is_token = before.ends_with("nats") || before.ends_with("tls");
    if (colon < at || is_token) {
      const std::size_t from = colon < at ? colon + 1 : scheme + 3;
      address.replace(from, at - from, kMask);
    }
  }
  constexpr std::string_view kParameter = "password=";
  for (std::size_t from = address.find(kParameter); from != std::string::npos;
       from = address.find(kParameter, from)) {
    from += kParameter.size();
    const std::size_t end = std::min(address.find('&', from), address.size());
    address.replace(from, end - from, kMask);
  }
  return address;
}

}  // namespace belfry::config
