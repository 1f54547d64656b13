#include "cli/frame/contexts.h"

#include "base/json.h"
#include "cli/text/text.h"
#include "core/suggest.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace belfry::cli {
namespace {

namespace fs = std::filesystem;

Problem broken(const std::string& file) {
  return {Problem::Kind::kInvalid, "the contexts in `" + file + "` cannot be read", "",
          "mend the file, or delete it and add them again with `belfry context add`"};
}

Context to_context(const Json& json) {
  Context context{.servers = {},
                  .token_file = field(json, "token_file"),
                  .tenant = field(json, "tenant"),
                  .ca_file = field(json, "ca_file")};
  for (const Json& server : json.value("servers", Json::array())) {
    if (server.is_string()) context.servers.push_back(server.get<std::string>());
  }
  return context;
}

Json to_json(const Context& context) {
  Json json{{"servers", context.servers}};
  if (!context.token_file.empty()) json["token_file"] = context.token_file;
  if (!context.tenant.empty()) json["tenant"] = context.tenant;
  if (!context.ca_file.empty()) json["ca_file"] = context.ca_file;
  return json;
}

}  // namespace

std::string contexts_file(const Environment& environment) {
  if (!environment) return {};
  std::string folder = environment("XDG_CONFIG_HOME");
  if (folder.empty()) {
    const std::string home = environment("HOME");
    if (home.empty()) return {};
    folder = home + "/.config";
  }
  return folder + "/belfry/contexts.json";
}

Answer<Contexts> read_contexts(const std::string& file) {
  Contexts contexts;
  std::error_code none;
  if (file.empty() || !fs::exists(file, none)) return contexts;
  std::ifstream in(file);
  const auto json = parse_json(read_all(in));
  if (!json || !json->is_object()) return fail(broken(file));
  const Json named = json->value("contexts", Json::object());
  if (!named.is_object()) return fail(broken(file));
  for (const auto& [name, value] : named.items()) {
    if (!value.is_object()) return fail(broken(file));
    contexts.by_name[name] = to_context(value);
  }
  contexts.current = field(*json, "current");
  return contexts;
}

// Written beside and moved into its place, so that nobody reads half a file.
Answer<void> write_contexts(const std::string& file, const Contexts& contexts) {
  Json json{{"current", contexts.current}, {"contexts", Json::object()}};
  for (const auto& [name, context] : contexts.by_name) json["contexts"][name] = to_json(context);
  const fs::path path(file);
  const fs::path beside = path.parent_path() / (path.filename().string() + ".new");
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(beside);
  out << json.dump(2) << '\n';
  out.close();
  if (out) fs::rename(beside, path, error);
  if (!file.empty() && out && !error) return {};
  return fail(Problem(Problem::Kind::kFailed, "the contexts cannot be written to `" + file + "`",
                      "", "see that the folder can be written, or set XDG_CONFIG_HOME"));
}

std::vector<std::string> split_servers(const std::string& text) {
  std::vector<std::string> servers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = std::string_view(text).substr(begin, end - begin);
    const std::size_t first = part.find_first_not_of(' ');
    const std::size_t last = part.find_last_not_of(' ');
    if (first != std::string_view::npos) servers.emplace_back(part.substr(first, last - first + 1));
    begin = end + 1;
  }
  return servers;
}

Answer<Context> find_context(const Contexts& contexts, const std::string& name) {
  if (const auto found = contexts.by_name.find(name); found != contexts.by_name.end()) {
    return found->second;
  }
  std::vector<std::string_view> names;
  for (const auto& [known, context] : contexts.by_name) names.push_back(known);
  const std::string near = core::closest(name, names);
  return fail(Problem(Problem::Kind::kNotFound, "there is no context `" + name + "`", "",
                      near.empty() ? "`belfry context ls` lists them; `belfry context add " + name +
                                         " URL` makes it"
                                   : "did you mean `" + near + "`?"));
}

}  // namespace belfry::cli
