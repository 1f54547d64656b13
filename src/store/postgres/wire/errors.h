#pragma once

#include "base/error.h"

#include <string>
#include <string_view>

namespace belfry::store::postgres {

// What an error of the server means for us.
struct Verdict {
  Errc code = Errc::kInternal;
  bool contention = false;  // lost a race inside the database: the same again may well succeed
  bool reconnect = false;   // this connection is useless now; a new one may work
  bool pooler = false;      // a transaction pooler seems to be in between
};

// By the five letters the server gives. An error the server reports as such always means that the
// transaction was rolled back; a connection that breaks off is another matter (see Connection).
Verdict classify(std::string_view sqlstate);

// What libpq says of a connection that failed, without where it wanted to go: that is shown to
// callers who have no business with it.
std::string without_address(std::string_view message);

}  // namespace belfry::store::postgres
