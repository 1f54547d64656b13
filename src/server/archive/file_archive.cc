#include "server/archive/file_archive.h"

#include "api/runs/run_codec.h"
#include "archive/day_writer.h"
#include "server/data_folder.h"

#include <algorithm>

namespace belfry::server {
namespace {

// Results stay as they were written, perhaps on several lines. Outside of strings a line's end is a
// blank in JSON, and within them it is never written as itself.
std::string on_one_line(std::string json) {
  std::ranges::replace_if(json, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return json;
}

}  // namespace

Result<FileArchive> FileArchive::open(const std::string& folder, store::TenantStore& tenants) {
  auto made = make_folder(folder);
  if (made) {
    const auto probe = archive::DayWriter::begin(folder, {});
    if (!probe) made = fail(probe.error());
  }
  if (!made) {
    Error error = made.error();
    error.code = Errc::kInvalid;
    error.field = "archive_dir";
    return fail(error);
  }
  return FileArchive(folder, tenants);
}

Status FileArchive::keep(std::chrono::sys_days day, const Pages& next_page) {
  BELFRY_TRY(writer, archive::DayWriter::begin(folder_, day));
  for (;;) {
    BELFRY_TRY(page, next_page());
    if (page.empty()) break;
    for (const store::RunRow& run : page) {
      BELFRY_TRY(tenant, name_of(run.tenant));
      BELFRY_CHECK(writer->add(on_one_line(write_json(api::write_run(run, tenant)))));
    }
  }
  BELFRY_CHECK(writer->finish());
  return {};
}

Result<std::string> FileArchive::name_of(TenantId tenant) {
  const auto known = names_.find(tenant);
  if (known != names_.end()) return known->second;
  BELFRY_TRY(found, tenants_->find_tenant(tenant));
  return names_.emplace(tenant, found.name).first->second;
}

}  // namespace belfry::server
