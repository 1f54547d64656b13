#include "service/secrets/secret_box.h"

#include "base/digest.h"
#include "core/target_secrets.h"

#include <algorithm>

namespace belfry::service {
namespace {

using std::chrono::seconds;

constexpr std::string_view kSealed = "sealed.v1.";  // then the key's id, a dot, and base64url
constexpr std::size_t kIdSize = 8;
constexpr Duration kBetweenReads = seconds(1);  // of the keys, for one that is not known
constexpr Duration kNoteAgain = seconds(60);    // a rotation elsewhere may have dropped the note
constexpr Duration kTrustNamed = seconds(5);
constexpr std::size_t kMostNamed = 10'000;

std::string context_of(TenantId tenant, std::string_view place) {
  return "belfry\n" + std::to_string(tenant.value()) + "\n" + std::string(place);
}

std::string place_of_named(const std::string& name) {
  return "named/" + name;
}

void swap_letters(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t i = 0; i < from.size(); ++i) std::ranges::replace(text, from[i], to[i]);
}

Error no_key() {
  return {.code = Errc::kInvalid,
          .message = "secrets are kept sealed, and this server has no key to seal them with",
          .field = "secrets_key_file",
          .hint =
              "start every node with --secrets-key-file FILE or BELFRY_SECRETS_KEY; a key is "
              "made with: openssl rand -base64 32"};
}

Error missing_key(std::string_view id) {
  return {.code = Errc::kInvalid,
          .message = "secrets are sealed with the key " + std::string(id) +
                     ", which this server does not have",
          .field = "secrets_key_file",
          .hint = "add that key to --secrets-key-file or BELFRY_SECRETS_KEY, after the newest one"};
}

}  // namespace

std::string_view SecretBox::key_of(std::string_view kept) {
  if (!kept.starts_with(kSealed) || kept.size() < kSealed.size() + kIdSize) return {};
  return kept.substr(kSealed.size(), kIdSize);
}

SecretBox::Keys SecretBox::keys() const {
  const MutexLock lock(mutex_);
  return keys_;
}

Status SecretBox::read_keys() {
  BELFRY_TRY(text, source_.read());
  BELFRY_TRY(parsed, SealKeys::parse(text));
  const MutexLock lock(mutex_);
  keys_ = std::make_shared<const SealKeys>(std::move(parsed));
  read_at_ = clock_.boot_now();
  return {};
}

Status SecretBox::start() {
  BELFRY_CHECK(read_keys());
  BELFRY_TRY(used, store_.seal_keys());
  const Keys known = keys();
  for (const std::string& id : used) {
    if (known->find(id) == nullptr) return fail(missing_key(id));
  }
  return {};
}

Result<std::string> SecretBox::newest_key(bool fresh) {
  const bool is_due = fresh || keys()->empty();
  if (is_due && source_.renew) BELFRY_CHECK(source_.renew());
  if (is_due) BELFRY_CHECK(read_keys());
  const Keys known = keys();
  if (known->empty()) return fail(no_key());
  const std::string id = known->newest_id();
  {
    const MutexLock lock(mutex_);
    if (noted_ == id && noted_at_ + kNoteAgain > clock_.boot_now()) return id;
  }
  // Before anything is sealed with it: what cannot be opened must be known to be there.
  BELFRY_CHECK(store_.note_seal_key(id));
  const MutexLock lock(mutex_);
  noted_ = id;
  noted_at_ = clock_.boot_now();
  return id;
}

// Nothing is sealed with it, so the store does not note it: a node that has lost it starts.
Result<std::optional<SigningKey>> SecretBox::signing_key(bool make) {
  constexpr std::string_view kPurpose = "belfry: statements about the ledger, Ed25519, 1";
  if (keys()->empty()) {
    if (make && source_.renew) BELFRY_CHECK(source_.renew());
    BELFRY_CHECK(read_keys());
  }
  const Keys known = keys();
  if (known->empty()) return std::nullopt;
  const SealKey& key = known->newest();
  return SigningKey(hmac_sha256({reinterpret_cast<const char*>(key.data()), key.size()}, kPurpose));
}

