#include "cli/browser/open_verb.h"

#include "cli/browser/browser.h"
#include "cli/frame/session.h"
#include "cli/text/text.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

// Of a link: where it leads, and until when. Somebody whose key is asked for gets no link, but the
// console asks them for it.
struct Way {
  std::string address;
  std::string expires_at;  // empty: no link
};

Answer<Way> find_way(client::Client& client) {
  std::string address = client.server();
  while (address.ends_with('/')) address.pop_back();
  if (address.starts_with("unix:")) {
    return fail(Problem(Problem::Kind::kInvalid, "a browser cannot open `" + address + "`", "",
                        "name the node's address: belfry --server http://127.0.0.1:7070 open"));
  }
  const auto link = client.post("/api/v1/session/links");
  if (link) return Way{address + field(*link, "path"), field(*link, "expires_at")};
  if (link.error().kind != Problem::Kind::kRefused) return fail(link.error());
  return Way{address + "/", ""};
}

Answer<int> open_console(bool only_print, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(way, find_way(*client));
  if (!session.is_table()) {
    session.print({{"url", way.address},
                   {"expires_at", way.expires_at.empty() ? Json() : Json(way.expires_at)}});
    return int{kOk};
  }
  session.out() << way.address << '\n';
  session.say(way.expires_at.empty()
                  ? "sign in there with a key; this command was given none that opens the console"
                  : "it signs in once, within five minutes; keep it to yourself");
  const bool is_wanted = !only_print && session.is_for_person();
  if (is_wanted && open_in_browser(way.address, session.terminal().environment)) {
    session.say("the browser is being opened");
  }
  return int{kOk};
}

}  // namespace

void add_open_verb(const Program& program) {
  const auto only_print = std::make_shared<bool>(false);
  Command& command =
      program.verb("open", "the web console in your browser, signed in by a link that is good once",
                   [only_print](Session& session) { return open_console(*only_print, session); });
  command.flag("--print", *only_print, "print the link, open no browser");
  command.examples({"belfry open", "belfry open --print"});
}

}  // namespace belfry::cli
