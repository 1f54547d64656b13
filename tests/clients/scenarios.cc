// Runs clients/scenarios.json with the C++ client against a server: scenarios FILE
// SERVER [NAME-PART]
#include "base/real_clock.h"
#include "client/client.h"
#include "client/events.h"
#include "client/pages.h"
#include "tests/clients/matching.h"
#include "tests/clients/webhook_vectors.h"
#include "tests/support/event.h"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

namespace belfry::scenarios {
namespace {

using client::Answer;
using client::Ask;
using client::Client;
using client::Problem;
using std::chrono::seconds;

constexpr Duration kPatience = seconds(60);  // a limit for what is broken

// An operation of the server's own document.
struct Operation {
  std::string method;
  std::string path;
};
using Operations = std::map<std::string, Operation>;

const char* word_of(Problem::Kind kind) {
  switch (kind) {
    case Problem::Kind::kInvalid: return "invalid";
    case Problem::Kind::kNotFound: return "not_found";
    case Problem::Kind::kConflict: return "conflict";
    case Problem::Kind::kRefused: return "refused";
    case Problem::Kind::kUnreachable: return "unreachable";
    case Problem::Kind::kTimedOut: return "timed_out";
    case Problem::Kind::kFailed:
    case Problem::Kind::kPartial: break;
  }
  return "failed";
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? std::string() : found->get<std::string>();
}

const Json& part_of(const Json& object, const char* name) {
  static const Json kNothing = Json::object();
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

std::string path_of(const Operation& operation, const Json& parts) {
  constexpr std::string_view kJob = "/api/v1/jobs/{job}";
  constexpr std::string_view kRun = "/api/v1/runs/{run}";
  const std::string& path = operation.path;
  const Json& given = part_of(parts, "path");
  if (path.starts_with(kJob)) {
    std::string rest = path.substr(kJob.size());
    constexpr std::string_view kVersion = "{version}";
    if (const std::size_t at = rest.find(kVersion); at != std::string::npos) {
      rest.replace(at, kVersion.size(), write_json(given.at("version")));
    }
    return client::job_path(text_of(given, "job"), rest);
  }
  if (path.starts_with(kRun)) {
    return client::path_of("runs", text_of(given, "run"), path.substr(kRun.size()));
  }
  return path;
}

client::Query query_of(const Json& parts) {
  client::Query query;
  for (const auto& [name, value] : part_of(parts, "query").items()) {
    query.push_back({name, value.is_string() ? value.get<std::string>() : write_json(value)});
  }
  return query;
}

Ask ask_of(const Operation& operation, const Json& parts) {
  Ask ask{.method = operation.method,
          .path = path_of(operation, parts),
          .query = query_of(parts),
          .headers = {}};
  if (const auto body = parts.find("body"); body != parts.end()) ask.body = *body;
  if (parts.contains("key")) ask.headers.set("Idempotency-Key", text_of(parts, "key"));
  if (parts.contains("version")) {
    ask.headers.set("If-Match", "\"" + write_json(parts["version"]) + "\"");
  }
  if (parts.contains("create_only")) ask.headers.set("If-None-Match", "*");
  return ask;
}

// The clients of the other languages return the list inside the answer.
Json unwrapped(const std::string& operation, Json body) {
  if (operation == "claimRuns") return body.at("runs");
  if (operation == "beatRuns" || operation == "completeRuns") return body.at("results");
  return body;
}

class Runner {
 public:
  Runner(std::string server, const Operations& operations, std::string id)
      : server_(std::move(server)), operations_(operations) {
    variables_["id"] = std::move(id);
  }

  // What is wrong, if anything.
  std::optional<std::string> step(const Json& step) {
    const RealClock clock;
    const BootInstant give_up = clock.boot_now() + seconds(step.value("within", 0));
    Json filled = step;
    filled.erase("watch");
    filled = fill(filled, variables_);
    Json got;
    for (;;) {
      const auto wrong =
          step.contains("watch") ? watch(filled, step["watch"], got) : check(filled, got);
      if (!wrong) break;
      if (clock.boot_now() >= give_up) return wrong;
      client::wait(std::chrono::milliseconds(50));
    }
    for (const auto& [name, pointer] : part_of(step, "save").items()) {
      variables_[name] = got.at(Json::json_pointer(pointer.get<std::string>()));
    }
    return {};
  }

 private:
  Answer<Client> client_for(const Json& step) const {
    return Client::make({.server = step.value("server", server_),
                         .token = text_of(step, "token"),
                         .timeout = kPatience,
                         .patience = seconds(step.contains("server") ? 0 : 5)});
  }

  static Answer<Json> list(Client& client, const Ask& ask, int page) {
    client::Pages pages(client, ask.path, ask.query, page);
    Json all = Json::array();
    for (;;) {
      BELFRY_TRY(entry, pages.next());
      if (!entry) return all;
      all.push_back(*std::move(entry));
    }
  }

  Answer<Json> ask(const Json& step) const {
    BELFRY_TRY(client, client_for(step));
    const bool is_list = step.contains("list");
    const std::string name = text_of(step, is_list ? "list" : "do");
    const Ask ask = ask_of(operations_.at(name), part_of(step, "with"));
    if (is_list) return list(client, ask, step.value("page", 500));
    BELFRY_TRY(reply, client.call(ask));
    return unwrapped(name, std::move(reply.body));
  }

  std::optional<std::string> check(const Json& step, Json& got) const {
    auto answer = ask(step);
    if (!answer) {
      const Problem& problem = answer.error();
      const Json told{{"kind", word_of(problem.kind)}, {"code", problem.code}};
      if (!step.contains("refused")) return write_json(told) + ": " + problem.what;
      Json wanted = step["refused"];
      wanted.erase("fields");  // a Problem has them as text
      return mismatch(wanted, told);
    }
    got = *std::move(answer);
    if (step.contains("refused")) return "expected to be refused, got " + write_json(got);
    return step.contains("expect") ? mismatch(step["expect"], got) : std::nullopt;
  }

  // Does the steps while it listens, until the event comes.
  std::optional<std::string> watch(const Json& step, const Json& watched, Json& got) {
    test::Event opened;
    test::Event seen;
    std::atomic<bool> leave = false;
    std::thread listener([&] {
      auto client = client_for(step);
      client::EventReader reader;
      const auto on_line = [&](std::string_view line) {
        opened.happen();
        if (const auto event = reader.line(line)) {
          const Json told{{"id", event->id},
                          {"name", event->name},
                          {"data", parse_json(event->data).value_or(Json())}};
          if (!mismatch(step["expect"], told)) {
            got = told;
            leave = true;
            seen.happen();
          }
        }
        return !leave;
      };
      (void)client->stream("/api/v1/events", text_of(step, "after"), kPatience, on_line);
    });
    std::optional<std::string> wrong;
    if (!opened.wait()) wrong = "the stream does not open";
    for (const Json& each : watched) {
      if (!wrong) wrong = this->step(each);
    }
    if (!wrong && !seen.wait()) wrong = "no such event: " + write_json(step["expect"]);
    leave = true;  // at the next line; the server sends one every now and then
    listener.join();
    return wrong;
  }

  std::string server_;
  const Operations& operations_;
  Variables variables_;
};

Operations read_operations(const std::string& server) {
  Operations operations;
  auto client = Client::make({.server = server});
  const Json document = client->get("/openapi.json").value();
  for (const auto& [path, methods] : document.at("paths").items()) {
    for (const auto& [method, operation] : methods.items()) {
      if (!operation.is_object() || !operation.contains("operationId")) continue;
      std::string upper = method;
      for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
      operations[operation["operationId"].get<std::string>()] = {upper, path};
    }
  }
  return operations;
}

bool run(const std::string& server, const Operations& operations, const Json& scenario,
         int number) {
  Runner runner(server, operations,
                "s-" + std::to_string(::getpid()) + "-" + std::to_string(number));
  int at = 0;
  for (const Json& step : scenario.at("steps")) {
    ++at;
    if (const auto wrong = runner.step(step)) {
      std::cout << "FAILED  " << text_of(scenario, "name") << "\n  step " << at << ": "
                << write_json(step).substr(0, 300) << "\n  " << *wrong << "\n";
      return false;
    }
  }
  std::cout << "ok      " << text_of(scenario, "name") << "\n";
  return true;
}

int run_all(const std::string& file, const std::string& server, const std::string& part) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const Json scenarios = parse_json(text.str()).value();
  const Operations operations = read_operations(server);
  int good = 0;
  int all = 0;
  for (const Json& scenario : scenarios.at("scenarios")) {
    if (text_of(scenario, "name").find(part) == std::string::npos) continue;
    ++all;
    if (run(server, operations, scenario, all)) ++good;
  }
  for (const Json& vector : scenarios.at("webhooks")) {
    if (text_of(vector, "name").find(part) == std::string::npos) continue;
    ++all;
    const auto wrong = check_signature(vector);
    if (!wrong) ++good;
    std::cout << (wrong ? "FAILED  " : "ok      ") << "webhook: " << text_of(vector, "name")
              << (wrong ? ": " + *wrong : "") << "\n";
  }
  std::cout << good << " of " << all << " passed\n";
  return all > 0 && good == all ? 0 : 1;
}

}  // namespace
}  // namespace belfry::scenarios

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: scenarios FILE SERVER [NAME-PART]\n";
    return 2;
  }
  return belfry::scenarios::run_all(argv[1], argv[2], argc > 3 ? argv[3] : "");
}
