# For programs that allocate on many threads: with tcmalloc the simulation is about a tenth faster than with
# glibc's malloc, and a batch of 10,000 jobs causes no new page faults (docs/decisions/0011). Sanitizers bring
# their own allocator.
add_library(allocator INTERFACE)
if(NOT BELFRY_SANITIZE AND NOT BELFRY_FUZZ)
  pkg_check_modules(tcmalloc REQUIRED IMPORTED_TARGET libtcmalloc_minimal)
  target_link_libraries(allocator INTERFACE PkgConfig::tcmalloc)
endif()
