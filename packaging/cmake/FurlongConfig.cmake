# SPDX-License-Identifier: BSD-3-Clause
# find_package(Furlong): the communication layer and coherent memory as libraries for C, UPC as a
# language for enable_language, and the tools.
#
#   Furlong::gas, Furlong::tmk      what programs link that include furlong/gas.h, furlong/tmk.h
#   Furlong::upcc, Furlong::upcrun  the tools; also ompcc, omprun and furlong
#   furlong_static_threads(TARGET N)          THREADS of TARGET is N
#   furlong_add_test(NAME TARGET OPTION...)   a test that runs TARGET under upcrun OPTION...
#
# All paths are relative to this file, so that an installed tree may be moved.

get_filename_component(Furlong_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
list(REMOVE_DUPLICATES CMAKE_MODULE_PATH)

if(NOT TARGET Furlong::runtime)
  add_library(Furlong::runtime STATIC IMPORTED)
  set_target_properties(Furlong::runtime PROPERTIES
    IMPORTED_LOCATION "${Furlong_PREFIX}/lib/libfurlong.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_INCLUDE_DIRECTORIES "${Furlong_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "pthread;m;dl")
  foreach(_furlong_name gas tmk)
    add_library(Furlong::${_furlong_name} INTERFACE IMPORTED)
    set_target_properties(Furlong::${_furlong_name} PROPERTIES INTERFACE_LINK_LIBRARIES Furlong::runtime)
  endforeach()
  foreach(_furlong_name upcc upcrun ompcc omprun furlong)
    add_executable(Furlong::${_furlong_name} IMPORTED)
    set_target_properties(Furlong::${_furlong_name} PROPERTIES
      IMPORTED_LOCATION "${Furlong_PREFIX}/bin/${_furlong_name}")
  endforeach()
  unset(_furlong_name)
endif()

function(furlong_static_threads target threads)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:UPC>:-T=${threads}>)
  target_link_options(${target} PRIVATE -T=${threads})
endfunction()

function(furlong_add_test)
  if(ARGC LESS 2 OR ARGV1 MATCHES "^-")
    list(JOIN ARGV " " _given)
    message(FATAL_ERROR "furlong_add_test(${_given}): a test wants a name and a target, which may be "
      "called the same: furlong_add_test(NAME TARGET OPTION...)")
  endif()
  list(POP_FRONT ARGV _name _target)
  add_test(NAME ${_name} COMMAND $<TARGET_FILE:Furlong::upcrun> ${ARGV} $<TARGET_FILE:${_target}>)
endfunction()
