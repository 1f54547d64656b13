#pragma once

#include "cli/frame/command.h"
#include "cli/frame/session.h"

#include <cstddef>
#include <string>
#include <vector>

// Finding the objects a person names.
namespace belfry::cli {

// A problem with a job of this name; if there is no such job, the nearest name is proposed.
Problem with_suggestion(Problem problem, const std::string& job, client::Client& client);

// Its fields as the flags that are called like them.
Problem with_options(Problem problem);

// A run is named by its id, or by enough of its beginning.
bool is_run_id(const std::string& text);
bool looks_like_run(const std::string& text);
// The id of the run that `text` names. Of a beginning only the newest thousand runs are looked
// through: those of its job if the job's part is whole, otherwise all.
Answer<std::string> find_run(const std::string& text, client::Client& client);

// Whether this may be the beginning of a job's id: six characters of it, but not all.
bool may_be_cut_job_id(const std::string& text);
// The id of the job that such a text names. A job of that very name goes first, and a text that
// names nothing is returned as it is, for the verb to complain about. Of the tenant's jobs the
// first ten thousand are looked through.
Answer<std::string> whole_job_id(const std::string& text, client::Client& client);

// The time zone of a job, in which times about it are read.
Answer<std::string> zone_of(const std::string& job, client::Client& client);

// Which jobs a command is about.
struct JobFilter {
  std::vector<std::string> labels;  // -l KEY=VALUE, all must match
  std::string status;
  std::string type;
  std::string text;
  bool failing = false;

  bool is_empty() const {
    return labels.empty() && status.empty() && type.empty() && text.empty() && !failing;
  }
};

void add_selector(Command& command, JobFilter& filter);

client::Query to_query(const JobFilter& filter);

inline constexpr std::size_t kAll = 1'000'000'000;

// Entries of a list, up to a limit; `more` says whether there are others.
struct Listing {
  Json items = Json::array();
  bool more = false;
};
Answer<Listing> list(client::Client& client, const std::string& path, client::Query query,
                     std::size_t most);

// The job types of which something is said; none of a server that does not know any.
Answer<Json> types_of(client::Client& client);

}  // namespace belfry::cli
