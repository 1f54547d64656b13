#include "rpc/work_stream.h"

#include "core/id_text.h"
#include "rpc/codec.h"
#include "rpc/door.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::rpc {
namespace {

constexpr std::size_t kMostWaiting = 10'000;  // messages for a worker that does not read
// How long a claim waits; one that found nothing is followed by another.
constexpr Duration kAskFor = std::chrono::seconds(60);

}  // namespace

// ---- Life

WorkStream* WorkStream::begin() {
  self_ = shared_from_this();
  const bool taken = shared_.pool.try_submit([self = self_] { self->welcome(); },
                                             {.payer = payer_of(shared_, caller_)});
  if (!taken) {
    close({grpc::StatusCode::UNAVAILABLE, "too many calls wait already; try another node"});
    read_next();
  }
  return this;
}

void WorkStream::welcome() {
  const auto refusal = admit(shared_, *context_, caller_, access_, principal_);
  has_place_ = !refusal && shared_.places->take(principal_.tenant);
  if (refusal) {
    close(*refusal);
  } else if (!has_place_) {
    close(too_many_wait());
  } else if (shared_.draining) {
    close({grpc::StatusCode::UNAVAILABLE, "this node is stopping"});
  }
  if (has_place_) visit_->let_in();
  read_next();
}

// Reads the next message, or ends the stream if it was closed meanwhile.
void WorkStream::read_next() {
  bool more = false;
  {
    const MutexLock lock(mutex_);
    more = !closed_;
  }
  if (more) StartRead(&incoming_);
  std::optional<grpc::Status> end;
  {
    const MutexLock lock(mutex_);
    --busy_;
    end = take_end();
  }
  if (end) Finish(*end);
}

std::optional<grpc::Status> WorkStream::take_end() {
  if (!closed_ || busy_ > 0 || !outgoing_.empty()) return std::nullopt;
  return std::exchange(end_, std::nullopt);
}

void WorkStream::OnDone() {
  if (has_place_) shared_.places->give_back(principal_.tenant);
  visit_->take_leave(has_place_);
  on_gone_(this);
  self_.reset();
}

void WorkStream::OnCancel() {
  visit_->note_given_up();
  close(grpc::Status::CANCELLED);
}

void WorkStream::drain() {
  std::optional<engine::ClaimId> ask;
  {
    const MutexLock lock(mutex_);
    if (std::exchange(draining_, true) || closed_) return;
    ask = ask_;
  }
  if (ask) shared_.services.dispatch.withdraw(*ask);
  v1::ServerMessage message;
  message.mutable_drain();
  send(std::move(message));
}

// A store that does not answer is no reason to send anybody away.
void WorkStream::check_key() {
  const auto identified = shared_.services.keys.identify(caller_);
  if (!identified && identified.error().code != Errc::kInvalid) return;
  if (identified && service::allows(identified->scope, access_)) return;
  close({grpc::StatusCode::UNAUTHENTICATED, "the key is no longer valid for this"});
}

// Ends the stream once nothing is being written. The worker keeps its runs and may
// report elsewhere.
void WorkStream::close(const grpc::Status& status) {
  std::optional<engine::ClaimId> ask;
  std::set<store::RunGrant> held;
  std::optional<grpc::Status> now;
  {
    const MutexLock lock(mutex_);
    if (std::exchange(closed_, true)) return;
    ask = ask_;
    held.swap(held_);
    end_ = status;
    now = take_end();
  }
  for (const store::RunGrant& grant : held) shared_.services.cancels.remove(grant);
  if (ask) shared_.services.dispatch.withdraw(*ask);
  if (now) Finish(*now);
}

// ---- Reading

void WorkStream::OnReadDone(bool ok) {
  if (!ok) return close(grpc::Status::OK);
  visit_->take_message(incoming_.ByteSizeLong());
  {
    const MutexLock lock(mutex_);
    ++busy_;
  }
  submit();
}

// Heartbeats and reports have room of their own.
void WorkStream::submit() {
  const auto kind = incoming_.message_case();
  const bool is_vital = kind == v1::WorkerMessage::kBeats || kind == v1::WorkerMessage::kEnds;
  const bool taken = shared_.pool.try_submit(
      [self = shared_from_this()] { self->take(); },
      {.payer = std::to_string(principal_.tenant.value()), .is_vital = is_vital});
  if (taken) return;
  close({grpc::StatusCode::UNAVAILABLE, "the node is overloaded"});
  read_next();
}

