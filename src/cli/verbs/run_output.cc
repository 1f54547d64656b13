#include "cli/verbs/run_output.h"

#include "cli/text/text.h"

#include <ostream>
#include <sstream>

namespace belfry::cli {

Answer<Json> output_of(const std::string& run, const std::string& attempt, client::Client& client) {
  client::Query query;
  if (!attempt.empty()) query.push_back({"attempt", attempt});
  return client.get(client::path_of("runs", run, "/log"), query);
}

std::string last_lines(const std::string& text, std::size_t count) {
  std::size_t begin = text.ends_with('\n') ? text.size() - 1 : text.size();
  while (begin > 0 && (text[begin - 1] != '\n' || --count > 0)) --begin;
  return text.substr(begin);
}

void print_last_lines(const Json& run, client::Client& client, const Session& session) {
  constexpr std::size_t kLines = 10;
  const auto log = output_of(field(run, "run_id"), "", client);
  if (!log) return;
  const std::string text = log->value("log", "");
  const std::string last = last_lines(text, kLines);
  if (last.size() < text.size()) {
    session.say("  … all of it:  belfry logs " + field(run, "run_id"));
  }
  std::istringstream lines(clean_lines(last));
  for (std::string line; std::getline(lines, line);) {
    session.out() << "  " << painted("│", Paint::kDim, session.look()) << ' ' << line << '\n';
  }
}

}  // namespace belfry::cli
