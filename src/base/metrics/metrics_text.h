#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The pieces of Prometheus' text format 0.0.4.
namespace belfry {

// Letters, digits and `_`, not beginning with a digit. (Prometheus also allows `:`, but keeps it
// for the recording rules of its users.)
bool is_metric_name(std::string_view name);

// The same, not beginning with `__` (Prometheus' own) and not `le` (the bounds of histograms).
bool is_label_name(std::string_view name);

// The lines before the samples of a family: # HELP and # TYPE.
void append_metric_header(std::string& out, std::string_view name, std::string_view help,
                          std::string_view type);

// The labels of a sample, names and values side by side.
struct MetricLabels {
  const std::vector<std::string>& names;
  const std::vector<std::string>& values;
  std::string_view bound;  // of a histogram's bucket, its `le`; empty otherwise
};

// name{a="x",b="y"} value
void append_sample(std::string& out, std::string_view name, const MetricLabels& labels,
                   std::string_view value);

// As Prometheus spells numbers: shortest digits that read back the same; +Inf, -Inf, NaN.
std::string metric_number(double value);
std::string metric_number(std::uint64_t value);

}  // namespace belfry
