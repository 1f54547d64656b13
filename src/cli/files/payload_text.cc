#include "cli/files/payload_text.h"

#include "base/verbatim.h"
#include "cli/files/yaml.h"

#include <string>

namespace belfry::cli {
namespace {

constexpr const char* kText = "payload_text";

Status refuse(std::string message, std::string hint) {
  return fail({.code = Errc::kInvalid,
               .message = std::move(message),
               .field = kText,
               .hint = std::move(hint)});
}

bool survives_yaml(const Json& value, const std::string& text) {
  const auto documents = parse_yaml(to_yaml({{"payload", value}}));
  return documents && documents->size() == 1 && write_json(documents->front()["payload"]) == text;
}

}  // namespace

void show_payload(Json& job) {
  const auto payload = job.find("payload");
  if (payload == job.end() || !is_verbatim(*payload)) return;
  const std::string text = write_json(*payload);
  Json value = plain(*payload);
  if (survives_yaml(value, text)) {
    *payload = std::move(value);
    return;
  }
  Json shown = Json::object();
  for (const auto& [name, member] : job.items()) {
    if (name == "payload") {
      shown[kText] = text;
    } else {
      shown[name] = member;
    }
  }
  job = std::move(shown);
}

Status read_payload_text(Json& job) {
  const auto found = job.find(kText);
  if (found == job.end()) return {};
  if (job.contains("payload")) {
    return refuse("the job has a payload as well", "give one of them");
  }
  if (!found->is_string()) return refuse("it is a string that holds JSON", "put it in quotes");
  const std::string text(without_blanks(found->get_ref<const std::string&>()));
  if (const auto value = parse_json(text); !value) return refuse(value.error().message, "");
  job.erase(kText);
  job["payload"] = verbatim(text);
  return {};
}

}  // namespace belfry::cli
