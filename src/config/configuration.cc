#include "config/configuration.h"

#include "base/text/duration_text.h"
#include "config/data_folder.h"
#include "config/settings.h"
#include "config/toml_file.h"
#include "core/suggest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace belfry::config {
namespace {

constexpr std::string_view kPrefix = "BELFRY_";
constexpr const char* kFileVariable = "BELFRY_CONFIG";

// A secret is no setting: a flag shows in lists of processes, and a file is read by many.
constexpr const char* kSecretsKeyVariable = "BELFRY_SECRETS_KEY";

// Variables of the other commands; they may be set where a node starts.
constexpr std::array<std::string_view, 8> kOthers{
    "BELFRY_SERVER",  "BELFRY_TOKEN",       "BELFRY_TOKEN_FILE", "BELFRY_TENANT",
    "BELFRY_CA_FILE", "BELFRY_CLIENT_CERT", "BELFRY_CLIENT_KEY", kSecretsKeyVariable};

// Kubernetes sets these in every container beside a service called `belfry` or `belfry-api`.
bool is_service_link(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  return has("_SERVICE_HOST") || has("_SERVICE_PORT") || name.ends_with("_PORT") ||
         (has("_PORT_") && (has("_TCP") || has("_UDP")));
}

std::string variable(const ConfigurationSources& sources, const std::string& name) {
  const auto found = sources.environment.find(name);
  return found == sources.environment.end() ? "" : found->second;
}

tl::unexpected<Error> unknown(const std::string& place, const std::string& name,
                              const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string near = core::closest(name, candidates);
  return fail(
      {.code = Errc::kInvalid,
       .message = "there is no setting `" + name + "`",
       .field = place,
       .hint = near.empty() ? "`belfry serve --help` lists them" : "did you mean `" + near + "`?"});
}

Status check_environment(const ConfigurationSources& sources) {
  std::vector<std::string> known{kFileVariable};
  for (const Setting& setting : serve_settings()) known.push_back(variable_of(setting));
  known.insert(known.end(), kOthers.begin(), kOthers.end());
  for (const auto& [name, value] : sources.environment) {
    const bool ours = name.starts_with(kPrefix) && !is_service_link(name);
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (ours && !is_known) return unknown("environment", name, known);
  }
  return {};
}

struct FileValue {
  std::string text;
  std::string place;  // "belfry.toml:3"
};
using FileValues = std::map<std::string, FileValue>;

Result<FileValues> read_file(const std::string& path) {
  BELFRY_TRY(entries, read_toml(path));
  std::vector<std::string> known;
  for (const Setting& setting : serve_settings()) known.emplace_back(setting.name);
  FileValues values;
  for (TomlEntry& entry : entries) {
    const std::string place = path + ":" + std::to_string(entry.line);
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      return unknown(place, entry.key, known);
    }
    if (entry.is_list) {
      return fail(
          {.code = Errc::kInvalid, .message = entry.key + " has one value", .field = place});
    }
    values[entry.key] = {std::move(entry.text), place};
  }
  return values;
}

// The first of the four that gives a value; an empty variable gives none.
ChosenValue choose(const Setting& setting, const ConfigurationSources& sources,
                   const FileValues& file) {
  const std::string name(setting.name);
  if (const auto flag = sources.flags.find(name); flag != sources.flags.end()) {
    return {flag->second, "flag " + flag_of(setting)};
  }
  if (std::string value = variable(sources, variable_of(setting)); !value.empty()) {
    return {std::move(value), "environment " + variable_of(setting)};
  }
  if (const auto value = file.find(name); value != file.end()) {
    return {value->second.text, "file " + value->second.place};
  }
  return {std::string(setting.preset), "default"};
}

std::size_t index_of(std::string_view name) {
  const auto settings = serve_settings();
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& setting) { return setting.name == name; });
  return static_cast<std::size_t>(found - settings.begin());
}

