#include "service/jobs/shown_target.h"

namespace belfry::service {

Json shown_target(const std::string& target) {
  auto parsed = parse_json(target);
  if (!parsed) return Json::object();
  if (parsed->is_object() && parsed->contains("secret")) (*parsed)["secret"] = kHiddenSecret;
  return *parsed;
}

}  // namespace belfry::service
