# cmake -D BUILD=... -D SOURCE=... -D GENERATOR=... -D CXX=... -P check.cmake
set(work "${BUILD}/tests/install/work")
file(REMOVE_RECURSE "${work}")
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install "${BUILD}" --component library --prefix "${work}/prefix")
run(${CMAKE_COMMAND} -S "${SOURCE}" -B "${work}/build" -G "${GENERATOR}" -D CMAKE_CXX_COMPILER=${CXX}
  -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build "${work}/build")
run("${work}/build/user")
