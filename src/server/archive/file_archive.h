#pragma once

#include "engine/chores/archivist.h"
#include "store/tenants.h"

#include <map>
#include <string>

namespace belfry::server {

// Past runs in a folder of this machine, as the REST API writes them: a file for each day.
class FileArchive : public engine::HistoryArchive {
 public:
  // kInvalid (field: archive_dir) when nothing can be written there: better known at the start
  // than when the first day is to go.
  static Result<FileArchive> open(const std::string& folder, store::TenantStore& tenants);

  Status keep(std::chrono::sys_days day, const Pages& next_page) override;

 private:
  FileArchive(std::string folder, store::TenantStore& tenants)
      : folder_(std::move(folder)), tenants_(&tenants) {}
  Result<std::string> name_of(TenantId tenant);

  std::string folder_;
  store::TenantStore* tenants_;
  std::map<TenantId, std::string> names_;
};

}  // namespace belfry::server
