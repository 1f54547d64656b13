#include "cli/files/manifest.h"

#include "cli/files/payload_text.h"
#include "cli/files/yaml.h"
#include "cli/text/text.h"

#include <set>

namespace belfry::cli {
namespace {

Error bad(const std::string& place, std::string message, std::string hint = {}) {
  return {.code = Errc::kInvalid,
          .message = std::move(message),
          .field = place,
          .hint = std::move(hint)};
}

bool is_merged(const std::string& name) {
  return name == "labels" || name == "retry";
}

Json with_defaults(const Json& defaults, const Json& job) {
  Json result = job;
  for (const auto& [name, value] : defaults.items()) {
    if (!result.contains(name)) {
      result[name] = value;
    } else if (is_merged(name) && value.is_object() && result[name].is_object()) {
      Json merged = value;
      merged.update(result[name]);
      result[name] = std::move(merged);
    }
  }
  return result;
}

// `version: 1.10` is a text to a person who writes a label, and a number to YAML.
void labels_as_text(Json& job) {
  if (!job.contains("labels") || !job["labels"].is_object()) return;
  for (auto& [name, value] : job["labels"].items()) {
    if (value.is_number() || value.is_boolean()) value = write_json(value);
  }
}

class Reader {
 public:
  Status file(const TextFile& file) {
    auto documents = parse_yaml(file.text);
    if (!documents) {
      Error error = documents.error();
      error.field = error.field.empty() ? file.name : file.name + ", " + error.field;
      return fail(std::move(error));
    }
    for (const Json& document : *documents) BELFRY_CHECK(read(file.name, document));
    return {};
  }

  std::vector<Json> take() { return std::move(jobs_); }

 private:
  Status read(const std::string& file, const Json& document) {
    if (!document.is_object() || !document.contains("jobs")) {
      return fail(bad(file, "there is no `jobs:` in it", "write `jobs:` and the jobs below it"));
    }
    for (const auto& [name, value] : document.items()) {
      if (name != "version" && name != "defaults" && name != "jobs") {
        return fail(bad(file, "`" + name + "` is not one of version, defaults and jobs"));
      }
    }
    if (const std::string version = field(document, "version");
        !version.empty() && version != "v1") {
      return fail(bad(file, "version " + version + " is not known", "write `version: v1`"));
    }
    const Json defaults = document.value("defaults", Json::object());
    if (!defaults.is_object()) return fail(bad(file, "`defaults` must be a map"));
    return read_jobs(file, defaults, document.at("jobs"));
  }

  Status read_jobs(const std::string& file, const Json& defaults, const Json& jobs) {
    if (jobs.is_null()) return {};
    if (jobs.is_array()) {
      for (const Json& job : jobs) BELFRY_CHECK(add(file, defaults, job));
      return {};
    }
    if (!jobs.is_object()) return fail(bad(file, "`jobs` must be a list, or a map by name"));
    for (const auto& [name, value] : jobs.items()) {
      Json job = value.is_null() ? Json::object() : value;
      if (job.is_object() && !job.contains("job_name")) {
        Json named{{"job_name", name}};
        named.update(job);
        job = std::move(named);
      }
      BELFRY_CHECK(add(file, defaults, job));
    }
    return {};
  }

  Status add(const std::string& file, const Json& defaults, const Json& job) {
    const std::string name = field(job, "job_name");
    if (name.empty()) {
      return fail(bad(file, "a job has no name", "give it a `job_name`, or write jobs by name"));
    }
    const std::string place = file + ", " + name;
    if (!names_.insert(name).second) return fail(bad(place, "this job is given twice"));
    if (job.contains("delay")) {
      return fail(bad(place, "a delay means another instant each time it is read",
                      "write `run_at` with the instant"));
    }
    Json whole = with_defaults(defaults, job);
    labels_as_text(whole);
    if (const auto read = read_payload_text(whole); !read) {
      const Error& error = read.error();
      return fail(bad(place, error.field + ": " + error.message, error.hint));
    }
    jobs_.push_back(std::move(whole));
    return {};
  }

  std::vector<Json> jobs_;
  std::set<std::string> names_;
};

}  // namespace

Result<std::vector<Json>> read_manifest(const std::vector<TextFile>& files) {
  Reader reader;
  for (const TextFile& file : files) BELFRY_CHECK(reader.file(file));
  return reader.take();
}

std::string write_manifest(const std::vector<Json>& jobs) {
  Json by_name = Json::object();
  for (const Json& job : jobs) {
    Json fields = job;
    fields.erase("job_name");
    by_name[field(job, "job_name")] = std::move(fields);
  }
  return to_yaml({{"version", "v1"}, {"jobs", std::move(by_name)}});
}

}  // namespace belfry::cli
