# SPDX-License-Identifier: BSD-3-Clause
# The option of the linker by which a program gets jemalloc, whether or not it
# calls it itself. Where the linker looks by itself, the library goes by its name:
# with -static that is the archive, of which the linker keeps what is asked for.
# One item, because CMake folds repeated --push-state groups into nothing.
function(spgemm_jemalloc_option library option)
  cmake_path(GET library PARENT_PATH folder)
  if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES OR
     folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    set(library "--undefined=mallocx,-ljemalloc")
  endif()
  set(${option} "LINKER:--push-state,--no-as-needed,${library},--pop-state" PARENT_SCOPE)
endfunction()
