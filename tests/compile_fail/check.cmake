# cmake -DSOURCE=x.cc -DCOMPILE="compiler;flags" -P check.cmake
# With "// expect: REGEX" in the first line of x.cc: fails unless the compiler refuses the file in
# words that match. Without: fails unless the compiler takes it.
file(STRINGS "${SOURCE}" first_line LIMIT_COUNT 1)
# LC_ALL: the quotes in messages of g++ depend on the language.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C ${COMPILE} "${SOURCE}"
  RESULT_VARIABLE exit_code ERROR_VARIABLE messages)

if(NOT first_line MATCHES "^// expect: (.+)$")
  if(NOT exit_code EQUAL 0)
    message(FATAL_ERROR "${SOURCE} should compile:\n${messages}")
  endif()
  return()
endif()

set(expected "${CMAKE_MATCH_1}")
if(exit_code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, and must not")
endif()
if(NOT messages MATCHES "${expected}")
  message(FATAL_ERROR "${SOURCE} fails for another reason than `${expected}`:\n${messages}")
endif()
