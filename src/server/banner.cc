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

// The plain address is enough for the browser of whoever started the node: the kernel says whose it
// is. The link is for any other.
std::string sign_in_line(const std::string& url, const std::string& path) {
  if (path.empty()) return "";
  return fmt::format("  sign in  {}{}\n           once, within 5 minutes; `belfry open` has more\n",
                     url, path);
}

}  // namespace

std::string banner(const config::ServeOptions& options, const Started& node) {
  const std::string url = url_of(options, node.port);
  const bool is_usual = node.port == 7070 && options.tls_cert.empty();
  return fmt::format(
      "{}\n"
      "  address  {}\n"
      "  console  {}/\n"
      "{}"
      "  store    {}\n"
      "  worker   {}\n"
      "  next     belfry {}{}\n"
      "  Ctrl-C stops it.\n",
      config::version_line(), url, url, sign_in_line(url, node.sign_in_path),
      config::masked(options.store),
      node.runs_commands ? "runs commands (--exec jobs) itself"
                         : "none here; `belfry worker` is one",
      is_usual ? "" : "--server " + url + " ",
      // What somebody types next must work: without a worker a command would only wait.
      node.runs_commands ? "add hello --every 10s --exec 'echo hello'" : "cluster");
}

}  // namespace belfry::server
