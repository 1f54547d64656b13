#pragma once

#include "console/assets.h"
#include "net/http.h"

#include <optional>
#include <span>

namespace belfry::console {

// The answer to a request for the web console, or none if it asks for something else: another
// method, a path of the API, or a file that is not there. The addresses of its pages (`/jobs`,
// `/runs/…`) all get the same document, which finds its way by itself; only who takes HTML gets
// it, so that a program with a wrong path still gets a problem. Never waits.
std::optional<net::Response> answer(const net::Request& request,
                                    std::span<const Asset> assets = console::assets());

}  // namespace belfry::console
