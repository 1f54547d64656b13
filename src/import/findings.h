#pragma once

#include "import/report.h"

#include <string>
#include <utility>
#include <vector>

namespace belfry::importer {

// What is found out about one line or job while it is read; the gravest finding is its verdict.
class Findings {
 public:
  // Worth knowing; the meaning stays.
  void note(std::string words) { reasons_.push_back(std::move(words)); }
  // The meaning changes: `words` say how.
  void change(std::string words) {
    changed_ = true;
    reasons_.push_back(std::move(words));
  }
  // Is not imported: `words` say why and what to do.
  void refuse(std::string words) { refusals_.push_back(std::move(words)); }
  void add(const Findings& other) {
    changed_ = changed_ || other.changed_;
    reasons_.insert(reasons_.end(), other.reasons_.begin(), other.reasons_.end());
    refusals_.insert(refusals_.end(), other.refusals_.begin(), other.refusals_.end());
  }

  bool refused() const { return !refusals_.empty(); }
  Verdict verdict() const {
    if (refused()) return Verdict::kRefused;
    return changed_ ? Verdict::kChanged : Verdict::kImported;
  }
  // After a refusal only what led to it: the rest no longer matters.
  const std::vector<std::string>& reasons() const { return refused() ? refusals_ : reasons_; }

 private:
  std::vector<std::string> reasons_;
  std::vector<std::string> refusals_;
  bool changed_ = false;
};

}  // namespace belfry::importer
