#pragma once

#include "base/result.h"
#include "deliver/delivery.h"
#include "deliver/webhook/http_caller.h"
#include "net/url.h"

namespace belfry::deliver {

// The target of a webhook: where it goes.
Result<net::Url> webhook_url(const Delivery& delivery);

// The call that a delivery becomes, without its addresses. The body is the payload as the user
// wrote it; `now` is when it was signed.
Result<HttpCall> webhook_call(const Delivery& delivery, const net::Url& url, Instant now);

// What an answer means for the run.
Outcome webhook_outcome(const HttpAnswer& answer);

// Whether the receiver is there, which does not mean that it is content.
bool answered(const HttpAnswer& answer);

}  // namespace belfry::deliver
