#include "cli/frame/verbs.h"
#include "cli/text/table.h"
#include "config/configuration.h"
#include "config/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace belfry::cli {
namespace {

struct ServeWords {
  config::ConfigurationSources sources;
  bool print_config = false;
  bool print_routes = false;
  bool demo = false;
};

std::string shown(const config::Setting& setting, const config::ChosenValue& value) {
  const std::size_t scheme = value.text.find("://");
  if (setting.name == "store" && scheme != std::string::npos) {
    return value.text.substr(0, scheme + 3) +
           "********";  // where the database is, is nobody's concern
  }
  return setting.is_address ? config::masked(value.text) : value.text;
}

std::string default_of(const config::Setting& setting) {
  return std::string(setting.preset.empty() ? setting.unset : setting.preset);
}

// Everything about each setting; docs/reference/configuration.md is made from it.
Json as_json(const config::Configuration& configuration) {
  Json all = Json::array();
  for (std::size_t i = 0; i < configuration.values.size(); ++i) {
    const config::Setting& setting = config::serve_settings()[i];
    all.push_back({{"name", setting.name},
                   {"value", shown(setting, configuration.values[i])},
                   {"source", configuration.values[i].source},
                   {"default", default_of(setting)},
                   {"flag", config::flag_of(setting)},
                   {"placeholder", setting.placeholder},
                   {"environment", config::variable_of(setting)},
                   {"help", setting.help}});
  }
  return all;
}

// A file with the same settings, with comments that say where each value came from.
void print_as_file(const config::Configuration& configuration, std::ostream& out) {
  for (std::size_t i = 0; i < configuration.values.size(); ++i) {
    const config::Setting& setting = config::serve_settings()[i];
    const config::ChosenValue& value = configuration.values[i];
    const std::string line =
        fmt::format("{} = {}", setting.name, Json(shown(setting, value)).dump());
    const std::string meaning =
        value.text.empty() ? ": " + std::string(setting.unset) : std::string();
    out << fmt::format("{:<44} # {}{}\n", line, value.source, meaning);
  }
}

// An address `demo:PATH` is an embedded store that the server fills before it serves.
std::string demo_address(const std::string& store) {
  constexpr std::string_view kSqlite = "sqlite:";
  return "demo:" + (store.starts_with(kSqlite) ? store.substr(kSqlite.size()) : store);
}

Answer<config::Configuration> read_configuration(const ServeWords& words, const Session& session) {
  config::ConfigurationSources sources = words.sources;
  const auto& environment = session.terminal().all_environment;
  if (environment) sources.environment = environment();
  auto configuration = configure(sources);
  if (configuration) return *std::move(configuration);
  return fail(Problem(Problem::Kind::kInvalid, to_string(configuration.error())));
}

void print_configuration(const config::Configuration& configuration, const Session& session) {
  if (session.is_table()) {
    print_as_file(configuration, session.out());
  } else {
    session.print(as_json(configuration));
  }
}

// As a node would read it, without starting one.
Answer<int> check_configuration(const ServeWords& words, const Session& session) {
  BELFRY_TRY(configuration, read_configuration(words, session));
  const config::ServeOptions& options = configuration.options;
  if (options.listen == options.grpc_listen || options.listen == options.metrics_listen) {
    return fail(Problem(Problem::Kind::kInvalid, "two services cannot listen on " + options.listen,
                        "", "give listen, grpc_listen and metrics_listen addresses of their own"));
  }
  std::size_t given = 0;
  for (const config::ChosenValue& value : configuration.values) given += value.source != "default";
  if (!session.is_table()) {
    session.print({{"given", given}, {"settings", configuration.values.size()}});
    return int{kOk};
  }
  session.out() << painted("✓", Paint::kGood, session.look())
                << " a node can start with it: " << given << " of " << configuration.values.size()
                << " settings are given, the others have their defaults\n";
  session.say("see all of them:  belfry config show");
  return int{kOk};
}

Answer<int> serve_or_print(const ServeWords& words, const Session& session, const Serve& serve) {
  BELFRY_TRY(configuration, read_configuration(words, session));
  if (words.print_config) {
    print_configuration(configuration, session);
    return int{kOk};
  }
  configuration.options.print_routes = words.print_routes;
  if (words.demo) configuration.options.store = demo_address(configuration.options.store);
  return serve(configuration.options);
}

void add_setting(Command& command, const config::Setting& setting,
                 const std::shared_ptr<ServeWords>& words) {
  const std::string name(setting.name);
  const auto keep = [words, name](const std::vector<std::string>& texts) {
    words->sources.flags[name] = fmt::format("{}", fmt::join(texts, " "));
    return std::string();
  };
  Option& option =
      command.option(config::flag_of(setting), keep,
                     fmt::format("{} (default: {})", setting.help, default_of(setting)));
  option.type(std::string(setting.placeholder));
  if (setting.is_list) option.repeatable();
  if (!setting.bare.empty()) option.bare(std::string(setting.bare));
}

}  // namespace

void add_serve_verb(const Program& program, const Serve& serve) {
  const auto words = std::make_shared<ServeWords>();
  Command& command = program.verb(
      "serve", "run a node: alone on SQLite, or in a cluster",
      [words, serve](Session& session) { return serve_or_print(*words, session, serve); });
  for (const config::Setting& setting : config::serve_settings()) {
    add_setting(command, setting, words);
  }
  command.option("--config", words->sources.file, "a TOML file with these settings (BELFRY_CONFIG)")
      .type("FILE")
      .proposes(Proposal::kFile);
  command.flag("--demo", words->demo,
               "fill a new embedded store with jobs and a fortnight that are made up");
  command.flag("--print-config", words->print_config,
               "show each setting and where it came from, and exit");
  command.flag("--print-routes", words->print_routes, "list the calls of the API, and exit");
  command.examples({"belfry serve", "belfry serve --store sqlite:/var/lib/belfry/belfry.db",
                    "belfry serve --config belfry.toml --print-config"});
  command.note(
      "Each setting is also an environment variable (--lease-ttl: BELFRY_LEASE_TTL) and a key of "
      "the file (lease_ttl = \"5s\"). Flags override the environment, which overrides the file.");
}

void add_config_verbs(const Program& program) {
  Command& config = program.noun("config", "the settings of a node: check, show");
  const auto add = [&](const char* name, const char* help, auto what) {
    const auto words = std::make_shared<ServeWords>();
    Command& command = program.verb(
        config, name, help, [words, what](Session& session) { return what(*words, session); });
    command.option("--config,file", words->sources.file, "a TOML file (BELFRY_CONFIG)")
        .type("FILE")
        .proposes(Proposal::kFile);
    command.examples({command.path(), command.path() + " belfry.toml"});
  };
  add("check", "whether a node could start with a file and the environment", check_configuration);
  add("show", "each setting and where it came from; the same as `serve --print-config`",
      [](const ServeWords& words, const Session& session) -> Answer<int> {
        BELFRY_TRY(configuration, read_configuration(words, session));
        print_configuration(configuration, session);
        return int{kOk};
      });
}

}  // namespace belfry::cli