// What every program that sends traces is told (opentelemetry.io), where nobody told this one.
void take_standard_variables(const ConfigurationSources& sources, Configuration& configuration) {
  ServeOptions& options = configuration.options;
  options.otlp_headers = variable(sources, "OTEL_EXPORTER_OTLP_HEADERS");
  if (!options.otlp_endpoint.empty()) return;
  std::string name = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  std::string endpoint = variable(sources, name);
  if (endpoint.empty()) {
    name = "OTEL_EXPORTER_OTLP_ENDPOINT";
    endpoint = variable(sources, name);
    if (!endpoint.empty()) endpoint += endpoint.ends_with('/') ? "v1/traces" : "/v1/traces";
  }
  if (endpoint.empty()) return;
  options.otlp_endpoint = endpoint;
  configuration.values[index_of("otlp_endpoint")] = {endpoint, "environment " + name};
}

// Defaults that depend on other values.
void complete(const ConfigurationSources& sources, Configuration& configuration) {
  ServeOptions& options = configuration.options;
  const auto fill = [&](std::string& value, std::string_view name, const std::string& text) {
    if (!value.empty()) return;
    value = configuration.values[index_of(name)].text = text;
  };
  fill(options.data_dir, "data_dir",
       default_data_folder([&](const char* name) { return variable(sources, name); }));
  fill(options.store, "store", "sqlite:" + options.data_dir + "/belfry.db");
  options.secrets_key = variable(sources, kSecretsKeyVariable);
  take_standard_variables(sources, configuration);
}

tl::unexpected<Error> refuse(const Configuration& configuration, std::string_view name,
                             const std::string& message) {
  const std::size_t index = index_of(name);
  return fail({.code = Errc::kInvalid,
               .message = message,
               .field = std::string(name) + " (" + configuration.values[index].source + ")"});
}

// Rules that involve more than one value.
Status check(const Configuration& configuration) {
  const ServeOptions& options = configuration.options;
  const Duration most = options.lease_ttl / 2;
  if (options.lease_renew <= Duration::zero() || options.lease_renew > most) {
    return refuse(configuration, "lease_renew",
                  "must be more than 0s and at most half of lease_ttl, " + format_duration(most));
  }
  if (options.history_retention < std::chrono::days(1)) {
    return refuse(configuration, "history_retention", "must be at least 1d");
  }
  if (options.with_worker == WithWorker::kOn && options.store.starts_with("postgres")) {
    return refuse(configuration, "with_worker",
                  "a node on PostgreSQL runs no commands; start `belfry worker` for them");
  }
  if (!options.secrets_key.empty() && !options.secrets_key_file.empty()) {
    return refuse(configuration, "secrets_key_file",
                  std::string("is given, and ") + kSecretsKeyVariable + ", too; keep one of them");
  }
  if (options.tls_cert.empty() && !options.tls_key.empty()) {
    return refuse(configuration, "tls_cert", "must be given with tls_key");
  }
  if (options.tls_cert.empty() && !options.tls_client_ca.empty()) {
    return refuse(configuration, "tls_client_ca", "must be given with tls_cert and tls_key");
  }
  if (options.tls_key.empty() && !options.tls_cert.empty()) {
    return refuse(configuration, "tls_key", "must be given with tls_cert");
  }
  if (options.oidc_issuer.empty() != options.oidc_jwks.empty()) {
    return refuse(configuration, options.oidc_issuer.empty() ? "oidc_issuer" : "oidc_jwks",
                  "oidc_issuer and oidc_jwks must be given together");
  }
  return {};
}

}  // namespace

Result<Configuration> configure(const ConfigurationSources& sources) {
  BELFRY_CHECK(check_environment(sources));
  const std::string path = sources.file.empty() ? variable(sources, kFileVariable) : sources.file;
  FileValues file;
  if (!path.empty()) {
    BELFRY_TRY(values, read_file(path));
    file = std::move(values);
  }
  Configuration configuration;
  for (const Setting& setting : serve_settings()) {
    configuration.values.push_back(choose(setting, sources, file));
    const ChosenValue& chosen = configuration.values.back();
    auto assigned = assign(setting, chosen.text, configuration.options);
    if (!assigned) {
      assigned.error().field = std::string(setting.name) + " (" + chosen.source + ")";
      return fail(std::move(assigned).error());
    }
  }
  complete(sources, configuration);
  BELFRY_CHECK(check(configuration));
  return configuration;
}

}  // namespace belfry::config
