#include "api/proof/proof_place.h"

#include "core/id_text.h"

#include <charconv>

namespace belfry::api {

std::string write_place(const engine::ProofPlace& place) {
  const std::string job = core::write_job_id(place.job);
  return place.at ? job + "." + std::to_string(place.at->micros()) : job;
}

std::optional<engine::ProofPlace> read_place(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto job = core::read_job_id(text.substr(0, dot));
  if (!job) return std::nullopt;
  if (dot == std::string_view::npos) return engine::ProofPlace{*job};
  const std::string_view digits = text.substr(dot + 1);
  std::int64_t micros = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), micros);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return engine::ProofPlace{*job, Instant::from_micros(micros)};
}

}  // namespace belfry::api
