# What nearly every file includes, parsed once: the everyday headers of the standard library, fmt, Result and
# JSON. Sources still include what they use (headers.cmake compiles each header alone), so nothing depends on
# this but the time that a build takes.
set(BELFRY_EVERYDAY
  <algorithm> <array> <atomic> <charconv> <chrono> <cstdint> <functional> <limits> <map> <memory> <optional>
  <set> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <tl/expected.hpp> <nlohmann/json.hpp>)

# belfry_precompiled_set(name headers...): a set of headers, parsed once for all who use it.
function(belfry_precompiled_set name)
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cc")
  target_compile_options(${name} PRIVATE ${BELFRY_WARNINGS})
  target_link_libraries(${name} PUBLIC fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

belfry_precompiled_set(everyday ${BELFRY_EVERYDAY})
if(NOT BELFRY_FUZZ)
  belfry_precompiled_set(everyday_tests ${BELFRY_EVERYDAY} <gtest/gtest.h>)
  target_link_libraries(everyday_tests PUBLIC GTest::gtest) # its definitions change what the headers say
endif()

# belfry_precompile(target set): lets a target use one; its compile options have to be the set's.
function(belfry_precompile target set)
  target_precompile_headers(${target} REUSE_FROM ${set})
endfunction()