// A message counts like a call. One that comes too fast waits for its turn, and those behind it
// with it: the worker needs not know.
void WorkStream::take_later(Duration wait) {
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(wait).count();
  const gpr_timespec due =
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_micros(micros, GPR_TIMESPAN));
  alarm_.Set(due, [self = shared_from_this()](bool) { self->submit(); });
}

void WorkStream::take() {
  if (const auto refusal = shared_.services.admission.count(principal_)) {
    return take_later(refusal->retry_after);
  }
  {
    const MutexLock lock(mutex_);
    ++heard_;
    heard_at_ = shared_.services.clock.boot_now();
  }
  switch (incoming_.message_case()) {
    case v1::WorkerMessage::kHello: say_hello(incoming_.hello()); break;
    case v1::WorkerMessage::kCredits: add_credits(incoming_.credits()); break;
    case v1::WorkerMessage::kBeats: beat(std::move(*incoming_.mutable_beats())); break;
    case v1::WorkerMessage::kEnds: end(std::move(*incoming_.mutable_ends())); break;
    case v1::WorkerMessage::kDrain: drain(); break;
    case v1::WorkerMessage::MESSAGE_NOT_SET: take_unknown(); break;
  }
  read_next();
}

void WorkStream::refuse(std::vector<service::Complaint> complaints) {
  close(status_of(service::Refusal::invalid(std::move(complaints))));
}

// A newer worker may say what we do not know yet, but not before it has said hello.
void WorkStream::take_unknown() {
  bool greeted = false;
  {
    const MutexLock lock(mutex_);
    greeted = hello_.has_value();
  }
  if (!greeted) refuse({{"/hello", "required", "say hello first", ""}});
}

void WorkStream::say_hello(const v1::Hello& hello) {
  Complaints complaints;
  service::WorkerClaim ask = read_hello(hello, complaints);
  const auto found = service::find_region(shared_.services, ask, complaints);
  if (!found) return close(status_of(service::refusal_of(found.error())));
  {
    const MutexLock lock(mutex_);
    if (hello_) complaints.push_back({"/hello", "invalid", "send it only once", ""});
    if (complaints.empty()) hello_ = std::move(ask);
  }
  if (!complaints.empty()) refuse(std::move(complaints));
}

void WorkStream::add_credits(std::int32_t credits) {
  Complaints complaints;
  {
    const MutexLock lock(mutex_);
    if (!hello_) complaints.push_back({"/hello", "required", "say hello first", ""});
    if (credits < 1 || credits > service::WorkLimits::kMostRuns) {
      complaints.push_back({"/credits", "out_of_range", "it must be between 1 and 1000", ""});
    }
    if (complaints.empty()) {
      credits_ = std::min(credits_ + static_cast<std::size_t>(credits),
                          static_cast<std::size_t>(service::WorkLimits::kMostRuns));
    }
  }
  if (!complaints.empty()) return refuse(std::move(complaints));
  ask();
}

void WorkStream::beat(v1::HeartbeatRequest request) {
  Complaints complaints;
  std::vector<service::WorkerHeartbeat> beats = read_beats(request, complaints);
  Duration lease{};
  {
    const MutexLock lock(mutex_);
    if (!hello_) complaints.push_back({"/hello", "required", "say hello first", ""});
    if (hello_) lease = hello_->lease;
  }
  if (!complaints.empty()) return refuse(std::move(complaints));
  service::heartbeat(shared_.services, principal_, std::move(beats), lease,
                     [self = shared_from_this(), request = std::move(request)](
                         const Result<std::vector<HeartbeatAnswer>>& answers) {
                       if (!answers) return;  // the worker beats again
                       v1::ServerMessage message;
                       *message.mutable_beats() = write_beats(request, *answers);
                       for (const v1::BeatResult& result : message.beats().results()) {
                         if (result.answer() != v1::BEAT_ANSWER_EXTENDED) {
                           self->let_go(result.run_id(), result.fence());
                         }
                       }
                       self->send(std::move(message));
                     });
}

void WorkStream::end(v1::CompleteRequest request) {
  Complaints complaints;
  std::vector<service::WorkerCompletion> ends = read_ends(request, complaints);
  if (!complaints.empty()) return refuse(std::move(complaints));
  service::complete(shared_.services, principal_, std::move(ends),
                    [self = shared_from_this(), request = std::move(request)](
                        const std::vector<Result<engine::CompletionAnswer>>& answers) {
                      v1::ServerMessage message;
                      *message.mutable_ends() = write_ends(request, answers);
                      for (const v1::CompletionResult& result : message.ends().results()) {
                        if (result.answer() != v1::COMPLETION_ANSWER_RETRY) {
                          self->let_go(result.run_id(), result.fence());
                        }
                      }
                      self->send(std::move(message));
                    });
}

