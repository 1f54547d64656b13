#include "engine/proof/ledger_pass.h"

#include "base/json.h"
#include "core/id_text.h"
#include "core/spelling.h"

#include <utility>

namespace belfry::engine {
namespace {

using Kind = LedgerPass::Kind;

constexpr core::Words<Kind, 3> kKinds{
    {{"check", Kind::kCheck}, {"tally", Kind::kTally}, {"sign", Kind::kSign}}};

}  // namespace

std::string write_pass(const std::optional<LedgerPass>& pass) {
  if (!pass) return "";
  return write_json({{"kind", core::word_for(pass->kind, kKinds)},
                     {"after", pass->window.after.micros()},
                     {"through", pass->window.through.micros()},
                     {"job", core::write_job_id(pass->place.job)},
                     {"at", pass->place.at ? Json(pass->place.at->micros()) : Json()},
                     {"reached", pass->reached.micros()},
                     {"as_of", pass->as_of.micros()}});
}

std::optional<LedgerPass> read_pass(const std::string& text) {
  const auto json = parse_json(text);
  if (!json || !json->is_object()) return std::nullopt;
  LedgerPass pass;
  const auto kind = core::meaning_of(json->value("kind", std::string()), kKinds);
  const auto job = core::read_job_id(json->value("job", std::string()));
  if (!kind || !job) return std::nullopt;
  pass.kind = *kind;
  pass.place.job = *job;
  for (const auto& [name, field] :
       {std::pair("after", &pass.window.after), std::pair("through", &pass.window.through),
        std::pair("reached", &pass.reached), std::pair("as_of", &pass.as_of)}) {
    if (!json->contains(name) || !json->at(name).is_number_integer()) return std::nullopt;
    *field = Instant::from_micros(json->at(name).get<std::int64_t>());
  }
  if (json->contains("at") && json->at("at").is_number_integer()) {
    pass.place.at = Instant::from_micros(json->at("at").get<std::int64_t>());
  }
  return pass;
}

}  // namespace belfry::engine
