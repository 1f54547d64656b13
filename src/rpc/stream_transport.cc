#include "base/condition.h"
#include "base/mutex.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "rpc/grpc_transport.h"
#include "rpc/worker_messages.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <deque>
#include <thread>

namespace belfry::rpc {
namespace {

constexpr Duration kPatience = std::chrono::seconds(10);
constexpr Duration kLastWords = std::chrono::seconds(2);  // for the server's last word about runs

// One connection: a stream, and the thread that reads it.
constexpr std::size_t kMostSent = 1'000;  // messages whose times are remembered

struct Line {
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::WorkerMessage, v1::ServerMessage>> stream;
  std::thread reader;
};

template <typename Request, typename Response>
bool answers_to(const Request& request, const Response& response) {
  if (request.runs_size() != response.results_size()) return false;
  for (int i = 0; i < request.runs_size(); ++i) {
    if (request.runs(i).run_id() != response.results(i).run_id() ||
        request.runs(i).fence() != response.results(i).fence()) {
      return false;
    }
  }
  return true;
}

class StreamTransport final : public worker::Transport {
 public:
  StreamTransport(GrpcOptions options, const Clock& clock,
                  const std::shared_ptr<grpc::Channel>& channel)
      : options_(std::move(options)), clock_(clock), stub_(v1::Dispatcher::NewStub(channel)) {}
  ~StreamTransport() override { hang_up(); }
  StreamTransport(const StreamTransport&) = delete;
  StreamTransport& operator=(const StreamTransport&) = delete;

  Result<std::vector<worker::Task>> claim(const worker::ClaimRequest& want) override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const worker::Heartbeat> beats,
                                                 Duration lease) override;
  Result<std::vector<worker::CompletionAnswer>> complete(
      std::span<const worker::Completion> ends) override;

