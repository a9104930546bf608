# SPDX-License-Identifier: BSD-3-Clause
# Part of `cmake --install`: that programs find the shared library when they
# start. Where the loader looks, its cache is brought up to date; programs that
# are linked elsewhere are told by pkg-config's flags where it is.

# The command ldconfig, and whether the loader looks into the folder; /lib may be
# another name of /usr/lib.
function(spgemm_ask_loader libdir command is_known)
  cmake_path(ABSOLUTE_PATH libdir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE)
  find_program(ldconfig ldconfig PATHS /usr/sbin /sbin NO_CACHE)
  set(folders "")
  if(ldconfig)
    execute_process(COMMAND "${ldconfig}" -v -N -X
      OUTPUT_VARIABLE folders ERROR_QUIET)
  endif()
  set(${command} "${ldconfig}" PARENT_SCOPE)
  set(${is_known} FALSE PARENT_SCOPE)
  file(REAL_PATH "${libdir}" libdir)
  string(REGEX MATCHALL "(^|\n)/[^:\n]+:" folders "${folders}")
  foreach(folder IN LISTS folders)
    string(REGEX REPLACE "^\n?(.*):$" "\\1" folder "${folder}")
    file(REAL_PATH "${folder}" folder)
    if(folder STREQUAL libdir)
      set(${is_known} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The flag of the linker that a program needs, for spgemm.pc.
function(spgemm_rpath libdir flag)
  spgemm_ask_loader("${libdir}" ldconfig is_known)
  set(${flag} " -Wl,-rpath,\"\${libdir}\"" PARENT_SCOPE)
  if(is_known)
    set(${flag} "" PARENT_SCOPE)
  endif()
endfunction()

# A staged installation (DESTDIR) is another machine's.
function(spgemm_tell_loader libdir)
  spgemm_ask_loader("${libdir}" ldconfig is_known)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT is_known OR NOT user STREQUAL "0" OR NOT "$ENV{DESTDIR}" STREQUAL "")
    return()
  endif()
  message(STATUS "Running ${ldconfig}")
  execute_process(COMMAND "${ldconfig}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
