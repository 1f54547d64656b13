#pragma once

#include "base/time.h"

#include <functional>
#include <memory>

namespace belfry::net {

// One thread that waits for many things: sockets, timers, work posted by other threads. The only
// door to Asio; private to net. May be used until the last reference is gone, but does nothing
// after finish().
class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start();
  // Loop thread only: the loop takes up nothing more, and ends after this callback.
  void quit();
  // Waits for the thread to end and drops everything that was posted, uncalled. Watches and timers
  // must be closed by then. Not from the loop thread. Safe to call twice.
  void finish();

  bool is_here() const;  // on the loop thread

  // From any thread.
  void post(std::function<void()> work);
  void post_after(Duration delay, std::function<void()> work);

 private:
  friend class Watch;
  friend class Timer;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// An owned file descriptor that somebody waits for. Loop thread only. A callback that was already
// due may still come after close(), but none later.
class Watch {
 public:
  Watch(Loop& loop, int descriptor);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  int descriptor() const;
  // False: the system has no room to watch it. It is still owned, but nobody will be called.
  bool works() const;
  // Each callback is called once; one of each kind can wait at a time.
  void when_readable(std::function<void()> callback);
  void when_writable(std::function<void()> callback);
  // Closes the descriptor and drops the callbacks, uncalled.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Loop thread only. Starting it again replaces what it waited for.
class Timer {
 public:
  explicit Timer(Loop& loop);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void start(Duration delay, std::function<void()> callback);
  void cancel();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net
