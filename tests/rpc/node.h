#pragma once

#include "client/client.h"
#include "tests/support/child_process.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace belfry::test {

// A limit for broken tests, never a measurement.
constexpr int kPatienceMillis = 60'000;

inline std::string fresh_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "belfry-rpc-XXXXXX").string();
  EXPECT_NE(mkdtemp(pattern.data()), nullptr);
  return pattern;
}

// A node on SQLite, as long as this object lives.
class Node {
 public:
  explicit Node(const std::vector<std::string>& arguments = {})
      : folder_(fresh_folder()), process_(command(arguments)) {
    address = find(R"(listening address=([0-9.:]+))");
    grpc = find(R"(grpc_ready grpc=([0-9.:]+))");
  }
  ~Node() {
    process_.signal(SIGTERM);
    EXPECT_EQ(process_.wait(), 0);
    std::filesystem::remove_all(folder_);
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::string address;
  std::string grpc;

 private:
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{
        BELFRY_BINARY,   "serve",       "--store",       "sqlite:" + folder_ + "/b.db",
        "--listen",      "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0",
        "--with-worker", "off",         "--log-format",  "text"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }
  std::string find(const std::string& pattern) {
    for (int waited = 0; waited < kPatienceMillis; waited += 20) {
      const std::string log = process_.log();
      std::smatch match;
      if (std::regex_search(log, match, std::regex(pattern))) return match[1];
      poll(nullptr, 0, 20);
    }
    ADD_FAILURE() << "never said: " << pattern << "\n" << process_.log();
    return "";
  }

  const std::string folder_;
  ChildProcess process_;
};

// What a node answers to a call of REST.
inline Json ask(const Node& node, const std::string& key, const std::string& tenant,
                const std::string& method, const std::string& path, std::optional<Json> body = {}) {
  auto client =
      client::Client::make({.server = "http://" + node.address, .token = key, .tenant = tenant});
  EXPECT_TRUE(client);
  auto reply = client->call({.method = method, .path = "/api/v1/" + path, .body = std::move(body)});
  EXPECT_TRUE(reply) << path;
  return reply ? reply->body : Json();
}

// The secret of a new key. Without a key of an admin it is the node's first.
inline std::string make_key(const Node& node, const std::string& by, const std::string& tenant,
                            const std::string& scope) {
  return ask(node, by, by.empty() ? "" : tenant, "POST", "keys",
             Json{{"name", scope + " of " + tenant}, {"scope", scope}})
      .value("secret", "");
}

}  // namespace belfry::test
