#pragma once

#include "base/error.h"

#include <string_view>

namespace belfry::store {

// A store whose disk is full says so by this field of its kUnavailable: trying again later helps
// only if somebody makes room.
inline constexpr std::string_view kFullDisk = "disk";

inline bool is_full_disk(const Error& error) {
  return error.field == kFullDisk;
}

}  // namespace belfry::store
