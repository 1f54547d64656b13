# What `cmake --install` puts where: the program, and the worker library with its parts.
#   find_package(belfry); target_link_libraries(mine PRIVATE belfry::worker)   # or belfry::client
include(GNUInstallDirs)
set(BELFRY_LIBRARY base net client worker)

install(TARGETS belfry RUNTIME COMPONENT program)

# In our own folders: the names are too short for shared ones.
install(TARGETS ${BELFRY_LIBRARY} EXPORT belfry
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/belfry" COMPONENT library)
foreach(module IN LISTS BELFRY_LIBRARY)
  install(DIRECTORY "src/${module}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/belfry" COMPONENT library
    FILES_MATCHING PATTERN "*.h" PATTERN "*test*" EXCLUDE)
endforeach()
install(EXPORT belfry NAMESPACE belfry:: FILE belfry-targets.cmake
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/belfry" COMPONENT library)
install(FILES cmake/belfry-config.cmake
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/belfry" COMPONENT library)
