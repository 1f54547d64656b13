#include "cli/text/queue_text.h"

#include "cli/text/text.h"

namespace belfry::cli {

std::string queue_words(const Json& queue) {
  const std::string kind = field(queue, "kind");
  const std::string name = field(queue, "name");
  if (kind == "EXEC") return name + " (commands)";
  if (kind == "TOPIC") return "broker " + name;
  if (kind == "HTTP") return "webhooks";
  return kind == "CHECKIN" ? "check-ins" : name;
}

}  // namespace belfry::cli
