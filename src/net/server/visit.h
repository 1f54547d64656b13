#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace belfry::net {

// A connection that a FrontDoor gave away. Whoever serves it tells what its calls needed; what is
// sent beyond that is no call, and the door ends the connection. Thread-safe.
class Visit {
 public:
  // A call: it arrives, is let in or not, and leaves. Once it is in, a message of it may come.
  void arrive() { ++open_; }
  void let_in() {
    earned_ += kHeaders;
    ++inside_;
  }
  void take_message(std::size_t bytes) {
    earned_ += static_cast<std::int64_t>(bytes + bytes / 8) + kFrames;
  }
  void take_leave(bool was_let_in) {
    --open_;
    if (was_let_in) --inside_;
  }

  // The caller has given up a call before it was answered.
  void note_given_up() { ++given_up_; }

  // How many bytes may have come, beside those that nobody has to explain.
  std::int64_t explained() const { return earned_ + inside_ * kLargestMessage; }
  bool has_called() const { return earned_ > 0; }
  std::int64_t open_calls() const { return open_; }
  std::uint64_t given_up() const { return given_up_; }

 private:
  static constexpr std::int64_t kHeaders = 8 * 1024;
  static constexpr std::int64_t kFrames = 1024;  // a message's, and those that let ours come
  static constexpr std::int64_t kLargestMessage = 18 * 1024 * 1024;  // with its frames

  std::atomic<std::int64_t> earned_ = 0;
  std::atomic<std::int64_t> open_ = 0;
  std::atomic<std::int64_t> inside_ = 0;
  std::atomic<std::uint64_t> given_up_ = 0;
};

}  // namespace belfry::net
