# One target per module of src/, with its dependencies declared; one test binary beside it.

# belfry_module(NAME core SOURCES a.cc b.cc DEPENDS base PRIVATE_LIBS absl::time)
# PRECOMPILED names a set of cmake/precompiled.cmake other than `everyday`.
function(belfry_module)
  cmake_parse_arguments(arg "" "NAME;PRECOMPILED" "SOURCES;DEPENDS;PUBLIC_LIBS;PRIVATE_LIBS" ${ARGN})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED everyday)
  endif()
  add_library(${arg_NAME} STATIC ${arg_SOURCES})
  target_include_directories(${arg_NAME} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
    "$<INSTALL_INTERFACE:include/belfry>")
  target_compile_options(${arg_NAME} PRIVATE ${BELFRY_WARNINGS})
  belfry_precompile(${arg_NAME} ${arg_PRECOMPILED})
  target_link_libraries(${arg_NAME} PUBLIC ${arg_DEPENDS} ${arg_PUBLIC_LIBS}
    PRIVATE ${arg_PRIVATE_LIBS})
endfunction()

# belfry_test(NAME core_test SOURCES a_test.cc DEPENDS core): a GoogleTest binary, each case a ctest.
# With ONE_CTEST all cases are one test: they share a server that takes a second to start.
# Nothing in a fuzzing build, which has another compiler and only its own targets.
function(belfry_test)
  if(BELFRY_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "ONE_CTEST" "NAME" "SOURCES;DEPENDS;DEFINITIONS" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_compile_options(${arg_NAME} PRIVATE ${BELFRY_WARNINGS})
  belfry_precompile(${arg_NAME} everyday_tests)
  target_compile_definitions(${arg_NAME} PRIVATE ${arg_DEFINITIONS})
  target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}")
  # fmt, because the precompiled headers have it.
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPENDS} fmt::fmt GTest::gtest GTest::gtest_main)
  if(arg_ONE_CTEST)
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
    set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT 900)
  else()
    include(GoogleTest)
    gtest_discover_tests(${arg_NAME} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
  endif()
endfunction()
