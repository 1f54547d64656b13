#pragma once

#include "core/schedule/zone_catalog.h"
#include "import/report.h"

#include <cstdint>
#include <string>

namespace belfry::importer {

enum class CrontabStyle : std::uint8_t {
  kUser,     // `crontab -l`: five fields and a command
  kSystem,   // /etc/crontab and /etc/cron.d: the sixth column names the user
  kAnacron,  // /etc/anacrontab: period, delay, name, command
};

struct CrontabOptions {
  CrontabStyle style = CrontabStyle::kUser;
  std::string owner;  // whose crontab it is, with kUser; empty: not known
};

// One entry for each line that is not blank; variables hold for the lines below them.
ImportReport import_crontab(const SourceFile& file, const CrontabOptions& crontab,
                            const ImportOptions& options, core::ZoneCatalog& zones);

}  // namespace belfry::importer
