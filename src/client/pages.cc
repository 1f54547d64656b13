#include "client/pages.h"

#include <utility>

namespace belfry::client {

Pages::Pages(Client& client, std::string path, Query query, int page)
    : client_(client), path_(std::move(path)), query_(std::move(query)) {
  query_.push_back({"limit", std::to_string(page)});
}

Answer<void> Pages::fetch() {
  Query query = query_;
  if (!cursor_.empty()) query.push_back({"cursor", cursor_});
  BELFRY_TRY(page, client_.get(path_, std::move(query)));
  if (!page.is_object() || !page.contains("items") || !page["items"].is_array()) {
    return fail(Problem(Problem::Kind::kUnreachable, "the server's answer is not a list"));
  }
  items_ = std::move(page["items"]);
  at_ = 0;
  const auto next = page.find("next_cursor");
  const std::string cursor =
      next != page.end() && next->is_string() ? next->get<std::string>() : std::string();
  last_ = cursor.empty() || cursor == cursor_;  // a cursor that does not move would never end
  cursor_ = cursor;
  return {};
}

Answer<std::optional<Json>> Pages::next() {
  while (at_ == items_.size()) {  // a page may be empty and still not be the last
    if (last_) return std::optional<Json>();
    const auto fetched = fetch();
    if (!fetched) return fail(fetched.error());
  }
  return std::optional<Json>(std::move(items_[at_++]));
}

}  // namespace belfry::client
