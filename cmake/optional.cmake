# SPDX-License-Identifier: BSD-3-Clause
# What is built if its packages are there: of an option that is AUTO, the value
# becomes ON or OFF, and is said; one that is ON and cannot be ends it. The
# packages that are missing are named together, as Debian has them.

if(SPGEMM_JEMALLOC)
  find_library(SPGEMM_JEMALLOC_LIBRARY jemalloc)
  mark_as_advanced(SPGEMM_JEMALLOC_LIBRARY)
endif()
if(SPGEMM_BUILD_TOOLS)
  find_package(LibArchive QUIET)
  find_package(BZip2 QUIET)
  find_package(ZLIB QUIET)
endif()
if(SPGEMM_BUILD_TESTS OR SPGEMM_BUILD_PYTHON)
  find_package(Python3 QUIET COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module)
endif()
if(SPGEMM_BUILD_TESTS)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(CRITERION QUIET criterion)
  endif()
endif()

if(SPGEMM_BUILD_PETSC)
  find_package(PkgConfig QUIET)
  find_package(MPI QUIET COMPONENTS C)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(PETSC QUIET petsc)
    # Of other integers and scalars, as Debian names and places them. What comes after
    # this finds packages where the caller said.
    set(SPGEMM_PETSC_KINDS "")
    set(has_pkg_config_path FALSE)
    if(DEFINED ENV{PKG_CONFIG_PATH})
      set(has_pkg_config_path TRUE)
      set(pkg_config_path "$ENV{PKG_CONFIG_PATH}")
    endif()
    foreach(kind petsc64-real petsc-complex petsc64-complex)
      string(REPLACE - _ name ${kind})
      string(REPLACE _real "" name ${name})
      set(ENV{PKG_CONFIG_PATH} /usr/lib/petscdir/${kind}/lib/pkgconfig)
      if(EXISTS "$ENV{PKG_CONFIG_PATH}/petsc.pc")
        pkg_check_modules(${name} QUIET petsc)
        list(APPEND SPGEMM_PETSC_KINDS ${name})
      endif()
    endforeach()
    unset(ENV{PKG_CONFIG_PATH})
    if(has_pkg_config_path)
      set(ENV{PKG_CONFIG_PATH} "${pkg_config_path}")
    endif()
  endif()
endif()

set(SPGEMM_MISSING "") # packages
set(SPGEMM_LEFT_OUT "") # what is left out, a line each
set(SPGEMM_IS_REFUSED FALSE) # some of it was asked for

# spgemm_needs(OPTION WITHOUT FOUND PACKAGE...): FOUND is the variable that says
# whether the package of that place is there.
function(spgemm_needs option without)
  if(NOT ${option})
    return()
  endif()
  set(missing "")
  while(ARGN)
    list(POP_FRONT ARGN found package)
    if(NOT ${found})
      list(APPEND missing ${package})
    endif()
  endwhile()
  set(value ON)
  if(missing)
    if(NOT ${option} STREQUAL "AUTO")
      set(SPGEMM_IS_REFUSED TRUE PARENT_SCOPE)
      set(without "${option} is ${${option}}")
    endif()
    set(value OFF)
    list(JOIN missing ", " names)
    list(APPEND SPGEMM_LEFT_OUT "  without ${names}: ${without}")
    list(APPEND SPGEMM_MISSING ${missing})
    set(SPGEMM_LEFT_OUT "${SPGEMM_LEFT_OUT}" PARENT_SCOPE)
    set(SPGEMM_MISSING "${SPGEMM_MISSING}" PARENT_SCOPE)
  endif()
  set(${option} ${value} PARENT_SCOPE)
endfunction()

spgemm_needs(SPGEMM_JEMALLOC "the library uses system memory"
  SPGEMM_JEMALLOC_LIBRARY libjemalloc-dev)
spgemm_needs(SPGEMM_BUILD_TOOLS "the command is not built"
  LibArchive_FOUND libarchive-dev
  BZIP2_FOUND libbz2-dev
  ZLIB_FOUND zlib1g-dev)
spgemm_needs(SPGEMM_BUILD_PYTHON "the package of Python is not built"
  Python3_Development.Module_FOUND libpython3-dev)
spgemm_needs(SPGEMM_BUILD_PETSC "the adapter of PETSc is not built"
  PKG_CONFIG_FOUND pkg-config
  MPI_C_FOUND mpi-default-dev
  PETSC_FOUND petsc-dev)
spgemm_needs(SPGEMM_BUILD_TESTS "the tests are not built"
  PKG_CONFIG_FOUND pkg-config
  CRITERION_FOUND libcriterion-dev
  Python3_FOUND python3)

if(SPGEMM_MISSING)
  list(REMOVE_DUPLICATES SPGEMM_MISSING)
  list(JOIN SPGEMM_MISSING " " packages)
  list(JOIN SPGEMM_LEFT_OUT "\n" lines)
  set(how "\n${lines}\n  To have all: sudo apt-get install ${packages}")
  if(SPGEMM_IS_REFUSED)
    message(FATAL_ERROR "Packages are missing:${how}")
  endif()
  message(STATUS "Some packages are missing:${how}")
endif()
