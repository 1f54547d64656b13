# What programs that allocate on many threads link: with tcmalloc the simulation is about a tenth faster
# than with glibc's malloc, and a batch of 10,000 jobs takes no page faults anew (docs/decisions/0011).
# Sanitizers bring their own.
add_library(allocator INTERFACE)
if(NOT BELFRY_SANITIZE AND NOT BELFRY_FUZZ)
  pkg_check_modules(tcmalloc REQUIRED IMPORTED_TARGET libtcmalloc_minimal)
  target_link_libraries(allocator INTERFACE PkgConfig::tcmalloc)
endif()
