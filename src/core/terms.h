#pragma once

#include "base/bits128.h"
#include "base/strong.h"
#include "base/time.h"
#include "core/job.h"

#include <optional>

namespace belfry::core {

// What decides a job's ticks and their fates, in 128 bits: jobs with the same terms tick together
// and miss ticks alike. A store keeps them beside each job, so that an owner of millions reads only
// these, and each distinct definition once.
//
// Databases hold them (sql/postgres/migrations/0011_terms.sql), so the same definition must have
// the same terms in every version. Whoever reads a definition for its terms checks that they fit:
// different ones cost time and nothing else.
using Terms = Strong<struct TermsTag, Bits128>;

// None for a job whose ticks depend on more than its definition's words: on its name (`H`, jitter),
// on bounds of its own, on a calendar.
std::optional<Terms> terms_of(const JobDefinition& definition);

// The terms of a job of one instant say just that; its policies are read only if it was missed.
std::optional<Instant> once_at(Terms terms);

}  // namespace belfry::core
