#include "cli/verbs/job_editor.h"

#include "cli/files/job_diff.h"
#include "cli/files/payload_text.h"
#include "cli/files/yaml.h"
#include "cli/frame/lookup.h"
#include "cli/text/preview_text.h"
#include "cli/text/text.h"
#include "cli/verbs/job_warnings.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <ostream>

namespace belfry::cli {
namespace {

// A file that is deleted with its owner.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    const int file = ::mkstemps(path_.data(), 5);
    if (file < 0) return;
    ::close(file);
    made_ = true;
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() {
    if (made_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/belfry-XXXXXX.yaml";
  bool made_ = false;
};

std::string editor_of(const Session& session) {
  const auto& environment = session.terminal().environment;
  if (!environment) return "vi";
  for (const char* name : {"VISUAL", "EDITOR"}) {
    if (std::string editor = environment(name); !editor.empty()) return editor;
  }
  return "vi";
}

Answer<Json> edited(const Json& before, const Session& session) {
  const TemporaryFile file(
      "# Save and quit to change the job; quit without an edit to change nothing.\n" +
      to_yaml(before));
  const std::string editor = editor_of(session);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string line = editor + " \"$1\"";
    ::execl("/bin/sh", "sh", "-c", line.c_str(), "sh", file.path().c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) {
    return fail(Problem(Problem::Kind::kInvalid, "the editor `" + editor + "` failed", "",
                        "set EDITOR, or give the changes as flags"));
  }
  std::ifstream in(file.path());
  BELFRY_TRY(documents, parse_yaml(read_all(in)));
  if (documents.size() != 1 || !documents[0].is_object()) {
    return fail(Problem(Problem::Kind::kInvalid, "the file must hold exactly one job"));
  }
  BELFRY_CHECK(read_payload_text(documents[0]));
  return std::move(documents[0]);
}

Answer<client::Reply> replace(client::Client& client, const Json& job, const Json& body,
                              const Session& session) {
  const Json before = normalised(job);
  BELFRY_TRY(types, types_of(client));
  const Json after = normalised(body, types);
  const std::vector<FieldChange> changes = changes_between(before, after);
  if (changes.empty()) return client::Reply{.body = job};
  for (const FieldChange& change : changes) session.say("  " + clean(to_string(change)));
  return client.call({.method = "PUT",
                      .path = client::job_path(field(job, "job_id")),
                      .body = body,
                      .headers = {{"If-Match", "\"" + field(job, "version") + "\""}}});
}

}  // namespace

Answer<int> edit_job(const std::string& name, const JobFlags& flags, Session& session) {
  BELFRY_CHECK(to_fields(flags, session));  // complains before anybody is asked
  BELFRY_TRY(client, session.client());
  auto found = client->call({.path = client::job_path(name), .keeping = "/payload"});
  if (!found) return fail(with_suggestion(found.error(), name, *client));
  const Json job = std::move(found->body);
  BELFRY_TRY(fields, to_fields(flags, session, field(job, "timezone")));
  client::Reply reply;
  if (fields.empty()) {
    if (session.globals().no_input || !session.terminal().screen.in_is_terminal) {
      return fail(Problem(Problem::Kind::kInvalid, "no change was given", "",
                          "give flags, such as --timeout 10m, or call it from a terminal"));
    }
    BELFRY_TRY(types, types_of(*client));
    BELFRY_TRY(body, edited(written(job, types), session));
    BELFRY_TRY(replaced, replace(*client, job, body, session));
    reply = std::move(replaced);
  } else {
    auto patched = client->call({.method = "PATCH",
                                 .path = client::job_path(field(job, "job_id")),
                                 .body = fields,
                                 .headers = {{"If-Match", "\"" + field(job, "version") + "\""},
                                             {"Content-Type", "application/merge-patch+json"}}});
    if (!patched) return fail(with_flags(patched.error()));
    reply = *std::move(patched);
  }
  if (!session.is_table()) {
    session.print(reply.body);
    return int{kOk};
  }
  if (field(reply.body, "version") == field(job, "version")) {
    session.say("nothing changed");
    return int{kOk};
  }
  session.out() << painted("✓", Paint::kGood, session.look()) << ' ' << clean(name)
                << " changed, version " << field(reply.body, "version") << '\n';
  BELFRY_TRY(preview,
             client->get(client::job_path(field(job, "job_id"), "/next"), {{"count", "3"}}));
  print_fires(preview, session);
  if (preview.at("next").empty()) {
    session.say("it will not run: `belfry get " + name + "` tells why");
  }
  print_warnings(preview, session);
  warn_of_targets(*client, {reply.body}, session);
  return int{kOk};
}

}  // namespace belfry::cli
