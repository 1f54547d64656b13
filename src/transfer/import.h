#pragma once

#include "base/result.h"
#include "core/restore/missed_ticks.h"
#include "core/schedule/zone_catalog.h"
#include "service/secrets/secret_box.h"
#include "store/store.h"

#include <cstddef>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace belfry::transfer {

struct Imported {
  std::map<std::string, std::size_t> made;   // by kind
  std::map<std::string, std::size_t> there;  // of that name, and so left alone
  std::int64_t runs = 0;                     // for missed ticks
  std::vector<std::string> notes;            // what somebody should look at
};

struct ImportWorld {
  store::Store& store;
  service::SecretBox& secrets;  // started; with the keys of the export's secrets, too
  core::ZoneCatalog& zones;
};

// Puts an export into a store, also one that is in use. What has the same name there stays as it
// is, so a second import goes on where the first one broke off. Everything is read, and every
// secret opened, before anything is written: kInvalid then says which line is wrong.
//
// New jobs begin to tick now. Of ticks that the old store had not decided when it was exported, as
// many run as `missed` says: none, the newest of each job, or all.
Result<Imported> import_all(const ImportWorld& world, std::istream& in, core::MissedTicks missed);

}  // namespace belfry::transfer
