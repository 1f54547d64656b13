#include "api/admin/secret_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "base/text/instant_text.h"
#include "service/secrets/reseal.h"

namespace belfry::api {
namespace {

constexpr std::size_t kLongestName = 100;

// Without its value: nobody is shown that again.
Json write_secret(const store::SecretRow& secret) {
  return {{"name", secret.name},
          {"created_at", format_instant(secret.created_at)},
          {"updated_at", format_instant(secret.updated_at)},
          {"updated_by", secret.updated_by}};
}

Outcome list_secrets(const Services& services, const Call& call,
                     std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "secrets", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  const TenantId tenant = call.principal.tenant;
  BELFRY_NEED(found, services.store.list_secrets(tenant, page.cursor, page.limit));
  Json items = Json::array();
  for (const store::SecretRow& secret : found) {
    if (secret.tenant == tenant) items.push_back(write_secret(secret));
  }
  std::optional<std::string> next;
  if (items.size() == page.limit) next = found.back().name;
  return page_response(call.request, std::move(items), next, "secrets");
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string::npos;
}

// A key that is missing is the server's configuration, not a mistake in the call.
Problem problem_with_key(const Error& error) {
  if (error.field != "secrets_key_file") return problem_of(error);
  return {.status = 409,
          .code = "no_key",
          .title = "The server cannot seal secrets",
          .detail = error.message + "; " + error.hint};
}

Outcome put_secret(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  body.require("value");
  const std::string value = body.text("value").value_or("");
  if (body.has("value") && value.empty()) {
    body.complain("value", "invalid", "it must not be empty");
  }
  if (value.find_first_of("\n\t") != std::string::npos) {
    body.complain("value", "invalid", "a secret is one line without tabs");
  }
  body.refuse_others();
  const std::string& name = call.at("secret");
  if (!is_name(name)) {
    complaints.push_back(
        {"", "invalid", "a secret's name has up to 100 letters, digits, dots, dashes and _", ""});
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto before = services.store.find_secret(call.principal.tenant, name);
  if (!before && before.error().code != Errc::kNotFound) return before.error();
  const auto put = services.secrets.put(call.principal.tenant, name, value, call.author());
  if (!put) return problem_with_key(put.error());
  return json_response(before ? 200 : 201, write_secret(*put));
}

Outcome delete_secret(const Services& services, const Call& call) {
  const auto deleted =
      services.secrets.remove(call.principal.tenant, call.at("secret"), call.author());
  if (deleted) return net::Response{.status = 204};
  Problem problem = problem_of(deleted.error());
  if (problem.status == 409) problem.code = "in_use";
  return problem;
}

Outcome rotate_secrets(const Services& services, const Call& call,
                       std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  const std::string cursor = body.text("cursor", 100).value_or("");
  const bool fresh = body.boolean("new_key").value_or(false);
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto done = service::reseal(services.store, services.secrets, cursor, fresh,
                                    call.principal.tenant, call.author());
  if (!done) return problem_with_key(done.error());
  return json_response(200, {{"key_id", done->key},
                             {"resealed", done->resealed},
                             {"next_cursor", done->next ? Json(*done->next) : Json()}});
}

}  // namespace

std::vector<Route> secret_routes() {
  const std::string secret = "/api/v1/secrets/{secret}";
  return {
      {"GET", "/api/v1/secrets", Access::kOperate, at_once(list_secrets), {"cursor", "limit"}},
      {"PUT", secret, Access::kAdminister, at_once(put_secret)},
      {"DELETE", secret, Access::kAdminister, at_once(delete_secret)},
      {"POST", "/api/v1/secrets:rotate", Access::kRoot, at_once(rotate_secrets)},
  };
}

}  // namespace belfry::api
