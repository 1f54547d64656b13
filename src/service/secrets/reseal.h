#pragma once

#include "service/secrets/secret_box.h"
#include "store/store.h"

#include <cstddef>
#include <optional>
#include <string>

namespace belfry::service {

// One step of a rotation.
struct Resealed {
  std::string key;                  // the id of the key that everything is to be sealed with
  std::size_t resealed = 0;         // values in this step
  std::optional<std::string> next;  // go on from here; none: a whole pass is over
};

// Seals with the newest key what is sealed with another one, or stands in the clear: some thousand
// rows, from `cursor` on (empty: from the beginning). After a pass that found nothing left to do
// the store forgets the older keys, and nodes start without them. `fresh`: with a new key, if this
// node keeps its keys itself; else the keys are read again, and whoever configured them has put a
// new one first. kInvalid: something does not open, or the cursor is none of ours.
//
// Rules of alerts, which have receivers with secrets, are put anew by the author; messages that are
// under way stay as they are.
//
// Each step leaves a row in the audit of `tenant`, the caller's, before it changes anything.
Result<Resealed> reseal(store::Store& store, SecretBox& box, const std::string& cursor, bool fresh,
                        TenantId tenant, const store::Author& author);

}  // namespace belfry::service
