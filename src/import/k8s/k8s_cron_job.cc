#include "import/k8s/k8s_cron_job.h"

#include "core/cron/every.h"
#include "core/cron/words.h"
#include "import/k8s/k8s_container.h"
#include "import/names.h"
#include "import/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace belfry::importer {
namespace {

constexpr int kDefaultBackoffLimit = 6;

class CronJobReader {
 public:
  CronJobReader(YamlLines& lines, const ReportBuilder& builder)
      : lines_(lines), builder_(builder) {}

  void read(const YAML::Node& object) {
    set_defaults();
    line_ = lines_.line_of(object);
    each_key(object, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      if (key == "apiVersion") {
        read_version(at, text_of(value));
      } else if (key == "kind") {
        lines_.say(at, Verdict::kIgnored, "heading");
      } else if (key == "metadata") {
        lines_.say(at, Verdict::kIgnored, "heading");
        read_metadata(value);
      } else if (key == "spec") {
        lines_.say(at, Verdict::kIgnored, "heading");
        read_spec(value);
      } else if (key == "status") {
        lines_.say(at, Verdict::kIgnored, "what the cluster noted");
      } else {
        lose(key, at);
      }
    });
    finish();
  }

 private:
  void set_defaults() {
    job_.timeout = "1d";
    job_.concurrency_policy = "ALLOW";
    job_.misfire_policy = "FIRE_ONCE";
    job_.misfire_grace = "3650d";  // without a deadline, a missed start is made up for at any time
    job_.retry_base = "10s";
    job_.retry_cap = "6m";
    job_.labels["imported_from"] = "kubernetes";
  }

  void lose(const std::string& key, const YAML::Node& at) {
    lost_.push_back(key);
    lines_.say(at, Verdict::kRefused, "is not imported");
  }

  void read_version(const YAML::Node& at, const std::string& version) {
    lines_.say(at, Verdict::kIgnored, "heading");
    if (!version.starts_with("batch/")) {
      findings_.refuse(in_backticks(version) + " is not the API of CronJobs; batch/v1 is");
    } else if (version != "batch/v1") {
      findings_.note(in_backticks(version) + " is read as batch/v1");
    }
  }