  void stop_claiming() override {
    {
      const MutexLock lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  void on_cancel(std::function<void(const worker::Grant&)> call) override {
    const MutexLock lock(cancel_mutex_);
    on_cancel_ = std::move(call);
  }

 private:
  Status connect();
  void hang_up();
  bool stopped() {
    const MutexLock lock(mutex_);
    return stopped_;
  }
  void read(Line& line);
  void take(v1::ServerMessage& message);
  bool say(const v1::WorkerMessage& message);
  void note_sent() BELFRY_REQUIRES(mutex_);
  Status ask_for(const worker::ClaimRequest& want);
  Result<std::vector<worker::Task>> claim_last();
  std::vector<worker::Task> take_tasks() BELFRY_REQUIRES(mutex_);
  template <typename Response, typename Request>
  Result<Response> converse(const Request& request, const v1::WorkerMessage& message,
                            Duration patience);
  // Where the answer to such a request arrives.
  auto& inbox_of(const v1::HeartbeatRequest& /*kind*/) BELFRY_REQUIRES(mutex_) { return beats_; }
  auto& inbox_of(const v1::CompleteRequest& /*kind*/) BELFRY_REQUIRES(mutex_) { return ends_; }

  const GrpcOptions options_;
  const Clock& clock_;
  const std::unique_ptr<v1::Dispatcher::Stub> stub_;

  Mutex line_mutex_;  // connecting and hanging up, one at a time; never taken under the other two
  std::unique_ptr<Line> line_ BELFRY_GUARDED_BY(line_mutex_);
  Mutex write_mutex_;                                         // one writes at a time
  Line* writable_ BELFRY_GUARDED_BY(write_mutex_) = nullptr;  // line_, for who writes

  Mutex mutex_;
  Condition changed_;
  bool stopped_ BELFRY_GUARDED_BY(mutex_) = false;
  bool connected_ BELFRY_GUARDED_BY(mutex_) = false;
  bool draining_ BELFRY_GUARDED_BY(mutex_) = false;
  std::optional<Error> refused_ BELFRY_GUARDED_BY(mutex_);
  std::optional<worker::ClaimRequest> hello_ BELFRY_GUARDED_BY(mutex_);
  std::size_t credits_ BELFRY_GUARDED_BY(mutex_) = 0;  // given and not used up
  struct Received {
    worker::Task task;
    BootInstant granted;  // no earlier than this
  };
  BootInstant granted_after(const v1::Run& run) BELFRY_REQUIRES(mutex_);
  std::deque<Received> tasks_ BELFRY_GUARDED_BY(mutex_);
  std::deque<BootInstant> sent_ BELFRY_GUARDED_BY(mutex_);  // the last messages on this stream
  std::uint64_t said_ BELFRY_GUARDED_BY(mutex_) = 0;        // how many there were
  std::optional<v1::HeartbeatResponse> beats_ BELFRY_GUARDED_BY(mutex_);
  std::optional<v1::CompleteResponse> ends_ BELFRY_GUARDED_BY(mutex_);

  Mutex cancel_mutex_;
  std::function<void(const worker::Grant&)> on_cancel_ BELFRY_GUARDED_BY(cancel_mutex_);
};

// ---- The connection

Status StreamTransport::connect() {
  const MutexLock connecting(line_mutex_);
  v1::WorkerMessage hello;
  {
    const MutexLock lock(mutex_);
    if (refused_) return fail(*refused_);
    if (connected_) return {};
    if (!hello_) return fail(Errc::kUnavailable, "nothing was claimed yet");
    *hello.mutable_hello() = write_hello(*hello_);
  }
  if (line_ && line_->reader.joinable()) line_->reader.join();
  {
    const MutexLock writing(write_mutex_);
    line_ = std::make_unique<Line>();
    writable_ = line_.get();
    authorize(options_, line_->context);
    line_->stream = stub_->Work(&line_->context);
    {
      const MutexLock lock(mutex_);
      connected_ = true;
      draining_ = false;
      credits_ = 0;
      sent_.clear();
      said_ = 0;
      note_sent();
    }
    if (!line_->stream->Write(hello)) {
      const MutexLock lock(mutex_);
      connected_ = false;
    }
  }
  line_->reader = std::thread([this, line = line_.get()] { read(*line); });
  return {};
}

void StreamTransport::hang_up() {
  const MutexLock connecting(line_mutex_);
  if (!line_) return;
  line_->context.TryCancel();
  if (line_->reader.joinable()) line_->reader.join();
  const MutexLock writing(write_mutex_);
  writable_ = nullptr;
  line_.reset();
}

void StreamTransport::read(Line& line) {
  v1::ServerMessage message;
  while (line.stream->Read(&message)) take(message);
  const grpc::Status status = line.stream->Finish();
  {
    const MutexLock lock(mutex_);
    connected_ = false;
    const Error error = error_of(status);
    if (!status.ok() && error.code == Errc::kInvalid) refused_ = error;
  }
  changed_.notify_all();
}

void StreamTransport::take(v1::ServerMessage& message) {
  if (message.has_cancel()) {
    const MutexLock lock(cancel_mutex_);
    if (on_cancel_) on_cancel_({message.cancel().run_id(), message.cancel().fence()});
    return;
  }
  {
    const MutexLock lock(mutex_);
    for (const v1::Run& run : message.runs().runs()) {
      tasks_.push_back({read_task(run, hello_->lease), granted_after(run)});
      credits_ -= std::min<std::size_t>(credits_, 1);
    }
    if (message.has_beats()) beats_ = std::move(*message.mutable_beats());
    if (message.has_ends()) ends_ = std::move(*message.mutable_ends());
    if (message.has_drain()) draining_ = true;
  }
  changed_.notify_all();
}

// The line lives while anybody writes: connect() replaces it under the same lock.
bool StreamTransport::say(const v1::WorkerMessage& message) {
  const MutexLock writing(write_mutex_);
  {
    const MutexLock lock(mutex_);
    if (!connected_) return false;
    note_sent();
  }
  return writable_->stream->Write(message);
}

void StreamTransport::note_sent() {
  ++said_;
  sent_.push_back(clock_.boot_now());
  if (sent_.size() > kMostSent) sent_.pop_front();
}

// By when we sent the last message that the server had heard. One so old that we have forgotten it
// makes the run as old as can be; a server that does not count makes it new.
BootInstant StreamTransport::granted_after(const v1::Run& run) {
  const BootInstant now = clock_.boot_now();
  if (run.heard() == 0 || run.heard() > said_) return now;
  const std::uint64_t first = said_ - sent_.size() + 1;
  if (run.heard() < first) return now - hello_->lease;
  return std::min(now, sent_[run.heard() - first] + waited_of(run).value_or(Duration::zero()));
}

// ---- Calls

Status StreamTransport::ask_for(const worker::ClaimRequest& want) {
  v1::WorkerMessage credits;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return fail(Errc::kUnavailable, "the worker stops");
    hello_ = want;
    if (connected_ && draining_) return fail(Errc::kUnavailable, "the node is stopping");
  }
  BELFRY_CHECK(connect());
  {
    const MutexLock lock(mutex_);
    const std::size_t open = credits_ + tasks_.size();
    if (want.max_runs <= open) return {};
    credits.set_credits(static_cast<std::int32_t>(want.max_runs - open));
    credits_ += want.max_runs - open;
  }
  if (say(credits)) return {};
  return fail(Errc::kUnavailable, "the stream broke");
}

Result<std::vector<worker::Task>> StreamTransport::claim(const worker::ClaimRequest& want) {
  if (const Status asked = ask_for(want); !asked && !stopped()) return fail(asked.error());
  const BootInstant until = clock_.boot_now() + want.wait;
  {
    const MutexLock lock(mutex_);
    while (!stopped_) {
      if (!tasks_.empty()) return take_tasks();
      const Duration left = until - clock_.boot_now();
      if (left <= Duration::zero()) return std::vector<worker::Task>();
      if (refused_) return fail(*refused_);
      if (!connected_) return fail(Errc::kUnavailable, "the stream broke");
      changed_.wait_for(mutex_, left);
    }
  }
  return claim_last();
}

// The server has credits of ours and may be about to send runs. We take the credits back; once it
// says that nothing more comes, we have all that it sent.
Result<std::vector<worker::Task>> StreamTransport::claim_last() {
  v1::WorkerMessage message;
  message.mutable_drain();
  const bool said = say(message);
  const BootInstant until = clock_.boot_now() + kLastWords;
  const MutexLock lock(mutex_);
  while (said && connected_ && !draining_ && clock_.boot_now() < until) {
    changed_.wait_for(mutex_, until - clock_.boot_now());
  }
  if (tasks_.empty()) return fail(Errc::kUnavailable, "the worker stops");
  return take_tasks();
}

std::vector<worker::Task> StreamTransport::take_tasks() {
  std::vector<worker::Task> tasks;
  for (Received& received : tasks_) {
    tasks.push_back(std::move(received.task));
    tasks.back().age = clock_.boot_now() - received.granted;
  }
  tasks_.clear();
  return tasks;
}

template <typename Response, typename Request>
Result<Response> StreamTransport::converse(const Request& request, const v1::WorkerMessage& message,
                                           Duration patience) {
  BELFRY_CHECK(connect());
  {
    const MutexLock lock(mutex_);
    inbox_of(request).reset();
  }
  if (!say(message)) return fail(Errc::kUnavailable, "the stream broke");
  const BootInstant until = clock_.boot_now() + patience;
  const MutexLock lock(mutex_);
  std::optional<Response>& inbox = inbox_of(request);
  for (;;) {
    if (inbox && answers_to(request, *inbox)) return *std::exchange(inbox, std::nullopt);
    const Duration left = until - clock_.boot_now();
    if (left <= Duration::zero()) return fail(Errc::kUnavailable, "no answer in time");
    if (!connected_) return fail(Errc::kUnavailable, "the stream broke");
    changed_.wait_for(mutex_, left);
  }
}

Result<std::vector<HeartbeatAnswer>> StreamTransport::heartbeat(
    std::span<const worker::Heartbeat> beats, Duration lease) {
  v1::WorkerMessage message;
  const v1::HeartbeatRequest& request = *message.mutable_beats() = write_beats(beats, lease);
  BELFRY_TRY(response,
             converse<v1::HeartbeatResponse>(request, message, worker::patience_for(lease)));
  return read_answers(response);
}

Result<std::vector<worker::CompletionAnswer>> StreamTransport::complete(
    std::span<const worker::Completion> ends) {
  v1::WorkerMessage message;
  const v1::CompleteRequest& request = *message.mutable_ends() = write_ends(ends);
  BELFRY_TRY(response, converse<v1::CompleteResponse>(request, message, kPatience));
  return read_answers(response);
}

}  // namespace

Result<std::unique_ptr<worker::Transport>> make_stream_transport(const GrpcOptions& options,
                                                                 const Clock& clock) {
  BELFRY_TRY(channel, open_channel(options));
  return std::make_unique<StreamTransport>(options, clock, channel);
}

}  // namespace belfry::rpc
