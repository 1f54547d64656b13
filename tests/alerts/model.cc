#include "tests/alerts/model.h"

#include <algorithm>
#include <utility>

namespace belfry::alert_day {

Model::Model(Shape shape, std::vector<Rule> rules)
    : shape_(shape),
      rules_(std::move(rules)),
      jobs_(static_cast<std::size_t>(shape.jobs)),
      clocks_(static_cast<std::size_t>(shape.nodes)) {
  for (const Rule& rule : rules_) states_[rule.name].subjects = subjects_of(rule);
}

void Model::tick(int job, Seconds at) {
  jobs_[static_cast<std::size_t>(job)].runs.push_back({.tick = at});
}

void Model::miss(int job, Seconds tick) {
  jobs_[static_cast<std::size_t>(job)].missed = tick;
}

void Model::start(int job, Seconds at) {
  jobs_[static_cast<std::size_t>(job)].runs.back().start = at;
}

void Model::end(int job, Seconds at, bool failed) {
  Run& run = jobs_[static_cast<std::size_t>(job)].runs.back();
  run.end = at;
  run.failed = failed;
}

bool Model::is_wrong(const Rule& rule, const Job& job, Seconds now) const {
  const Run* const last = job.runs.empty() ? nullptr : &job.runs.back();
  const bool waits = last != nullptr && !last->start;
  const bool runs = last != nullptr && last->start && !last->end;
  switch (rule.watch) {
    case Watch::kInARow: {
      int failed = 0;
      for (auto run = job.runs.rbegin(); run != job.runs.rend(); ++run) {
        if (!run->end) continue;
        if (!run->failed) break;
        ++failed;
      }
      return failed >= rule.count;
    }
    case Watch::kOften: {
      int failed = 0;
      for (auto run = job.runs.rbegin(); run != job.runs.rend(); ++run) {
        if (run->end && *run->end <= now - rule.within) break;
        if (run->end && run->failed) ++failed;
      }
      return failed >= rule.count;
    }
    case Watch::kNotStarted: return waits && now - last->tick >= rule.after;
    case Watch::kLate: {
      if (waits && now - last->tick >= rule.after) return true;
      for (auto run = job.runs.rbegin(); run != job.runs.rend(); ++run) {
        if (run->start) return *run->start - run->tick >= rule.after;
      }
      return false;
    }
    case Watch::kLong: return runs && now - *last->start >= rule.after;
    case Watch::kOdd: {
      if (!runs) return false;
      std::vector<Seconds> lengths;
      int seen = 0;
      for (auto run = job.runs.rbegin(); run != job.runs.rend() && seen < 21; ++run) {
        if (!run->end) continue;
        ++seen;
        if (!run->failed) lengths.push_back(*run->end - *run->start);
      }
      if (lengths.size() < 5) return false;
      std::sort(lengths.begin(), lengths.end());
      return now - *last->start >= rule.times * lengths[lengths.size() / 2];
    }
    case Watch::kMissed: return job.missed && (last == nullptr || last->tick <= *job.missed);
    case Watch::kZone: return job.broken;
    case Watch::kIdleType:
    case Watch::kDeadLetters:
    case Watch::kClock: break;
  }
  return false;
}

bool Model::is_idle(int type, const Rule& rule, Seconds now) const {
  std::optional<Seconds> oldest;
  for (int i = 0; i < shape_.jobs; ++i) {
    const Job& job = jobs_[static_cast<std::size_t>(i)];
    if (type_of(i) != type || job.runs.empty() || job.runs.back().end) continue;
    if (job.runs.back().start) return false;
    oldest = std::min(oldest.value_or(job.runs.back().tick), job.runs.back().tick);
  }
  return oldest && now - *oldest >= rule.after;
}

Model::Subjects Model::subjects_of(const Rule& rule) const {
  Subjects subjects;
  const auto name = [](const char* kind, int i) { return kind + std::to_string(i); };
  if (rule.watch == Watch::kDeadLetters) {
    subjects.push_back({"*", {}});
  } else if (rule.watch == Watch::kIdleType) {
    for (int i = 0; i < shape_.types; ++i) subjects.push_back({name("type", i), {.type = i}});
  } else if (rule.watch == Watch::kClock) {
    for (int i = 0; i < shape_.nodes; ++i) subjects.push_back({name("node", i), {.node = i}});
  } else {
    for (int i = 0; i < shape_.jobs; ++i) {
      if (rule.team >= 0 && rule.team != team_of(i)) continue;
      subjects.push_back({name("job", i), {.job = i}});
    }
  }
  return subjects;
}

bool Model::is_wrong(const Rule& rule, const Subject& subject, Seconds now) const {
  if (subject.job >= 0) return is_wrong(rule, jobs_[static_cast<std::size_t>(subject.job)], now);
  if (subject.type >= 0) return is_idle(subject.type, rule, now);
  if (subject.node >= 0) {
    const Seconds offset = clocks_[static_cast<std::size_t>(subject.node)];
    return std::max(offset, -offset) >= rule.after;
  }
  int dead = 0;
  for (int i = 0; i < shape_.jobs; ++i) {
    if (rule.team >= 0 && rule.team != team_of(i)) continue;
    for (const Run& run : jobs_[static_cast<std::size_t>(i)].runs) dead += run.end && run.failed;
  }
  return dead > rule.count;
}

bool Model::is_quiet(const Rule& rule, const Subject& subject, Seconds now) const {
  if (rule.quiet_from >= 0 && now >= rule.quiet_from) return true;
  if (subject.job >= 0 && jobs_[static_cast<std::size_t>(subject.job)].paused) return true;
  return std::any_of(silences_.begin(), silences_.end(), [&](const Silence& silence) {
    if (silence.until <= now) return false;
    if (!silence.rule.empty() && silence.rule != rule.name) return false;
    if (subject.job >= 0) {
      return (silence.job < 0 || silence.job == subject.job) &&
             (silence.team < 0 || silence.team == team_of(subject.job)) &&
             (silence.type < 0 || silence.type == type_of(subject.job));
    }
    if (silence.job >= 0 || silence.team >= 0) return false;
    return silence.type < 0 || silence.type == subject.type;
  });
}

// What begins and what ends; news of it is told by a later look.
void Model::judge(const Rule& rule, State& state, Seconds now, std::vector<News>& fresh) {
  for (const auto& [name, subject] : state.subjects) {
    const bool wrong = is_wrong(rule, subject, now);
    const auto open = state.open.find(name);
    if (!wrong && open == state.open.end()) continue;
    const bool quiet = is_quiet(rule, subject, now);
    if (open == state.open.end()) {
      state.open[name] = {.since = now, .quiet = quiet};
      if (!quiet) fresh.push_back({name, now, {}, now});
    } else if (wrong) {
      if (open->second.quiet && !quiet) {
        open->second.quiet = false;
        fresh.push_back({name, open->second.since, {}, open->second.since});
      }
    } else {
      const Seconds since = open->second.since;
      if (open->second.quiet || quiet) {
        ++kept_back_;
        std::erase_if(state.news, [&, &its_name = name](const News& news) {
          return news.subject == its_name && news.since == since && !news.until;
        });
      } else if (rule.tells_recovery) {
        fresh.push_back({name, since, now, now});
      }
      state.open.erase(open);
    }
  }
}

void Model::tell(const Rule& rule, State& state, Seconds now) {
  const auto first = std::min_element(state.news.begin(), state.news.end(),
                                      [](const News& a, const News& b) { return a.at < b.at; });
  if (first == state.news.end() || now - first->at < rule.group_wait) return;
  for (const News& news : state.news) {
    const std::string text = rule.name + "|" + news.subject;
    const std::string since = "|" + std::to_string(news.since);
    told_.insert(news.until ? text + "|recovered" + since + "|" + std::to_string(*news.until)
                            : text + "|opened" + since);
  }
  state.news.clear();
}

void Model::look(Seconds now) {
  for (const Rule& rule : rules_) {
    State& state = states_[rule.name];
    std::vector<News> fresh;
    judge(rule, state, now, fresh);
    tell(rule, state, now);
    state.news.insert(state.news.end(), fresh.begin(), fresh.end());
  }
}

std::set<std::string> Model::open() const {
  std::set<std::string> open;
  for (const auto& [rule, state] : states_) {
    for (const auto& [subject, episode] : state.open) {
      open.insert(rule + "|" + subject + "|" + std::to_string(episode.since));
    }
  }
  return open;
}

}  // namespace belfry::alert_day
