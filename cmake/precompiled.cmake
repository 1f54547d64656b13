# What nearly every file includes, parsed once: the everyday headers of the standard library, fmt, Result and JSON.
# Sources still include what they use (./dev lint reads each header alone), so nothing but the build time depends
# on this.
set(BELFRY_EVERYDAY
  <algorithm> <array> <atomic> <charconv> <chrono> <cstdint> <functional> <limits> <map> <memory> <optional>
  <set> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <tl/expected.hpp> <nlohmann/json.hpp>)

# belfry_precompiled_set(name headers...): a set of headers, parsed once for all its users.
function(belfry_precompiled_set name)
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cc")
  target_compile_options(${name} PRIVATE ${BELFRY_WARNINGS})
  target_link_libraries(${name} PUBLIC fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  belfry_sum_up(${name} ${ARGN})
endfunction()

# No two precompiled files are equal byte for byte, so ccache would never hit from one clone to the next. Instead it
# reads a file beside them (CCACHE_PCH_EXTSUM): here, a hash of what was precompiled. Written again after a package was
# installed, because the system's headers may have changed.
function(belfry_sum_up name)
  set(sum "${PROJECT_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.gch.sum")
  if(EXISTS "${sum}" AND NOT "/var/lib/dpkg/status" IS_NEWER_THAN "${sum}"
     AND NOT "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" IS_NEWER_THAN "${sum}")
    return()
  endif()
  list(TRANSFORM ARGN PREPEND "#include " OUTPUT_VARIABLE lines)
  list(JOIN lines "\n" text)
  set(unit "${PROJECT_BINARY_DIR}/CMakeFiles/${name}.dir/sum.cc")
  file(WRITE "${unit}" "${text}\n")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -E -P "${unit}" OUTPUT_VARIABLE content
    COMMAND_ERROR_IS_FATAL ANY)
  set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE} ${CMAKE_CXX_FLAGS_DEBUG} ${BELFRY_WARNINGS}")
  string(SHA256 hash "${content} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${flags} ${BELFRY_SANITIZE}")
  file(WRITE "${sum}" "${hash}\n")
endfunction()

belfry_precompiled_set(everyday ${BELFRY_EVERYDAY})
if(NOT BELFRY_FUZZ)
  belfry_precompiled_set(everyday_tests ${BELFRY_EVERYDAY} <gtest/gtest.h>)
  target_link_libraries(everyday_tests PUBLIC GTest::gtest) # its definitions change what the headers say
endif()

# belfry_precompile(target set): lets a target use a set; it must have the set's compile options.
function(belfry_precompile target set)
  target_precompile_headers(${target} REUSE_FROM ${set})
endfunction()
