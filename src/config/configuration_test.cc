#include "config/configuration.h"

#include "config/settings.h"
#include "tests/support/folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace belfry::config {
namespace {

// A file for one test.
class File {
 public:
  explicit File(const std::string& text) { std::ofstream(path_) << text; }

  const std::string& path() const { return path_; }

 private:
  const test::Folder folder_;
  const std::string path_ = folder_.path() / "belfry.toml";
};

ChosenValue value_of(const Configuration& configuration, std::string_view name) {
  const auto settings = serve_settings();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (settings[i].name == name) return configuration.values[i];
  }
  return {};
}

std::string complaint(const ConfigurationSources& sources) {
  const auto configuration = configure(sources);
  return configuration ? "none" : to_string(configuration.error());
}

TEST(ConfigurationTest, FlagsThenEnvironmentThenFileThenDefaults) {
  const File file("region = \"file\"\nlease_ttl = \"8s\"\nnode_name = \"file\"\n");
  const auto made = configure({.flags = {{"region", "flag"}},
                               .environment = {{"BELFRY_REGION", "variable"},
                                               {"BELFRY_NODE_NAME", "variable"},
                                               {"BELFRY_LEASE_TTL", ""}},
                               .file = file.path()});
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->options.region, "flag");
  EXPECT_EQ(value_of(*made, "region").source, "flag --region");
  EXPECT_EQ(made->options.node_name, "variable");
  EXPECT_EQ(value_of(*made, "node_name").source, "environment BELFRY_NODE_NAME");
  EXPECT_EQ(made->options.lease_ttl, std::chrono::seconds(8));  // an empty variable gives no value
  EXPECT_EQ(value_of(*made, "lease_ttl").source, "file " + file.path() + ":2");
  EXPECT_EQ(made->options.lease_renew, std::chrono::seconds(1));
  EXPECT_EQ(value_of(*made, "lease_renew").source, "default");
}

TEST(ConfigurationTest, TheFileCanBeNamedByAVariable) {
  const File file("region = \"eu\"\n");
  const auto made = configure({.environment = {{"BELFRY_CONFIG", file.path()}}});
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->options.region, "eu");
  EXPECT_NE(complaint({.file = "/nowhere/belfry.toml"}).find("cannot be read"), std::string::npos);
}

TEST(ConfigurationTest, WhatNobodyKnowsIsRefusedWithTheNearestName) {
  const File file("region = \"eu\"\nlease_tll = \"8s\"\n");
  EXPECT_EQ(complaint({.file = file.path()}),
            file.path() + ":2: there is no setting `lease_tll`; did you mean `lease_ttl`?");
  EXPECT_EQ(complaint({.environment = {{"BELFRY_LEASETTL", "8s"}}}),
            "environment: there is no setting `BELFRY_LEASETTL`; did you mean `BELFRY_LEASE_TTL`?");
}

TEST(ConfigurationTest, TablesAndListsAreNoSettings) {
  const File file("[lease]\nttl = \"8s\"\n");
  EXPECT_NE(complaint({.file = file.path()}).find("`lease.ttl`"), std::string::npos);
  std::ofstream(file.path()) << "region = [\"a\", \"b\"]\n";
  EXPECT_EQ(complaint({.file = file.path()}), file.path() + ":1: region has one value");
  std::ofstream(file.path()) << "region = \n";
  EXPECT_EQ(complaint({.file = file.path()}).find(file.path() + ":1: "), 0U);
}

TEST(ConfigurationTest, VariablesOfOthersAreLeftAlone) {
  EXPECT_EQ(complaint({.environment = {{"BELFRY_SERVER", "http://a"},
                                       {"BELFRY_TOKEN", "secret"},
                                       {"BELFRYISH", "1"},
                                       // what Kubernetes sets beside a service called belfry
                                       {"BELFRY_SERVICE_HOST", "10.0.0.1"},
                                       {"BELFRY_SERVICE_PORT_HTTP", "7070"},
                                       {"BELFRY_PORT", "tcp://10.0.0.1:7070"},
                                       {"BELFRY_PORT_7070_TCP_ADDR", "10.0.0.1"}}}),
            "none");
}

TEST(ConfigurationTest, ABadValueIsNamedWithItsSource) {
  EXPECT_EQ(complaint({.flags = {{"lease_ttl", "soon"}}}).find("lease_ttl (flag --lease-ttl): "),
            0U);
  EXPECT_EQ(
      complaint({.environment = {{"BELFRY_LOG_FORMAT", "xml"}}}),
      "log_format (environment BELFRY_LOG_FORMAT): `xml` is not one of text|json; write one of "
      "them");
  EXPECT_EQ(complaint({.flags = {{"lease_renew", "3s"}}}),
            "lease_renew (flag --lease-renew): must be more than 0s and at most half of lease_ttl, "
            "2s500ms");
  EXPECT_EQ(
      complaint({.flags = {{"store", "postgres://db/belfry"}, {"with_worker", "on"}}}),
      "with_worker (flag --with-worker): a node on PostgreSQL runs no commands; start `belfry "
      "worker` for them");
  EXPECT_EQ(complaint({.flags = {{"tls_key", "key.pem"}}}),
            "tls_cert (default): must be given with tls_key");
}

TEST(ConfigurationTest, TheStoreIsInTheDataFolder) {
  const auto store = [](std::map<std::string, std::string> environment,
                        std::map<std::string, std::string> flags = {}) {
    return configure({.flags = std::move(flags), .environment = std::move(environment)})
        ->options.store;
  };
  EXPECT_EQ(store({{"HOME", "/hut"}}), "sqlite:/hut/.local/share/belfry/belfry.db");
  EXPECT_EQ(store({{"HOME", "/hut"}, {"XDG_DATA_HOME", "/data"}}), "sqlite:/data/belfry/belfry.db");
  EXPECT_EQ(store({}), "sqlite:belfry-data/belfry.db");
  EXPECT_EQ(store({{"HOME", "/hut"}}, {{"data_dir", "here"}}), "sqlite:here/belfry.db");
  EXPECT_EQ(store({}, {{"store", "postgres://h/db"}}), "postgres://h/db");
}

TEST(ConfigurationTest, PasswordsAreMasked) {
  EXPECT_EQ(masked("sqlite:/data/belfry.db"), "sqlite:/data/belfry.db");
  EXPECT_EQ(masked("postgres://me@host:5432/db"), "postgres://me@host:5432/db");
  EXPECT_EQ(masked("postgres://me:hunter2@host:5432/db"), "postgres://me:********@host:5432/db");
  EXPECT_EQ(masked("postgres://me:a@b/c@host/db"), "postgres://me:********@host/db");
  EXPECT_EQ(masked("postgres://host/db?user=me&password=hunter2&sslmode=require"),
            "postgres://host/db?user=me&password=********&sslmode=require");
  EXPECT_EQ(masked("bus=nats://hunter2@host:4222"), "bus=nats://********@host:4222");
  EXPECT_EQ(masked("postgres://host/db?sslpassword=hunter2"),
            "postgres://host/db?sslpassword=********");
}

TEST(ConfigurationTest, NamesAreUniqueAndPresetsAreRead) {
  std::vector<std::string_view> names;
  for (const Setting& setting : serve_settings()) {
    EXPECT_NE(setting.preset.empty(), setting.unset.empty()) << setting.name;
    names.push_back(setting.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(complaint({}), "none");
}

}  // namespace
}  // namespace belfry::config
