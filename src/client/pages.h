#pragma once

#include "client/client.h"

#include <cstddef>
#include <optional>
#include <string>

namespace belfry::client {

// Reads a list of the API entry by entry, and fetches only the pages that are needed.
class Pages {
 public:
  // `client` must outlive it. `page` is how many entries are fetched at a time.
  Pages(Client& client, std::string path, Query query, int page = 500);

  // The next entry; none at the end.
  Answer<std::optional<Json>> next();

 private:
  Answer<void> fetch();

  Client& client_;
  std::string path_;
  Query query_;
  Json items_ = Json::array();
  std::size_t at_ = 0;
  std::string cursor_;
  bool last_ = false;
};

}  // namespace belfry::client
