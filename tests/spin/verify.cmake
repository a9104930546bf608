# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSPIN= -DCC= -DMODEL= -DDEFINES=a,b -DEXPECT=holds|fails -DFOLDER= -P
# Explores every state of the model. A model that is meant to fail must fail:
# otherwise it could not.
file(MAKE_DIRECTORY ${FOLDER})

function(run)
  execute_process(COMMAND ${ARGN}
    WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" flags "${DEFINES}")
list(TRANSFORM flags PREPEND -D)
run(${SPIN} ${flags} -a ${MODEL})
run(${CC} -O2 -w -DSAFETY -DMEMLIM=2048 -o pan pan.c)
run(${FOLDER}/pan -m200000)
string(REGEX MATCH "errors: [0-9]+" errors "${output}")
string(REGEX MATCH "[0-9.e+]+ states, stored" states "${output}")
message(STATUS "${states}, ${errors}")

if(EXPECT STREQUAL "holds")
  if(NOT errors STREQUAL "errors: 0" OR output MATCHES "not completed|too small")
    message(FATAL_ERROR "the model does not hold:\n${output}")
  endif()
elseif(NOT output MATCHES "assertion violated")
  message(FATAL_ERROR "no error is found in a model that has one:\n${output}")
endif()
