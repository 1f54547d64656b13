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
  // The meaning is another: `words` say how.
  void change(std::string words) {
    changed_ = true;
    reasons_.push_back(std::move(words));
  }
  // Does not come along: `words` say why and what to do. Leads the list.
  void refuse(std::string words) {
    refused_ = true;
    reasons_.insert(reasons_.begin(), std::move(words));
  }
  void add(const Findings& other) {
    changed_ = changed_ || other.changed_;
    refused_ = refused_ || other.refused_;
    reasons_.insert(reasons_.end(), other.reasons_.begin(), other.reasons_.end());
  }

  bool refused() const { return refused_; }
  Verdict verdict() const {
    if (refused_) return Verdict::kRefused;
    return changed_ ? Verdict::kChanged : Verdict::kImported;
  }
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  std::vector<std::string> reasons_;
  bool changed_ = false;
  bool refused_ = false;
};

}  // namespace belfry::importer
