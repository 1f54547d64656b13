#pragma once

#include <mutex>

// A lock the compiler can check: clang's thread-safety analysis reads these marks, g++
// ignores them.
#if defined(__clang__)
#define BELFRY_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define BELFRY_THREAD_ATTRIBUTE(x)
#endif

#define BELFRY_CAPABILITY(name) BELFRY_THREAD_ATTRIBUTE(capability(name))
#define BELFRY_SCOPED_CAPABILITY BELFRY_THREAD_ATTRIBUTE(scoped_lockable)
#define BELFRY_GUARDED_BY(mutex) BELFRY_THREAD_ATTRIBUTE(guarded_by(mutex))
#define BELFRY_REQUIRES(...) BELFRY_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define BELFRY_ACQUIRE(...) BELFRY_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define BELFRY_RELEASE(...) BELFRY_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))

namespace belfry {

class BELFRY_CAPABILITY("mutex") Mutex {
 public:
  void lock() BELFRY_ACQUIRE() { mutex_.lock(); }
  void unlock() BELFRY_RELEASE() { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

class BELFRY_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) BELFRY_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() BELFRY_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace belfry
