# SPDX-License-Identifier: BSD-3-Clause
# Write the units of kernels: the same template for each line of variants.def,
# index type and instruction set, compiled with other flags; and select.c's
# table of them.

set(SPGEMM_ISA_FLAGS_base "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(SPGEMM_ISAS base avx2 avx512)
  set(SPGEMM_ISA_FLAGS_avx2 -march=x86-64-v3)
  set(SPGEMM_ISA_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(SPGEMM_ISAS base)
endif()
# Seen by gcc 12 where there is nothing: it takes the length of a loop over up to
# four rows for more than that.
set(SPGEMM_UNIT_WARNINGS
  $<$<C_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
set(SPGEMM_INDEX_C_i32 int32_t)
set(SPGEMM_INDEX_C_i64 int64_t)

# spgemm_add_unit(TARGET TEMPLATE NAME ISA): one file of kernels, from the
# variables that the template names.
function(spgemm_add_unit target template name ISA)
  set(unit ${PROJECT_BINARY_DIR}/variants/${name}_${ISA}.c)
  configure_file(${PROJECT_SOURCE_DIR}/src/spgemm/${template} ${unit} @ONLY)
  # gcc 12 fuses the products of complex numbers with their sums when it
  # vectorizes them, -ffp-contract=off or not.
  set(options "${SPGEMM_ISA_FLAGS_${ISA}};${SPGEMM_UNIT_WARNINGS}")
  if(name MATCHES "_c[0-9]+_")
    list(APPEND options -fno-tree-slp-vectorize -fno-tree-vectorize)
  endif()
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${options}")
  target_sources(${target} PRIVATE ${unit})
endfunction()

# The body of a unit that includes the template for each semiring that the type
# has, and the lines of its tables: SEMIRINGS, NUMERIC and REFILL of the caller.
function(spgemm_list_semirings value)
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/semiring/semirings.def lines REGEX "^X\\(")
  set(body "")
  set(numeric "")
  set(refill "")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${line}")
    list(GET words 1 semiring)
    list(GET words 2 name)
    list(GET words 3 types)
    if(types STREQUAL "ORDERED" AND value MATCHES "^c[0-9]+$")
      continue()
    endif()
    string(APPEND body
      "\n#define FN(name) ${name}_##name\n"
      "#define SR_H \"semiring/${name}.h\"\n"
      "#include \"spgemm/numeric.tmpl.h\"\n")
    string(APPEND numeric "        [${semiring}] = ${name}_numeric,\n")
    string(APPEND refill "        [${semiring}] = ${name}_refill,\n")
  endforeach()
  set(SEMIRINGS "${body}" PARENT_SCOPE)
  set(NUMERIC "${numeric}" PARENT_SCOPE)
  set(REFILL "${refill}" PARENT_SCOPE)
endfunction()

function(spgemm_add_variants target)
  set(list ${SPGEMM_VARIANTS})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${list} ${PROJECT_SOURCE_DIR}/src/semiring/semirings.def)
  foreach(INDEX_NAME i32 i64)
    set(INDEX_C ${SPGEMM_INDEX_C_${INDEX_NAME}})
    foreach(isa IN LISTS SPGEMM_ISAS)
      spgemm_add_unit(${target} structure.c.in structure_${INDEX_NAME} ${isa})
    endforeach()
  endforeach()
  file(STRINGS ${list} lines REGEX "^VALUE\\(")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${line}")
    list(GET words 2 VALUE_NAME)
    list(GET words 3 isas_i32)
    list(GET words 4 isas_i64)
    spgemm_list_semirings(${VALUE_NAME})
    foreach(INDEX_NAME i32 i64)
      set(INDEX_C ${SPGEMM_INDEX_C_${INDEX_NAME}})
      set(isas_ALL ${SPGEMM_ISAS})
      set(isas_LANES ${SPGEMM_ISAS})
      list(REMOVE_ITEM isas_LANES avx2)
      set(isas_BASE base)
      set(isas_NONE "")
      foreach(isa IN LISTS isas_${isas_${INDEX_NAME}})
        spgemm_add_unit(${target} variant.c.in
          kernels_${VALUE_NAME}_${INDEX_NAME} ${isa})
      endforeach()
    endforeach()
  endforeach()
  if(NOT "avx2" IN_LIST SPGEMM_ISAS)
    target_compile_definitions(${target} PRIVATE SPGEMM_BASE_ISA_ONLY)
  endif()
endfunction()