// ---- Runs

void WorkStream::ask() {
  engine::Claim ask;
  {
    const MutexLock lock(mutex_);
    if (!hello_ || credits_ == 0 || asking_ || draining_ || closed_) return;
    asking_ = true;
    service::WorkerClaim wanted = *hello_;
    wanted.max_runs = credits_;
    wanted.wait = kAskFor;
    ask = service::claim_of(shared_.services, principal_, wanted);
  }
  const auto asked = shared_.services.dispatch.claim(
      std::move(ask), [self = shared_from_this()](const std::vector<store::ClaimedRun>& runs) {
        return self->on_runs(runs);
      });
  if (!asked) return close(status_of(service::refusal_of(asked.error())));
  bool late = false;
  {
    const MutexLock lock(mutex_);
    // The answer may have come already, and the next claim with it: then that one counts.
    if (asking_ && (!ask_ || *ask_ < *asked)) ask_ = *asked;
    late = closed_ || draining_;
  }
  if (late) shared_.services.dispatch.withdraw(*asked);
}

bool WorkStream::on_runs(const std::vector<store::ClaimedRun>& runs) {
  v1::ServerMessage message;
  service::AskedFor asked;
  std::uint64_t heard = 0;
  {
    const MutexLock lock(mutex_);
    asked = {.at = heard_at_, .lease = hello_->lease};
    heard = heard_;
  }
  service::ShownTargets targets;
  for (const store::ClaimedRun& run : runs) {
    v1::Run& to = *message.mutable_runs()->add_runs();
    write_run(shared_.services, run, asked, targets, to);
    to.set_heard(heard);
    shared_.services.cancels.add(
        {run.run, run.fence}, [weak = weak_from_this()](const store::RunGrant& grant) {
          const Self self = weak.lock();
          if (!self) return;
          v1::ServerMessage cancel;
          cancel.mutable_cancel()->set_run_id(core::write_run_id(grant.run));
          cancel.mutable_cancel()->set_fence(grant.fence.value());
          self->send(std::move(cancel));
        });
  }
  bool wanted = false;
  {
    const MutexLock lock(mutex_);
    asking_ = false;
    ask_.reset();
    wanted = !closed_ && !draining_;
    if (wanted) {
      credits_ -= std::min(credits_, runs.size());
      for (const store::ClaimedRun& run : runs) held_.insert({run.run, run.fence});
      // Under the same lock as the look at `draining_`: after the drain is announced no
      // run follows.
      if (!runs.empty()) outgoing_.push_back(std::move(message));
    }
  }
  if (!wanted) {
    for (const store::ClaimedRun& run : runs) shared_.services.cancels.remove({run.run, run.fence});
    return false;
  }
  write_next();
  ask();
  return true;
}

void WorkStream::let_go(const std::string& run_id, std::uint64_t fence) {
  const auto run = core::read_run_id(run_id);
  if (!run) return;
  const store::RunGrant grant{*run, Fence(fence)};
  {
    const MutexLock lock(mutex_);
    held_.erase(grant);
  }
  shared_.services.cancels.remove(grant);
}

// ---- Writing

void WorkStream::send(v1::ServerMessage message) {
  {
    const MutexLock lock(mutex_);
    if (closed_) return;
    outgoing_.push_back(std::move(message));
  }
  write_next();
}

// Begins to write, unless somebody does already.
void WorkStream::write_next() {
  const v1::ServerMessage* first = nullptr;
  bool overrun = false;
  {
    const MutexLock lock(mutex_);
    if (!outgoing_.empty() && !std::exchange(writing_, true)) first = &outgoing_.front();
    overrun = outgoing_.size() > kMostWaiting;
  }
  if (first != nullptr) StartWrite(first);
  if (overrun) close({grpc::StatusCode::RESOURCE_EXHAUSTED, "the worker is not reading"});
}

void WorkStream::OnWriteDone(bool ok) {
  const v1::ServerMessage* next = nullptr;
  std::optional<grpc::Status> end;
  {
    const MutexLock lock(mutex_);
    outgoing_.pop_front();
    if (closed_ || !ok) {
      outgoing_.clear();
      end = take_end();
    } else if (!outgoing_.empty()) {
      next = &outgoing_.front();
    }
    writing_ = next != nullptr;
  }
  if (next != nullptr) StartWrite(next);
  if (end) Finish(*end);
  if (!ok) close(grpc::Status::CANCELLED);
}

}  // namespace belfry::rpc
