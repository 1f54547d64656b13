#pragma once

#include "core/restore/missed_ticks.h"

#include <cstdint>
#include <string>

namespace belfry::config {

// What is done to a store directly, without a server.
struct UpkeepOptions {
  enum class Task : std::uint8_t {
    kShowMigrations,  // those that are not applied yet
    kMigrate,
    kBackup,
    kRestore,
    kExport,  // to stdout
    kImport,
    kAdminKey,  // for when no admin key is left
  };
  Task task{};
  std::string store;                  // sqlite:PATH or postgres://...
  std::string subject;                // the file, or the key's name
  core::MissedTicks missed{};         // with kRestore and kImport
  std::string secrets_key_file = {};  // as in ServeOptions; these two with kImport
  std::string secrets_key = {};
};

}  // namespace belfry::config