Result<std::string> SecretBox::seal(TenantId tenant, std::string_view place,
                                    std::string_view plain) {
  BELFRY_TRY(id, newest_key());
  const Keys known = keys();
  const SealKey* const key = known->find(id);
  if (key == nullptr) return fail(missing_key(id));
  std::string text = encode_base64(seal_bytes(*key, plain, context_of(tenant, place)));
  text.erase(text.find_last_not_of('=') + 1);
  swap_letters(text, "+/", "-_");  // it may stand in a URL
  return std::string(kSealed) + id + "." + text;
}

Result<std::string> SecretBox::open(TenantId tenant, std::string_view place,
                                    const std::string& kept) {
  const std::string_view id = key_of(kept);
  if (id.empty()) return kept;
  Keys known = keys();
  if (known->find(id) == nullptr) {
    bool stale = false;
    {
      const MutexLock lock(mutex_);
      stale = read_at_ + kBetweenReads < clock_.boot_now();
    }
    if (stale) BELFRY_CHECK(read_keys());
    known = keys();
  }
  const SealKey* const key = known->find(id);
  if (key == nullptr) return fail(missing_key(id));
  std::string text = kept.substr(std::min(kSealed.size() + kIdSize + 1, kept.size()));
  swap_letters(text, "-_", "+/");
  const auto bytes = decode_base64(text);
  auto plain = bytes ? open_bytes(*key, *bytes, context_of(tenant, place)) : std::nullopt;
  if (plain) return *std::move(plain);
  return fail(Errc::kInvalid,
              "a sealed secret does not open: it was changed, or was sealed for "
              "another tenant or place");
}

Result<std::string> SecretBox::seal_target(TenantId tenant, const std::string& target,
                                           const std::string& before) {
  auto parsed = parse_json(target);
  if (!parsed || core::secrets_in(*parsed).empty()) return target;
  const auto old = parse_json(before);
  const auto kept = old ? core::secrets_in(*old) : std::map<std::string, std::string>();
  Status status;
  core::visit_secrets(*parsed, [&](const std::string& place, std::string& value) {
    if (!status) return;
    if (const auto there = kept.find(place); there != kept.end()) {
      const auto opened = open(tenant, place, there->second);
      if (value == there->second || (opened && *opened == value)) {
        value = there->second;
        return;
      }
    }
    auto sealed = seal(tenant, place, value);
    if (sealed) {
      value = *std::move(sealed);
    } else {
      status = fail(sealed.error());
    }
  });
  if (!status) return fail(status.error());
  return write_json(*parsed);
}

Result<Json> SecretBox::open_target(TenantId tenant, Json target) {
  Status status;
  const auto take = [&status](Result<std::string> opened) {
    if (opened) return *std::move(opened);
    if (status) status = fail(opened.error());
    return std::string();
  };
  core::visit_secrets(target, [&](const std::string& place, std::string& value) {
    value = take(open(tenant, place, value));
  });
  core::resolve_secret_refs(
      target, [&](const std::string& name) { return take(find_named(tenant, name)); });
  if (!status) return fail(status.error());
  return target;
}

Result<std::string> SecretBox::find_named(TenantId tenant, const std::string& name) {
  std::string sealed;
  const BootInstant now = clock_.boot_now();
  {
    const MutexLock lock(mutex_);
    const auto found = named_.find({tenant, name});
    if (found != named_.end() && found->second.read_at + kTrustNamed > now) {
      sealed = found->second.sealed;
    }
  }
  if (sealed.empty()) {
    BELFRY_TRY(row, store_.find_secret(tenant, name));
    sealed = row.sealed;
    const MutexLock lock(mutex_);
    if (named_.size() >= kMostNamed) named_.clear();
    named_[{tenant, name}] = {sealed, now};
  }
  return open(tenant, place_of_named(name), sealed);
}

Result<store::SecretRow> SecretBox::put(TenantId tenant, const std::string& name,
                                        std::string_view value, const store::Author& author) {
  BELFRY_TRY(sealed, seal(tenant, place_of_named(name), value));
  auto put = store_.put_secret(tenant, name, sealed, author);
  const MutexLock lock(mutex_);
  named_.erase({tenant, name});
  return put;
}

Status SecretBox::remove(TenantId tenant, const std::string& name, const store::Author& author) {
  auto removed = store_.delete_secret(tenant, name, author);
  const MutexLock lock(mutex_);
  named_.erase({tenant, name});
  return removed;
}

}  // namespace belfry::service
