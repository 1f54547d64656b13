# For find_package(belfry) of programs that use the worker library.
include(CMakeFindDependencyMacro)
find_dependency(fmt 9)
find_dependency(Boost 1.81 COMPONENTS headers)
find_dependency(OpenSSL 3)
include("${CMAKE_CURRENT_LIST_DIR}/belfry-targets.cmake")
