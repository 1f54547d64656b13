// Key sets of issuers, and tokens: the input is one or the other.
#include "base/jwk_set.h"
#include "tests/fuzz/fuzz.h"

namespace {

// A P-256 key (RFC 7515, A.3) whose private half signs nothing here.
constexpr const char* kKnown =
    R"({"keys":[{"kty":"EC","crv":"P-256","kid":"1","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},)"
    R"({"kty":"OKP","crv":"Ed25519","kid":"2","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]})";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  static const auto known = JwkSet::parse(kKnown);
  BELFRY_ASSERT(known.has_value());
  const std::string text(fuzz::as_text(data, size));
  const auto set = JwkSet::parse(text);
  if (set) BELFRY_ASSERT(!set->verify(text));  // a set is no token
  const auto claims = known->verify(text);
  BELFRY_ASSERT(!claims || claims->is_object());
  return 0;
}
