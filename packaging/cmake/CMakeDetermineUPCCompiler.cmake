# SPDX-License-Identifier: BSD-3-Clause
# UPC as a language of CMake, step 1: which compiler. -DCMAKE_UPC_COMPILER=, the environment variable
# UPC, the upcc of the installation that this file is part of, or the first upcc in PATH.

include(${CMAKE_ROOT}/Modules/CMakeDetermineCompiler.cmake)

if(NOT CMAKE_GENERATOR MATCHES "Make|Ninja")
  message(FATAL_ERROR "UPC is not supported by the generator \"${CMAKE_GENERATOR}\"; use Ninja or Unix Makefiles")
endif()

if(NOT CMAKE_UPC_COMPILER)
  set(CMAKE_UPC_COMPILER_INIT NOTFOUND)
  if(NOT "$ENV{UPC}" STREQUAL "")
    get_filename_component(CMAKE_UPC_COMPILER_INIT "$ENV{UPC}" PROGRAM PROGRAM_ARGS CMAKE_UPC_FLAGS_ENV_INIT)
    if(CMAKE_UPC_FLAGS_ENV_INIT)
      set(CMAKE_UPC_COMPILER_ARG1 "${CMAKE_UPC_FLAGS_ENV_INIT}" CACHE STRING "Arguments to the UPC compiler")
    endif()
    if(NOT EXISTS "${CMAKE_UPC_COMPILER_INIT}")
      message(FATAL_ERROR "The environment variable UPC names a compiler that is not found: $ENV{UPC}")
    endif()
  else()
    get_filename_component(_upc_here "${CMAKE_CURRENT_LIST_DIR}/../../../bin/upcc" ABSOLUTE)
    if(EXISTS "${_upc_here}")
      set(CMAKE_UPC_COMPILER_INIT "${_upc_here}")
    endif()
  endif()
  set(CMAKE_UPC_COMPILER_LIST upcc upc)
  _cmake_find_compiler(UPC)
else()
  _cmake_find_compiler_path(UPC)
endif()
mark_as_advanced(CMAKE_UPC_COMPILER)

if(NOT CMAKE_UPC_COMPILER_ID_RUN)
  set(CMAKE_UPC_COMPILER_ID_RUN 1)
  execute_process(COMMAND "${CMAKE_UPC_COMPILER}" -version
    OUTPUT_VARIABLE _upc_version ERROR_VARIABLE _upc_version RESULT_VARIABLE _upc_result)
  if(_upc_version MATCHES "\\(Furlong\\) ([0-9.]+)")
    set(CMAKE_UPC_COMPILER_ID Furlong)
    set(CMAKE_UPC_COMPILER_VERSION "${CMAKE_MATCH_1}")
    message(STATUS "The UPC compiler identification is Furlong ${CMAKE_UPC_COMPILER_VERSION}")
  else()
    message(STATUS "The UPC compiler identification is unknown")
  endif()
endif()

if(NOT _CMAKE_TOOLCHAIN_LOCATION)
  get_filename_component(_CMAKE_TOOLCHAIN_LOCATION "${CMAKE_UPC_COMPILER}" PATH)
endif()
set(_CMAKE_PROCESSING_LANGUAGE UPC)
include(CMakeFindBinUtils)
unset(_CMAKE_PROCESSING_LANGUAGE)

configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeUPCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake" @ONLY)
set(CMAKE_UPC_COMPILER_ENV_VAR UPC)
