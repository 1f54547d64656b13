#include "cli/text/preview_text.h"

#include "cli/text/text.h"
#include "cli/text/when.h"

#include <ostream>

namespace belfry::cli {

void print_fires(const Json& preview, const Session& session) {
  const Json& next = preview.at("next");
  if (next.empty()) {
    session.out() << "  next  none\n";
    return;
  }
  std::string line;
  for (const Json& instant : next) {
    const std::string text = instant.get<std::string>();
    if (line.empty()) {
      line = "  next  " + moment(session, text);
    } else {
      line += ", " + (session.is_for_person() ? civil(text, session.now()) : text);
    }
  }
  session.out() << line << '\n';
  if (!preview.contains("delayed")) return;  // a server of before
  for (const Json& run : preview.at("delayed")) {
    session.out() << "        " << civil(field(run, "starts_at"), session.now()) << " is for "
                  << civil(field(run, "scheduled_for"), session.now())
                  << ", delayed by its calendar\n";
  }
}

void print_warnings(const Json& preview, const Session& session) {
  for (const Json& warning : preview.at("warnings")) {
    session.out() << painted("!", Paint::kWarn, session.look()) << ' '
                  << clean(field(warning, "message")) << '\n';
  }
}

}  // namespace belfry::cli
