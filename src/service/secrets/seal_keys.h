#pragma once

#include "base/result.h"
#include "base/seal.h"

#include <string>
#include <string_view>
#include <vector>

namespace belfry::service {

// The keys of a node, newest first: the first one seals, all of them open.
class SealKeys {
 public:
  // Base64 of 32 bytes each, separated by blanks, commas or line breaks; what follows a # is a
  // comment. Errors do not echo the text.
  static Result<SealKeys> parse(std::string_view text);

  bool empty() const { return keys_.empty(); }
  // Not if it is empty.
  const std::string& newest_id() const { return keys_.front().id; }
  const SealKey& newest() const { return keys_.front().key; }
  // Null: there is none of this id.
  const SealKey* find(std::string_view id) const;

 private:
  struct Entry {
    std::string id;  // tells keys apart, and nothing about them
    SealKey key;
  };
  std::vector<Entry> keys_;
};

// A fresh key, as parse() reads it.
std::string draw_seal_key();

}  // namespace belfry::service
