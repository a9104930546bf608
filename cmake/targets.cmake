# SPDX-License-Identifier: BSD-3-Clause
# spgemm::spgemm (shared) and spgemm::spgemm_static, and how C programs that
# link them get jemalloc.

get_property(SPGEMM_KERNELS GLOBAL PROPERTY SPGEMM_KERNELS)
set(objects $<TARGET_OBJECTS:spgemm_objects> ${SPGEMM_KERNELS})
add_library(spgemm SHARED ${objects})
set_target_properties(spgemm PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${SPGEMM_SOVERSION}
  C_VISIBILITY_PRESET hidden
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/spgemm.map)
# relro, now: nothing that a call goes through can be written to once it is loaded.
# nodelete: idle threads of the OpenMP runtime would outlive a dlclose() of it.
target_link_options(spgemm PRIVATE
  LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/spgemm.map
  LINKER:-z,nodelete LINKER:-z,relro,-z,now)
add_library(spgemm_static STATIC ${objects})
set_target_properties(spgemm_static PROPERTIES OUTPUT_NAME spgemm)

# The archive names its runtime libraries, so that it is linked with the OpenMP it
# was compiled for, whatever compiler links it: by the path where no linker would
# look.
set(SPGEMM_RUNTIME_LIBRARIES pthread m)
if(SPGEMM_OPENMP)
  set(openmp OpenMP::OpenMP_C)
  foreach(library IN LISTS OpenMP_C_LIB_NAMES)
    cmake_path(GET OpenMP_${library}_LIBRARY PARENT_PATH folder)
    if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      set(library ${OpenMP_${library}_LIBRARY})
    endif()
    list(APPEND SPGEMM_RUNTIME_LIBRARIES ${library})
  endforeach()
  list(REMOVE_DUPLICATES SPGEMM_RUNTIME_LIBRARIES)
endif()
target_link_libraries(spgemm PRIVATE "$<BUILD_INTERFACE:${openmp};Threads::Threads;m>")
target_link_libraries(spgemm_static INTERFACE ${SPGEMM_RUNTIME_LIBRARIES})

# The library refers to jemalloc weakly, so that Python can load it: Debian's
# jemalloc cannot be dlopened (static TLS). A program gets it at link time.
if(SPGEMM_JEMALLOC)
  include(cmake/spgemm-jemalloc.cmake)
  spgemm_jemalloc_option(${SPGEMM_JEMALLOC_LIBRARY} SPGEMM_JEMALLOC_LINK)
endif()

foreach(target spgemm spgemm_static)
  add_library(spgemm::${target} ALIAS ${target})
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(SPGEMM_JEMALLOC)
    target_link_options(${target} INTERFACE
      "$<BUILD_INTERFACE:${SPGEMM_JEMALLOC_LINK}>")
  endif()
endforeach()

# Of the archives that programs are made of: the library that the program has,
# the shared one where its property SPGEMM_IS_SHARED is set.
set(SPGEMM_OF_PROGRAM
  "$<IF:$<BOOL:$<TARGET_PROPERTY:SPGEMM_IS_SHARED>>,spgemm,spgemm_static>")
# What is installed beside the shared library uses it; a wheel of Python has what
# it needs in itself.
set(SPGEMM_SHARES_LIBRARY ${SPGEMM_INSTALL})
