#include "server/banner.h"

#include "config/settings.h"
#include "config/version.h"

#include <fmt/format.h>

namespace belfry::server {
namespace {

// An address to click on: one that listens everywhere is reached here.
std::string url_of(const config::ServeOptions& options, int port) {
  std::string host = options.listen.substr(0, options.listen.rfind(':'));
  if (host.empty() || host == "0.0.0.0" || host == "[::]") host = "127.0.0.1";
  return fmt::format("{}://{}:{}", options.tls_cert.empty() ? "http" : "https", host, port);
}

}  // namespace

std::string banner(const config::ServeOptions& options, int port, bool runs_commands) {
  const std::string url = url_of(options, port);
  const bool is_usual = port == 7070 && options.tls_cert.empty();
  return fmt::format(
      "{}\n"
      "  address  {}\n"
      "  console  {}/\n"
      "  store    {}\n"
      "  worker   {}\n"
      "  next     belfry {}{}\n"
      "  Ctrl-C stops it.\n",
      config::version_line(), url, url, config::masked(options.store),
      runs_commands ? "runs commands (--exec jobs) itself" : "none here; `belfry worker` is one",
      is_usual ? "" : "--server " + url + " ",
      // What somebody types next must work: without a worker a command would only wait.
      runs_commands ? "add hello --every 10s --exec 'echo hello'" : "cluster");
}

}  // namespace belfry::server
