#include "core/target_secrets.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <array>
#include <optional>

namespace belfry::core {
namespace {

// Everything else may be a credential: who names a header does not ask us.
constexpr std::array<std::string_view, 7> kHarmlessHeaders{
    "accept",       "accept-encoding", "accept-language", "cache-control",
    "content-type", "prefer",          "user-agent"};

constexpr std::array<std::string_view, 7> kCredentialWords{"token", "secret", "passw", "key",
                                                           "sig",   "auth",   "cred"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ascii_lower);
  return out;
}

bool is_harmless(std::string_view header) {
  return std::ranges::find(kHarmlessHeaders, lower(header)) != kHarmlessHeaders.end();
}

bool is_credential(std::string_view parameter) {
  const std::string name = lower(parameter);
  return std::ranges::any_of(kCredentialWords, [&](std::string_view word) {
    return name.find(word) != std::string::npos;
  });
}

// A name that is given twice has two places.
std::string place_of(std::string_view parameter, std::map<std::string, int>& seen) {
  std::string place = "url?" + std::string(parameter);
  if (const int times = ++seen[place]; times > 1) place += "#" + std::to_string(times);
  return place;
}

void visit_url(std::string& url, const SecretVisitor& visit) {
  const std::size_t query = url.find('?');
  if (query == std::string::npos) return;
  const std::size_t end = std::min(url.find('#', query), url.size());
  std::string out = url.substr(0, query + 1);
  std::map<std::string, int> seen;
  for (std::size_t from = query + 1; from <= end;) {
    const std::size_t stop = std::min(url.find('&', from), end);
    const std::size_t equals = std::min(url.find('=', from), stop);
    out.append(url, from, equals - from);
    if (equals < stop) {
      std::string value = url.substr(equals + 1, stop - equals - 1);
      const std::string name = url.substr(from, equals - from);
      if (is_credential(name) && !value.empty()) visit(place_of(name, seen), value);
      out.append("=").append(value);
    }
    if (stop < end) out.append("&");
    from = stop + 1;
  }
  url = out + url.substr(end);
}

// All after the host, up to the query.
void visit_path(std::string& url, const SecretVisitor& visit) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return;
  const std::size_t slash = url.find_first_of("/?#", scheme + 3);
  if (slash == std::string::npos || url[slash] != '/') return;
  const std::size_t end = std::min(url.find_first_of("?#", slash), url.size());
  std::string path = url.substr(slash + 1, end - slash - 1);
  if (path.empty()) return;
  visit("url/", path);
  url.replace(slash + 1, end - slash - 1, path);
}

}  // namespace

void visit_secrets(Json& target, const SecretVisitor& visit) {
  if (!target.is_object()) return;
  const auto each = [&](const std::string& place, Json& value) {
    if (value.is_string()) visit(place, value.get_ref<std::string&>());
  };
  if (const auto secret = target.find("secret"); secret != target.end()) each("secret", *secret);
  if (const auto headers = target.find("headers");
      headers != target.end() && headers->is_object()) {
    for (auto& [name, value] : headers->items()) {
      if (!is_harmless(name)) each("headers/" + name, value);
    }
  }
  if (const auto url = target.find("url"); url != target.end() && url->is_string()) {
    const auto form = target.find("form");
    if (form != target.end() && *form == "slack") visit_path(url->get_ref<std::string&>(), visit);
    visit_url(url->get_ref<std::string&>(), visit);
  }
}

void resolve_secret_refs(Json& target,
                         const std::function<std::string(const std::string& name)>& find) {
  if (!target.is_object()) return;
  const auto name_in = [](const Json& object) -> std::optional<std::string> {
    const auto ref = object.is_object() ? object.find("secret_ref") : object.end();
    if (ref == object.end() || !ref->is_string()) return std::nullopt;
    return ref->get<std::string>();
  };
  if (const auto name = name_in(target)) {
    target["secret"] = find(*name);
    target.erase("secret_ref");
  }
  const auto headers = target.find("headers");
  if (headers == target.end() || !headers->is_object()) return;
  for (auto& [header, value] : headers->items()) {
    if (const auto name = name_in(value)) value = find(*name);
  }
}

std::vector<std::string> secret_refs_in(const Json& target) {
  Json copy = target;
  std::vector<std::string> names;
  resolve_secret_refs(copy, [&](const std::string& name) {
    names.push_back(name);
    return name;
  });
  return names;
}

std::map<std::string, std::string> secrets_in(const Json& target) {
  Json copy = target;
  std::map<std::string, std::string> found;
  visit_secrets(copy, [&](const std::string& place, std::string& value) { found[place] = value; });
  return found;
}

Json shown_target(const std::string& target) {
  auto parsed = parse_json(target);
  if (!parsed) return Json::object();
  visit_secrets(*parsed, [](const std::string&, std::string& value) { value = kHiddenSecret; });
  return *std::move(parsed);
}

std::string shown_url(std::string url) {
  visit_url(url, [](const std::string&, std::string& value) { value = kHiddenSecret; });
  return url;
}

}  // namespace belfry::core
