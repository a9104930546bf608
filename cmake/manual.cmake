# SPDX-License-Identifier: BSD-3-Clause
# A manual page for each function, written from the headers where there is Python.
find_program(SPGEMM_PYTHON3 python3)
mark_as_advanced(SPGEMM_PYTHON3)
if(SPGEMM_PYTHON3)
  set(man3 ${PROJECT_BINARY_DIR}/man3)
  file(GLOB headers CONFIGURE_DEPENDS include/spgemm/*.h include/spgemm/*.in)
  add_custom_command(OUTPUT ${man3}/spgemm_predicted.3
    COMMAND ${SPGEMM_PYTHON3} ${PROJECT_SOURCE_DIR}/scripts/api-reference --man ${man3}
    DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/scripts/api-reference
    COMMENT "Writing the manual pages of the functions")
  add_custom_target(spgemm_man3 ALL DEPENDS ${man3}/spgemm_predicted.3)
  install(DIRECTORY ${man3} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT dev OPTIONAL)
endif()
