#pragma once

#include "base/time.h"
#include "net/http.h"

#include <string>
#include <string_view>

// How a server's answers look on the wire. Private to net.
namespace belfry::net {

// What follows the header.
enum class BodyFraming {
  kLength,        // Content-Length and the body
  kHead,          // the answer to a HEAD: Content-Length, but no body
  kChunked,       // a stream in chunks
  kHeadOfStream,  // the answer to a HEAD of a stream, whose length nobody knows
  kUntilClosed    // a stream to an HTTP/1.0 client: it ends with the connection
};

struct Framing {
  BodyFraming body = BodyFraming::kLength;
  bool keep_alive = true;
};

// A final status, and headers that cannot be mistaken for others.
bool is_sendable(const Response& response);

// The header, and the body if there is to be one.
void append_response(std::string& out, const Response& response, Framing framing, Instant now);

void append_chunk(std::string& out, std::string_view data);  // data is not empty
void append_last_chunk(std::string& out);

// How the server words an error when nobody told it otherwise: problem+json (RFC 9457).
Response default_error(int status, std::string_view detail);

}  // namespace belfry::net
