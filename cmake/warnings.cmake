# SPDX-License-Identifier: BSD-3-Clause
# The warnings every target of this project is built with.
# spgemm_warnings(TARGET [INTERFACE])
function(spgemm_warnings target)
  set(scope PRIVATE)
  if(ARGN)
    set(scope ${ARGN})
  endif()
  target_compile_options(${target} ${scope}
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Wcast-qual)
  if(NOT SPGEMM_OPENMP)
    # A loop that would be parallel leaves its pragma and team size unused.
    target_compile_options(${target} ${scope}
      -Wno-unknown-pragmas -Wno-unused-variable)
  endif()
  if(SPGEMM_WERROR)
    target_compile_options(${target} ${scope} -Werror)
  endif()
endfunction()
