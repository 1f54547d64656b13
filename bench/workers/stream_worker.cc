// A worker on gRPC streams whose work takes no time, as the load of a measurement: it reports each
// message of runs with one message, and says how late the runs came and how long all of them took.
//
// usage: stream_worker ADDRESS JOB_TYPE STREAMS CREDITS RUNS FROM UNTIL
// Ends when RUNS reports were confirmed (0: never) or at SIGTERM. Lags are those of runs scheduled
// from FROM to before UNTIL (milliseconds since 1970). The answer is one line of JSON.
#include "base/real_clock.h"
#include "belfry/v1/dispatcher.grpc.pb.h"

#include <grpcpp/grpcpp.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace belfry {
namespace {

struct Order {
  std::string address;
  std::string job_type;
  int streams = 1;
  int credits = 1;
  std::int64_t runs = 0;
  double from_ms = 0;
  double until_ms = 0;
};

double wall_ms(const Clock& clock) {
  return static_cast<double>(clock.wall_now().micros()) / 1e3;
}

class Stream {
 public:
  Stream(const Order& order, int number, const Clock& clock, std::atomic<std::int64_t>& confirmed)
      : order_(order),
        clock_(clock),
        confirmed_(confirmed),
        stub_(v1::Dispatcher::NewStub(connect(order.address, number))),
        call_(stub_->Work(&context_)),
        thread_([this, number] {
          work(number);
          broken_ = true;
        }) {}
  ~Stream() { join(); }

  void cancel() { context_.TryCancel(); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  // A stream that ended before it was cancelled: the server refused something, or has gone.
  bool broken() const { return broken_; }

  // Only after join().
  const std::vector<double>& lags() const { return lags_; }
  std::int64_t refused() const { return refused_; }
  std::string reason() { return call_->Finish().error_message(); }

 private:
  // A connection for each stream: one would make all of them share a thread of gRPC.
  static std::shared_ptr<grpc::Channel> connect(const std::string& address, int number) {
    grpc::ChannelArguments arguments;
    arguments.SetInt("belfry.bench.stream", number);
    arguments.SetMaxReceiveMessageSize(-1);
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  }

  void work(int number) {
    v1::WorkerMessage hello;
    hello.mutable_hello()->set_worker_id("stream-" + std::to_string(number));
    hello.mutable_hello()->add_job_types(order_.job_type);
    v1::WorkerMessage credits;
    credits.set_credits(order_.credits);
    if (!call_->Write(hello) || !call_->Write(credits)) return;
    v1::ServerMessage message;
    while (call_->Read(&message)) {
      if (message.has_runs()) {
        if (!report(message.runs())) return;
      } else if (message.has_ends()) {
        count(message.ends());
      }
    }
  }

  bool report(const v1::ClaimResponse& runs) {
    const double now = wall_ms(clock_);
    v1::WorkerMessage ends;
    for (const v1::Run& run : runs.runs()) {
      const double scheduled = static_cast<double>(run.scheduled_for().seconds()) * 1e3 +
                               static_cast<double>(run.scheduled_for().nanos()) / 1e6;
      if (scheduled >= order_.from_ms && scheduled < order_.until_ms) {
        lags_.push_back(now - scheduled);
      }
      v1::Completion& end = *ends.mutable_ends()->add_runs();
      end.set_run_id(run.run_id());
      end.set_fence(run.fence());
      end.set_status(v1::STATUS_SUCCEEDED);
    }
    v1::WorkerMessage credits;
    credits.set_credits(runs.runs_size());
    return call_->Write(ends) && call_->Write(credits);
  }

  void count(const v1::CompleteResponse& answers) {
    std::int64_t good = 0;
    for (const v1::CompletionResult& result : answers.results()) {
      if (result.answer() == v1::COMPLETION_ANSWER_OK) ++good;
    }
    refused_ += answers.results_size() - good;
    confirmed_ += good;
  }

  const Order& order_;
  const Clock& clock_;
  std::atomic<std::int64_t>& confirmed_;
  std::vector<double> lags_;
  std::int64_t refused_ = 0;
  std::atomic<bool> broken_ = false;
  grpc::ClientContext context_;
  std::unique_ptr<v1::Dispatcher::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::WorkerMessage, v1::ServerMessage>> call_;
  std::thread thread_;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double at(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return -1;
  const auto index = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(index, sorted.size() - 1)];
}

int run(const Order& order) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);  // before there are threads, which inherit it
  const RealClock clock;
  std::atomic<std::int64_t> confirmed = 0;
  const BootInstant begin = clock.boot_now();
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < order.streams; ++i) {
    streams.push_back(std::make_unique<Stream>(order, i, clock, confirmed));
  }
  std::printf("ready\n");
  std::fflush(stdout);
  const timespec moment{.tv_sec = 0, .tv_nsec = 2'000'000};
  while (order.runs == 0 || confirmed < order.runs) {
    if (sigtimedwait(&stop, nullptr, &moment) == SIGTERM) break;
    for (auto& stream : streams) {
      if (!stream->broken()) continue;
      std::fprintf(stderr, "the stream ended: %s\n", stream->reason().c_str());
      std::_Exit(1);
    }
  }
  const double seconds = static_cast<double>((clock.boot_now() - begin).count()) / 1e6;
  const std::int64_t done = confirmed;
  for (auto& stream : streams) stream->cancel();
  std::vector<double> lags;
  std::int64_t refused = 0;
  for (auto& stream : streams) {
    stream->join();
    lags.insert(lags.end(), stream->lags().begin(), stream->lags().end());
    refused += stream->refused();
  }
  std::sort(lags.begin(), lags.end());
  std::printf(
      R"({"done":%lld,"refused":%lld,"seconds":%.4f,"cpu":%.3f,"n":%zu,"p50":%.2f,"p95":%.2f,"p99":%.2f,"max":%.2f})"
      "\n",
      static_cast<long long>(done), static_cast<long long>(refused), seconds, cpu_seconds(),
      lags.size(), at(lags, 0.5), at(lags, 0.95), at(lags, 0.99), at(lags, 1));
  return 0;
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fprintf(stderr, "usage: %s ADDRESS JOB_TYPE STREAMS CREDITS RUNS FROM UNTIL\n", argv[0]);
    return 2;
  }
  return belfry::run({.address = argv[1],
                      .job_type = argv[2],
                      .streams = std::atoi(argv[3]),
                      .credits = std::atoi(argv[4]),
                      .runs = std::atoll(argv[5]),
                      .from_ms = std::atof(argv[6]),
                      .until_ms = std::atof(argv[7])});
}
