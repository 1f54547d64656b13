#include "service/access/key_watch.h"

#include <iterator>
#include <map>
#include <utility>

namespace belfry::service {

void KeyWatch::add(Guest guest) {
  const MutexLock lock(mutex_);
  guests_.push_back(std::move(guest));
}

void KeyWatch::check() {
  std::vector<Guest> all;
  {
    const MutexLock lock(mutex_);
    all.swap(guests_);
  }
  std::erase_if(all, [](const Guest& guest) { return guest.has_left(); });
  // Many guests have the same key: it is asked about once.
  std::map<std::pair<std::optional<std::string>, Access>, bool> valid;
  std::vector<Guest> staying;
  for (Guest& guest : all) {
    const auto [known, is_new] =
        valid.try_emplace({guest.caller.authorization, guest.access}, true);
    if (is_new) known->second = is_valid(guest);
    if (known->second) {
      staying.push_back(std::move(guest));
    } else {
      guest.show_out();
    }
  }
  const MutexLock lock(mutex_);
  guests_.insert(guests_.end(), std::make_move_iterator(staying.begin()),
                 std::make_move_iterator(staying.end()));
}

bool KeyWatch::is_valid(const Guest& guest) {
  const auto identified = keys_.identify(guest.caller);
  if (!identified) return identified.error().code != Errc::kInvalid;
  return allows(identified->scope, guest.access);
}

}  // namespace belfry::service
