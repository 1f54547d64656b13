# Each header compiles alone: whoever includes it needs to know nothing else. Not part of `all`:
# ninja headers_compile_alone, or ./dev lint.

# belfry_check_headers(): one unit per header of every module; call it after the last of them.
# The one place with file(GLOB): here a header that nobody listed is what we look for.
function(belfry_check_headers)
  get_property(modules GLOBAL PROPERTY BELFRY_MODULES)
  foreach(module IN LISTS modules)
    get_target_property(folder ${module} SOURCE_DIR)
    get_target_property(module_libs ${module} LINK_LIBRARIES)
    file(GLOB_RECURSE module_headers RELATIVE "${PROJECT_SOURCE_DIR}/src" "${folder}/*.h")
    list(APPEND headers ${module_headers})
    list(APPEND libs ${module} ${module_libs})
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(REMOVE_DUPLICATES libs)
  foreach(header IN LISTS headers)
    set(unit "${PROJECT_BINARY_DIR}/headers/${header}.cc")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${header}\"\n")
    list(APPEND units "${unit}")
  endforeach()
  add_library(headers_compile_alone OBJECT EXCLUDE_FROM_ALL ${units})
  target_compile_options(headers_compile_alone PRIVATE ${BELFRY_WARNINGS})
  target_link_libraries(headers_compile_alone PRIVATE ${libs})
endfunction()
