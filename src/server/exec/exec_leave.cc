#include "server/exec/exec_leave.h"

namespace belfry::server {

Status ExecLeave::check() {
  if (!needs_no_keys_) return {};
  if (!has_ended_) {
    BELFRY_TRY(any_keys, keys_.any_keys());
    if (!any_keys) return {};
    has_ended_ = true;
  }
  return fail(
      {.code = Errc::kInvalid,
       .message = "there are API keys, and commands would run as the node's own user `" +
                  user_.name + "`, who can read its store: none runs in this node",
       .field = "exec_user",
       .hint = "run `belfry worker` as another user; or, if whoever may `exec` may have the "
               "node, say so: --exec-user " +
               user_.name});
}

}  // namespace belfry::server
