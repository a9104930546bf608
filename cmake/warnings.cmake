# SPDX-License-Identifier: BSD-3-Clause
# The warnings every target of this project is built with.
function(spgemm_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Wcast-qual)
  if(NOT SPGEMM_OPENMP)
    # A loop that would be parallel leaves its pragma and team size unused.
    target_compile_options(${target} PRIVATE
      -Wno-unknown-pragmas -Wno-unused-variable)
  endif()
  if(SPGEMM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
