# One target per module of src/, with its dependencies declared; one test binary beside it.

# belfry_unite(target sources...): compiles the sources of a folder together, eight at a time. They include much the
# same headers and instantiate the same templates; done once for eight, a cold build takes a third of the CPU, and a
# changed file still takes seconds. So helpers in the anonymous namespaces of a folder have different names.
# (docs/decisions/0031.) BELFRY_UNITE is off where tools read each file alone.
# Not by CMake's own UNITY_BUILD: its files name sources by their place on this machine, and no two clones would share
# what they compile.
function(belfry_unite target)
  if(NOT BELFRY_UNITE)
    return()
  endif()
  file(RELATIVE_PATH here "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "^src/" "" here "${here}") # as everything is included
  foreach(source IN LISTS ARGN)
    if(IS_ABSOLUTE "${source}" OR NOT source MATCHES "\\.cc$")
      continue() # made by the build, or no C++
    endif()
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    math(EXPR part "0${${folder}} / 8")
    math(EXPR ${folder} "0${${folder}} + 1")
    list(APPEND parts "${folder}_${part}")
    string(APPEND ${folder}_${part} "#include \"${here}/${source}\"\n")
    set_source_files_properties("${source}" PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES parts)
  foreach(part IN LISTS parts)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/together/${target}_${part}.cc")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${${part}}" @ONLY)
    target_sources(${target} PRIVATE "${file}")
  endforeach()
endfunction()

# belfry_module(NAME core SOURCES a.cc b.cc DEPENDS base PRIVATE_LIBS absl::time)
# PRECOMPILED names a set of cmake/precompiled.cmake other than `everyday`.
function(belfry_module)
  cmake_parse_arguments(arg "" "NAME;PRECOMPILED" "SOURCES;DEPENDS;PUBLIC_LIBS;PRIVATE_LIBS" ${ARGN})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED everyday)
  endif()
  add_library(${arg_NAME} STATIC ${arg_SOURCES})
  belfry_unite(${arg_NAME} ${arg_SOURCES})
  target_include_directories(${arg_NAME} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
    "$<INSTALL_INTERFACE:include/belfry>")
  target_compile_options(${arg_NAME} PRIVATE ${BELFRY_WARNINGS})
  belfry_precompile(${arg_NAME} ${arg_PRECOMPILED})
  target_link_libraries(${arg_NAME} PUBLIC ${arg_DEPENDS} ${arg_PUBLIC_LIBS}
    PRIVATE ${arg_PRIVATE_LIBS})
endfunction()

# belfry_test(NAME core_test SOURCES a_test.cc DEPENDS core): a GoogleTest binary, each case a ctest.
# With PARTS n the cases are n tests instead: those of a part share a server that takes a second to start.
# Nothing in a fuzzing build, which has another compiler and only its own targets.
function(belfry_test)
  if(BELFRY_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "NAME;PARTS" "SOURCES;DEPENDS;DEFINITIONS" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES})
  belfry_compile_as_test(${arg_NAME} ${arg_DEPENDS})
  target_compile_definitions(${arg_NAME} PRIVATE ${arg_DEFINITIONS})
  target_link_libraries(${arg_NAME} PRIVATE GTest::gtest_main)
  if(arg_PARTS)
    foreach(part RANGE 1 ${arg_PARTS})
      math(EXPR index "${part} - 1")
      set(name ${arg_NAME})
      if(arg_PARTS GREATER 1)
        set(name ${arg_NAME}_${part})
      endif()
      add_test(NAME ${name} COMMAND ${arg_NAME})
      set_tests_properties(${name} PROPERTIES TIMEOUT 900
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_PARTS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  else()
    include(GoogleTest)
    gtest_discover_tests(${arg_NAME} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
  endif()
endfunction()

# belfry_test_suite(NAME store_suite SOURCES a_test.cc DEPENDS store): cases for several belfry_test()s, compiled once.
function(belfry_test_suite)
  if(BELFRY_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "NAME" "SOURCES;DEPENDS" ${ARGN})
  add_library(${arg_NAME} OBJECT ${arg_SOURCES})
  belfry_unite(${arg_NAME} ${arg_SOURCES})
  belfry_compile_as_test(${arg_NAME} ${arg_DEPENDS})
endfunction()

function(belfry_compile_as_test target)
  target_compile_options(${target} PRIVATE ${BELFRY_WARNINGS})
  belfry_precompile(${target} everyday_tests)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  # fmt, because the precompiled headers have it.
  target_link_libraries(${target} PRIVATE ${ARGN} fmt::fmt GTest::gtest)
endfunction()
