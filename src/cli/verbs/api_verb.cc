#include "base/text/ascii.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct ApiAsk {
  std::string method;
  std::string path;
  std::string data;
};

Answer<int> call(const ApiAsk& ask, Session& session) {
  client::Ask request{.method = in_capitals(ask.method), .path = ask.path};
  if (!request.path.starts_with('/')) request.path.insert(0, "/api/v1/");
  if (const std::size_t mark = request.path.find('?'); mark != std::string::npos) {
    const auto query = net::parse_query(std::string_view(request.path).substr(mark + 1));
    if (!query)
      return fail(Problem(Problem::Kind::kInvalid, "the query has a broken percent code"));
    request.query = *query;
    request.path.resize(mark);
  }
  if (!ask.data.empty()) {
    BELFRY_TRY(body, read_payload(ask.data, session));
    request.body = std::move(body);
  }
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(reply, client->call(request));
  if (reply.body.is_null()) {
    session.say(std::to_string(reply.status) + " " + net::reason_phrase(reply.status));
  } else if (reply.body.is_string()) {
    const std::string text = reply.body.get<std::string>();
    session.out() << (session.is_for_person() ? clean_lines(text) : text);
  } else {
    session.print(reply.body);
  }
  return int{kOk};
}

}  // namespace

void add_api_verb(const Program& program) {
  const auto ask = std::make_shared<ApiAsk>();
  Command& command = program.verb("api", "any call of the REST API, for what has no command",
                                  [ask](Session& session) { return call(*ask, session); });
  command.option("method", ask->method, "GET, POST, …").required();
  command.option("path", ask->path, "/api/v1/jobs, or jobs").required();
  command.option("-d,--data", ask->data, "the body").type("JSON|@FILE");
  command.examples({"belfry api GET 'jobs?limit=3'"});
}

}  // namespace belfry::cli
