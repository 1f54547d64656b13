#include "server/trace/exporter_config.h"

#include "config/version.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace belfry::server {
namespace {

// "api-key=abc,other=d%20e", as OpenTelemetry has it.
Result<net::Headers> read_headers(std::string_view text) {
  net::Headers headers;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find(','));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    const std::size_t equals = pair.find('=');
    const auto value =
        equals == pair.npos ? std::nullopt : net::decode_percent(pair.substr(equals + 1));
    if (!value || equals == 0) {
      return fail({.code = Errc::kInvalid,
                   .message = "is no list of name=value,...",
                   .field = "OTEL_EXPORTER_OTLP_HEADERS"});
    }
    headers.set(std::string(pair.substr(0, equals)), *value);
  }
  return headers;
}

}  // namespace

Result<trace::ExporterConfig> exporter_config(const config::ServeOptions& options,
                                              const std::string& node) {
  auto endpoint = net::Url::parse(options.otlp_endpoint);
  if (!endpoint) {
    Error error = endpoint.error();
    error.field = "otlp_endpoint";
    return fail(std::move(error));
  }
  BELFRY_TRY(headers, read_headers(options.otlp_headers));
  return trace::ExporterConfig{
      .endpoint = *std::move(endpoint),
      .headers = std::move(headers),
      .resource = {.attributes = {{"service.name", "belfry"},
                                  {"service.version", config::version_line()},
                                  {"service.instance.id", node},
                                  {"belfry.region", options.region}},
                   .version = config::version_line()}};
}

}  // namespace belfry::server
