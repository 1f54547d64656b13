#pragma once

#include "base/result.h"
#include "store/access.h"
#include "worker/exec_user.h"

#include <atomic>
#include <string>
#include <utility>

namespace belfry::server {

// Whether commands may run inside this node.
//
// As the node's own user they can read its store and its files: whoever may write such a job has
// the node. Without keys that is the node's owner anyway. From the first key on it is somebody
// else, so then commands run as another user, which takes root, or not here; unless the setting
// `exec_user` names the node's own user, which says that this is meant. Thread-safe.
class ExecLeave {
 public:
  // `named`: the setting; empty if there is none. The store must outlive it.
  ExecLeave(store::AccessStore& keys, worker::ExecUser user, const std::string& named)
      : keys_(keys), user_(std::move(user)), needs_no_keys_(!user_.is_other && named.empty()) {}

  // kInvalid: they may not, and never will; the message names the setting. Other errors: not known.
  Status check();

 private:
  store::AccessStore& keys_;
  const worker::ExecUser user_;
  const bool needs_no_keys_;
  std::atomic<bool> has_ended_ = false;  // there was a first key; that is for good
};

}  // namespace belfry::server
