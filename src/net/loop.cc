#include "net/loop.h"

#include "base/mutex.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace belfry::net {

namespace asio = boost::asio;
using boost::system::error_code;

struct Loop::Impl {
  std::optional<asio::io_context> context{std::in_place, 1};  // 1: one thread runs it
  std::thread thread;
  std::atomic<std::thread::id> thread_id;
  Mutex mutex;
  bool finished BELFRY_GUARDED_BY(mutex) = false;
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {}

Loop::~Loop() {
  if (!impl_->thread.joinable()) return;
  quit();
  finish();
}

void Loop::start() {
  impl_->thread = std::thread([impl = impl_.get()] {
    impl->thread_id = std::this_thread::get_id();
    const auto guard = asio::make_work_guard(*impl->context);
    impl->context->run();
  });
}

void Loop::quit() {
  impl_->context->stop();
}

void Loop::finish() {
  if (impl_->thread.joinable()) impl_->thread.join();
  {
    const MutexLock lock(impl_->mutex);
    if (std::exchange(impl_->finished, true)) return;
  }
  // What was posted may hold the last reference to something that posts again; that is refused now.
  impl_->context.reset();
}

bool Loop::is_here() const {
  return impl_->thread_id.load(std::memory_order_relaxed) == std::this_thread::get_id();
}

void Loop::post(std::function<void()> work) {
  const MutexLock lock(impl_->mutex);
  if (!impl_->finished) asio::post(*impl_->context, std::move(work));
}

void Loop::post_after(Duration delay, std::function<void()> work) {
  const MutexLock lock(impl_->mutex);
  if (impl_->finished) return;
  auto timer = std::make_unique<asio::steady_timer>(*impl_->context, delay);
  auto& waiting = *timer;
  waiting.async_wait([timer = std::move(timer), work = std::move(work)](error_code error) {
    if (!error) work();
  });
}

struct Watch::Impl {
  asio::posix::stream_descriptor stream;
  int descriptor;
  bool works;
};

namespace {

auto unless_cancelled(std::function<void()> callback) {
  return [callback = std::move(callback)](error_code error) {
    if (error != asio::error::operation_aborted) callback();
  };
}

}  // namespace

Watch::Watch(Loop& loop, int descriptor)
    : impl_(new Impl{asio::posix::stream_descriptor(*loop.impl_->context), descriptor, false}) {
  error_code error;
  impl_->stream.assign(descriptor, error);
  impl_->works = !error;
}

Watch::~Watch() {
  close();
}

int Watch::descriptor() const {
  return impl_->descriptor;
}

bool Watch::works() const {
  return impl_->works;
}

void Watch::when_readable(std::function<void()> callback) {
  impl_->stream.async_wait(asio::posix::stream_descriptor::wait_read,
                           unless_cancelled(std::move(callback)));
}

void Watch::when_writable(std::function<void()> callback) {
  impl_->stream.async_wait(asio::posix::stream_descriptor::wait_write,
                           unless_cancelled(std::move(callback)));
}

void Watch::close() {
  const int descriptor = std::exchange(impl_->descriptor, -1);
  if (descriptor < 0) return;
  error_code ignored;
  if (impl_->works) {
    impl_->stream.close(ignored);
  } else {
    ::close(descriptor);
  }
}

struct Timer::Impl {
  asio::steady_timer timer;
};

Timer::Timer(Loop& loop) : impl_(new Impl{asio::steady_timer(*loop.impl_->context)}) {}

Timer::~Timer() = default;

void Timer::start(Duration delay, std::function<void()> callback) {
  impl_->timer.expires_after(delay);
  impl_->timer.async_wait(unless_cancelled(std::move(callback)));
}

void Timer::cancel() {
  impl_->timer.cancel();
}

}  // namespace belfry::net