  void read_metadata(const YAML::Node& metadata) {
    each_key(metadata, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      if (key == "name") {
        name_ = text_of(value);
        lines_.say(at, Verdict::kApplied, "the name of the job");
      } else if (key == "namespace") {
        job_.labels["namespace"] = text_of(value);
        lines_.say(at, Verdict::kApplied, "the label `namespace`");
      } else if (key == "labels") {
        each_key(value, [&](const std::string& label, const YAML::Node&, const YAML::Node& text) {
          job_.labels.emplace(label, text_of(text));
        });
        lines_.say(at, Verdict::kApplied, "labels of the job");
      } else if (key == "annotations") {
        read_annotations(at, value);
      } else {
        lines_.say(at, Verdict::kIgnored, "what the cluster noted");
      }
    });
  }

  void read_annotations(const YAML::Node& at, const YAML::Node& annotations) {
    lines_.say(at, Verdict::kIgnored, "for other programs");
    each_key(annotations, [&](const std::string& key, const YAML::Node&, const YAML::Node& text) {
      if (key == "description" || key.ends_with("/description")) job_.description = text_of(text);
    });
  }

  void read_spec(const YAML::Node& spec) {
    each_key(spec, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      const std::string text = text_of(value);
      if (key == "schedule") {
        line_ = lines_.line_of(at);
        schedule_ = trimmed(text);
      } else if (key == "timeZone") {
        zone_ = text;
        lines_.say(at, Verdict::kApplied, "the time zone");
      } else if (key == "concurrencyPolicy") {
        read_concurrency(at, text);
      } else if (key == "suspend") {
        lines_.say(at, Verdict::kApplied, "every imported job arrives paused");
        if (lower(text) == "true") findings_.note("was suspended: check before you resume it");
      } else if (key == "startingDeadlineSeconds") {
        if (const auto seconds = number(key, at, text)) {
          job_.misfire_grace = std::to_string(*seconds) + "s";
          lines_.say(at, Verdict::kApplied, "the `misfire_grace`");
        }
      } else if (key.ends_with("JobsHistoryLimit")) {
        lines_.say(at, Verdict::kIgnored, "history is kept for a time, not by count");
      } else if (key == "jobTemplate") {
        lines_.say(at, Verdict::kIgnored, "heading");
        read_template(value, [&](const YAML::Node& inner) { read_job_spec(inner); });
      } else {
        lose(key, at);
      }
    });
  }

  // metadata and spec of a template.
  void read_template(const YAML::Node& node,
                     const std::function<void(const YAML::Node&)>& read_inner) {
    each_key(node, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      if (key == "spec") {
        lines_.say(at, Verdict::kIgnored, "heading");
        read_inner(value);
      } else if (key == "metadata") {
        lines_.say(at, Verdict::kIgnored, "about the objects of a run, which are not imported");
      } else {
        lose(key, at);
      }
    });
  }

  std::optional<int> number(const std::string& key, const YAML::Node& at, const std::string& text) {
    const auto value = whole_number(text);
    if (!value) {
      lines_.say(at, Verdict::kRefused, "not a whole number");
      lost_.push_back(key);
    }
    return value;
  }

  void read_concurrency(const YAML::Node& at, const std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPolicies{
        {{"Allow", "ALLOW"}, {"Forbid", "FORBID"}, {"Replace", "REPLACE"}}};
    for (const auto& [theirs, ours] : kPolicies) {
      if (text != theirs) continue;
      job_.concurrency_policy = ours;
      lines_.say(at, Verdict::kApplied, "the `concurrency_policy`");
      return;
    }
    lines_.say(at, Verdict::kRefused, "not one of Allow, Forbid and Replace");
    findings_.refuse("concurrencyPolicy is not one of Allow, Forbid and Replace");
  }

  void read_job_spec(const YAML::Node& spec) {
    each_key(spec, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      const std::string text = text_of(value);
      if (key == "backoffLimit") {
        if (const auto limit = number(key, at, text)) {
          backoff_limit_ = *limit;
          lines_.say(at, Verdict::kApplied, "the `max_attempts`, one more than this");
        }
      } else if (key == "activeDeadlineSeconds") {
        if (const auto seconds = number(key, at, text)) {
          deadline_ = *seconds;
          lines_.say(at, Verdict::kApplied, "the `timeout`");
        }
      } else if (key == "ttlSecondsAfterFinished") {
        lines_.say(at, Verdict::kIgnored, "history is kept for a time set for all");
      } else if (key == "completions" || key == "parallelism") {
        read_pod_count(key, at, text);
      } else if (key == "template") {
        lines_.say(at, Verdict::kIgnored, "heading");
        read_template(value, [&](const YAML::Node& inner) { read_pod(inner); });
      } else {
        lose(key, at);
      }
    });
  }

  void read_pod_count(const std::string& key, const YAML::Node& at, const std::string& text) {
    if (text == "1") {
      lines_.say(at, Verdict::kApplied, "a run is one execution");
      return;
    }
    lines_.say(at, Verdict::kRefused, "a run is one execution");
    findings_.refuse("`" + key + "` starts several pods for one tick, and a run is one execution");
  }

  void read_pod(const YAML::Node& pod) {
    constexpr std::array<std::string_view, 5> kUnneeded{"terminationGracePeriodSeconds",
                                                        "dnsPolicy", "schedulerName",
                                                        "enableServiceLinks", "imagePullSecrets"};
    each_key(pod, [&](const std::string& key, const YAML::Node& at, const YAML::Node& value) {
      if (key == "containers") {
        lines_.say(at, Verdict::kIgnored, "heading");
        read_containers(at, value);
      } else if (key == "initContainers") {
        lines_.say(at, Verdict::kRefused, "there is no step before a command");
        findings_.refuse(
            "it has init containers, and without them it would be another job; put their work into "
            "the command");
      } else if (key == "restartPolicy") {
        lines_.say(at, Verdict::kApplied, "a failed attempt is repeated up to `max_attempts`");
      } else if (std::find(kUnneeded.begin(), kUnneeded.end(), key) != kUnneeded.end()) {
        lines_.say(at, Verdict::kIgnored, "about the pod, which is not imported");
      } else {
        lose(key, at);
      }
    });
  }

  void read_containers(const YAML::Node& at, const YAML::Node& containers) {
    if (!containers.IsSequence() || containers.size() != 1) {
      lines_.say(at, Verdict::kRefused, "a job has one command");
      findings_.refuse("a job has one command, and the pod does not have exactly one container");
      return;
    }
    has_container_ = true;
    read_container(containers[0], lines_, job_, findings_, lost_);
  }

  void finish() {
    job_.max_attempts = backoff_limit_ + 1;
    if (deadline_) {
      job_.timeout = std::to_string(std::max(1, *deadline_)) + "s";
      if (backoff_limit_ > 0) {
        findings_.change(
            "activeDeadlineSeconds limited all attempts together; `timeout` limits "
            "each of them");
      }
    }
    set_schedule();
    if (!has_container_ && !findings_.refused()) findings_.refuse("it has no container to run");
    if (!lost_.empty()) {
      std::sort(lost_.begin(), lost_.end());
      lost_.erase(std::unique(lost_.begin(), lost_.end()), lost_.end());
      findings_.change("is not imported: " + core::in_list(lost_));
    }
    lines_.job(line_, std::move(job_), std::move(findings_), slug(name_));
  }

  void set_schedule() {
    if (schedule_.empty()) return findings_.refuse("it has no schedule");
    if (schedule_.find("TZ=") != std::string::npos) {
      return findings_.refuse(
          "a zone within the schedule is refused by Kubernetes too; use `timeZone`");
    }
    if (core::is_every(schedule_)) {
      const auto every = core::parse_every(schedule_);
      if (!every) return findings_.refuse(to_string(every.error()));
      job_.schedule_type = "EVERY";
      job_.every = std::to_string(every->count()) + "s";
      findings_.change("the interval was counted from the run before; its rhythm is fixed now");
      return;
    }
    set_cron();
  }

  void set_cron() {
    const std::vector<std::string_view> words = words_of(schedule_);
    if (!schedule_.starts_with('@') && words.size() != 5) {
      return findings_.refuse("Kubernetes takes five fields; this has " +
                              std::to_string(words.size()));
    }
    for (const std::string_view word : words) {
      if (!job_.cron_expression.empty()) job_.cron_expression += ' ';
      job_.cron_expression += word == "?" ? "*" : std::string(word);
    }
    job_.timezone = zone_.empty() ? builder_.host_zone(findings_) : zone_;
    // As in Kubernetes: nothing runs in a gap, and a time that comes twice runs twice.
    if (builder_.changes_clocks(job_.timezone)) {
      job_.dst_gap = "SKIP";
      job_.dst_overlap = "BOTH";
    }
  }

  YamlLines& lines_;
  const ReportBuilder& builder_;
  ImportedJob job_;
  Findings findings_;
  std::vector<std::string> lost_;
  std::string name_;
  std::string schedule_;
  std::string zone_;
  std::size_t line_ = 1;
  int backoff_limit_ = kDefaultBackoffLimit;
  std::optional<int> deadline_;
  bool has_container_ = false;
};

}  // namespace

void read_cron_job(const YAML::Node& object, YamlLines& lines, const ReportBuilder& builder) {
  CronJobReader(lines, builder).read(object);
}

}  // namespace belfry::importer
