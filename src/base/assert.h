#pragma once

// BELFRY_ASSERT(condition): an invariant of our own code, kept on in release. Never for input, the
// environment or data read from a store: those are Errors.
#define BELFRY_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::belfry::assertion_failed(#condition, __FILE__, __LINE__))

namespace belfry {

// Prints the condition and ends the process: a node that does not know its own state must not act.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace belfry
