# SPDX-License-Identifier: BSD-3-Clause
# The units of kernels: the files of src/kernels that are compiled once for each
# type of values and of columns and instruction set, with other flags; a target
# each, whose objects are added to SPGEMM_KERNELS.

set(SPGEMM_ISA_FLAGS_base "")
# None but `base` where no type asks for others.
file(STRINGS ${SPGEMM_VARIANTS} types_with_leaves REGEX "^VALUE\\(.*(ALL|AVX2)")
if(types_with_leaves AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
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

# With many semirings, the loops alone that say so are vectorized ("omp simd"), and
# straight lines: to vectorize all loops took up to a third of the time to compile
# (double, AVX-512: 14.9 s for 9 to 10), and gained nothing. Those of units that are
# seldom used are optimized for half the time, and are 0.95 times as fast; 0.88 without
# "peel-loops", which unrolls loops over a few rows or lanes.
set(of_seldom $<BOOL:$<TARGET_PROPERTY:SPGEMM_IS_SELDOM>>)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernels/semirings.c PROPERTIES
  COMPILE_OPTIONS
    "-fno-tree-vectorize;$<$<AND:${of_seldom},$<CONFIG:Release>>:-O1;$<$<C_COMPILER_ID:GNU>:-fpeel-loops>>")

# spgemm_add_unit(VALUE INDEX ISA SOURCE...): VALUE as in values/*.h.
function(spgemm_add_unit value index isa)
  set(unit ${value}_${index}_${isa})
  if(value STREQUAL "none")
    set(unit ${index}_${isa})
  endif()
  set(target spgemm_kernels_${unit})
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/kernels/)
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE spgemm_flags)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_compile_definitions(${target} PRIVATE
    UNIT=${unit}
    VALUE_H="values/${value}.h" VALUE_IS_${value}
    IDX=${SPGEMM_INDEX_C_${index}} INDEX_IS_${index})
  # Where a kernel comes to lie is chance else: short rows (cti, 4elt, AVX2) took 1.10
  # times as long in a library whose other objects had other lengths.
  target_compile_options(${target} PRIVATE
    ${SPGEMM_ISA_FLAGS_${isa}} ${SPGEMM_UNIT_WARNINGS} -falign-functions=64)
  # gcc 12 fuses the products of complex numbers with their sums when it
  # vectorizes them, -ffp-contract=off or not; and by "omp simd" it does, unless no
  # loop is to be.
  string(REGEX MATCH "^c[0-9]+$" is_complex ${value})
  if(is_complex)
    target_compile_options(${target} PRIVATE
      -fno-tree-slp-vectorize -fno-tree-vectorize
      $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-vectorize>)
  else()
    # Straight lines: asked for by name, lest -fno-tree-vectorize of semirings.c ends it.
    target_compile_options(${target} PRIVATE -ftree-slp-vectorize)
  endif()
  # Semirings of complex numbers, of 64-bit columns, of machines without AVX2.
  if(is_complex OR index STREQUAL "i64" OR
     (isa STREQUAL "base" AND "avx2" IN_LIST SPGEMM_ISAS))
    set_target_properties(${target} PROPERTIES SPGEMM_IS_SELDOM ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY SPGEMM_KERNELS $<TARGET_OBJECTS:${target}>)
endfunction()

# What is known of each type without its kernels.
function(spgemm_add_value_types)
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/values/types.def lines REGEX "^VALUE\\(")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${line}")
    list(GET words 2 value)
    set(target spgemm_value_${value})
    add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/src/values/traits_of_type.c)
    target_link_libraries(${target} PRIVATE spgemm_flags)
    set_target_properties(${target} PROPERTIES
      POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_compile_definitions(${target} PRIVATE
      VALUE_H="values/${value}.h" TYPE=spgemm_value_${value})
    set_property(GLOBAL APPEND PROPERTY SPGEMM_KERNELS $<TARGET_OBJECTS:${target}>)
  endforeach()
endfunction()

function(spgemm_add_kernels)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${SPGEMM_VARIANTS})
  set(isas_ALL ${SPGEMM_ISAS})
  set(isas_AVX2 ${SPGEMM_ISAS})
  list(REMOVE_ITEM isas_AVX2 avx512)
  set(isas_BASE base)
  set(isas_NONE "")
  file(STRINGS ${SPGEMM_VARIANTS} lines REGEX "^VALUE\\(")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${line}")
    list(GET words 2 value)
    list(GET words 3 isas_i32)
    list(GET words 4 isas_i64)
    foreach(index i32 i64)
      foreach(isa IN LISTS isas_${isas_${index}})
        spgemm_add_unit(${value} ${index} ${isa} plus_times.c semirings.c)
      endforeach()
    endforeach()
  endforeach()
  foreach(isa IN LISTS SPGEMM_ISAS)
    spgemm_add_unit(none i32 ${isa} pattern.c)
  endforeach()
  spgemm_add_unit(none i64 base pattern.c)
endfunction()
