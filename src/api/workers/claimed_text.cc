#include "api/workers/claimed_text.h"

#include "base/json.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"

#include <algorithm>
#include <string_view>

namespace belfry::api {
namespace {

bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

// Text that other people wrote.
void add_quoted(std::string& out, std::string_view text) {
  if (std::ranges::any_of(text, needs_escape)) {
    out += write_json(Json(std::string(text)));
  } else {
    out.append("\"").append(text).append("\"");
  }
}

class Writer {
 public:
  Writer(const service::Services& services, const service::AskedFor& asked)
      : services_(services), asked_(asked) {}

  void add(const store::ClaimedRun& run) {
    const std::string id = core::write_run_id(run.run);
    out_.append(is_first_ ? "{" : ",{");
    is_first_ = false;
    plain("\"run_id\":", id);
    plain(",\"attempt_id\":", service::attempt_id_of(run));
    number(",\"attempt\":", run.attempt.value());
    number(",\"fence\":", run.fence.value());
    plain(",\"job_id\":", core::write_job_id(run.run.job));
    quoted(",\"job_name\":", run.job_name);
    quoted(",\"job_type\":", run.job_type);
    quoted(",\"tenant_id\":", services_.tenants.name_of(run.tenant));
    plain(",\"scheduled_for\":", format_instant(run.scheduled_for));
    plain(",\"lease_until\":", format_instant(run.lease_until));
    plain(",\"deadline\":", format_instant(run.deadline));
    number(",\"stands_for\":", run.stands_for);
    plain(",\"idempotency_key\":", id);
    plain(",\"traceparent\":", service::traceparent_of(services_, run));
    number(",\"waited_ms\":", service::waited_for(services_, run, asked_).count() / 1'000);
    out_.append(",\"target\":").append(targets_.of(run));
    // As the store keeps it: JSON that was checked when it came in.
    out_.append(",\"payload\":").append(run.payload.empty() ? "null" : run.payload);
    out_.append("}");
  }
  std::string take() { return std::move(out_.append("]}")); }

 private:
  void plain(std::string_view name, std::string_view value) {
    out_.append(name).append("\"").append(value).append("\"");
  }
  void quoted(std::string_view name, std::string_view value) {
    out_.append(name);
    add_quoted(out_, value);
  }
  template <typename Number>
  void number(std::string_view name, Number value) {
    out_.append(name).append(std::to_string(value));
  }

  const service::Services& services_;
  const service::AskedFor& asked_;
  std::string out_ = "{\"runs\":[";
  bool is_first_ = true;
  service::ShownTargets targets_;
};

}  // namespace

std::string claimed_text(const service::Services& services, std::span<const store::ClaimedRun> runs,
                         const service::AskedFor& asked) {
  Writer writer(services, asked);
  for (const store::ClaimedRun& run : runs) writer.add(run);
  return writer.take();
}

}  // namespace belfry::api
