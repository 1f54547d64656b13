# Language level, warnings, sanitizers, and the tools that make builds quick where they are installed.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(BELFRY_SANITIZE "" CACHE STRING "value for -fsanitize, for example address,undefined")
set(BELFRY_FUZZ OFF CACHE BOOL "build the libFuzzer targets (needs clang)")
set(BELFRY_UNITE ON CACHE BOOL "compile the sources of a folder together (cmake/module.cmake)")
set(BELFRY_BINARY_DIR "" CACHE PATH "where the belfry binary goes; empty: the build folder")

find_program(CCACHE ccache)
if(CCACHE)
  # Clones side by side share what they compile: paths are relative to the clone. Precompiled headers need
  # the sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
    CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
endif()
add_compile_options(-pthread) # some libraries ask for it, and all users of precompiled headers must agree
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess) # lets ccache look through precompiled headers
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
# Two cores: one link at a time keeps the peak of memory low.
set_property(GLOBAL PROPERTY JOB_POOLS link=1)
set(CMAKE_JOB_POOL_LINK link)

# Bounds checks of the standard library stay on in release: they cost little and turn silent
# corruption into a crash that a node survives by design.
add_compile_definitions(_GLIBCXX_ASSERTIONS)
if(BELFRY_SANITIZE)
  add_compile_options("-fsanitize=${BELFRY_SANITIZE}" -fno-sanitize-recover=all)
  add_link_options("-fsanitize=${BELFRY_SANITIZE}")
endif()
if(BELFRY_FUZZ)
  # Not for the assembler, which may be another compiler's.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link,address,undefined>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=address,undefined)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12: inside std::string, which it keeps to itself only where headers are not precompiled; and
  # where a class of a source has a member from the anonymous namespace, once sources are compiled together.
  set(false_alarms -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-subobject-linkage)
else()
  # Of clang: libstdc++ 12 itself uses what it deprecates, in std::stable_sort.
  set(false_alarms -Wno-deprecated-declarations)
endif()
set(BELFRY_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wswitch-enum
  ${false_alarms}
  -Wno-missing-field-initializers # designated initialisers leave defaults out on purpose
  -Werror)
