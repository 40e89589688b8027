# SPDX-License-Identifier: BSD-3-Clause
# UPC as a language of CMake, step 4: a program is compiled and linked. It is not run: a machine that
# builds may not be one that computes.

if(CMAKE_UPC_COMPILER_FORCED)
  set(CMAKE_UPC_COMPILER_WORKS TRUE)
  return()
endif()

include(CMakeTestCompilerCommon)

unset(CMAKE_UPC_COMPILER_WORKS CACHE)
if(NOT CMAKE_UPC_COMPILER_WORKS)
  PrintTestCompilerStatus(UPC)
  set(_upc_source "${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY}/CMakeTmp/testUPCCompiler.upc")
  file(WRITE "${_upc_source}"
    "#include <upc.h>\n"
    "shared int cell[THREADS];\n"
    "int main(void) { cell[MYTHREAD] = 0; upc_barrier; return cell[MYTHREAD]; }\n")
  unset(CMAKE_UPC_COMPILER_WORKS)
  try_compile(CMAKE_UPC_COMPILER_WORKS "${CMAKE_BINARY_DIR}" "${_upc_source}"
    OUTPUT_VARIABLE _upc_output)
  # From the cache into a variable, so that the test is done again where it failed.
  set(CMAKE_UPC_COMPILER_WORKS ${CMAKE_UPC_COMPILER_WORKS})
  unset(CMAKE_UPC_COMPILER_WORKS CACHE)
  if(NOT CMAKE_UPC_COMPILER_WORKS)
    PrintTestCompilerResult(CHECK_FAIL "broken")
    string(REPLACE "\n" "\n  " _upc_output "${_upc_output}")
    message(FATAL_ERROR "The UPC compiler\n  \"${CMAKE_UPC_COMPILER}\"\n"
      "cannot compile a simple program. Its output:\n  ${_upc_output}")
  endif()
  PrintTestCompilerResult(CHECK_PASS "works")
  unset(_upc_source)
  unset(_upc_output)
endif()

configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeUPCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake" @ONLY)
include("${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake")
