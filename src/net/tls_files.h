#pragma once

#include "base/result.h"

#include <string>

namespace belfry::net {

// PEM files: who we are, and whom we believe.
struct TlsFiles {
  std::string certificate;  // the chain
  std::string key;
  std::string client_ca = {};  // of a server: callers must have a certificate of these authorities
};

// For a library that speaks TLS with OpenSSL by itself: sets what we always want in its SSL_CTX
// (versions, ciphers, the system's authorities). False if OpenSSL refuses.
bool apply_tls_rules(void* ssl_context);

// Whether a server could use them; the error says which file is wrong.
Status check_tls(const TlsFiles& files);

}  // namespace belfry::net
