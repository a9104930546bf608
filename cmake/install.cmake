# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` writes: libraries, headers, the manual, and two ways to find
# them, find_package(spgemm) and `pkg-config spgemm`.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spgemm)

install(TARGETS spgemm spgemm_static EXPORT spgemm-targets
  LIBRARY
    DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT runtime NAMELINK_COMPONENT dev
  ARCHIVE
    DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT dev)
install(DIRECTORY include/spgemm ${PROJECT_BINARY_DIR}/include/spgemm
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT dev
  FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

# ---- The manual -------------------------------------------------------------

# With what its pages lead to, by the paths of the sources, but for sources themselves.
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
foreach(folder bench python src)
  install(FILES ${folder}/README.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT dev)
endforeach()
install(DIRECTORY docs examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev
  PATTERN "site" EXCLUDE
  PATTERN "*.py" EXCLUDE
  PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY bench/figures
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench COMPONENT dev
  FILES_MATCHING PATTERN "*.svg"
  PATTERN "__pycache__" EXCLUDE)

# ---- find_package(spgemm) ---------------------------------------------------

install(EXPORT spgemm-targets
  NAMESPACE spgemm::
  DESTINATION ${package_dir}
  COMPONENT dev)
configure_package_config_file(
  cmake/spgemm-config.cmake.in ${PROJECT_BINARY_DIR}/spgemm-config.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spgemm-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/spgemm-config.cmake
    ${PROJECT_BINARY_DIR}/spgemm-config-version.cmake
    cmake/spgemm-jemalloc.cmake
  DESTINATION ${package_dir}
  COMPONENT dev)

# ---- pkg-config spgemm ------------------------------------------------------

# In quotes, for a folder may have blanks in its name.
set(PC_LIBS "-L\"\${libdir}\"@PC_RPATH@ -lspgemm")
set(PC_REQUIRES_PRIVATE "")
set(PC_LIBS_PRIVATE "")
if(SPGEMM_JEMALLOC)
  # One word, for pkg-config too drops what it takes for repetitions.
  string(APPEND PC_LIBS " -Wl,--push-state,--no-as-needed,-ljemalloc,--pop-state")
  set(PC_REQUIRES_PRIVATE jemalloc)
endif()
foreach(library IN LISTS SPGEMM_RUNTIME_LIBRARIES)
  if(NOT IS_ABSOLUTE ${library})
    set(library -l${library})
  endif()
  string(APPEND PC_LIBS_PRIVATE " ${library}")
endforeach()
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(PC_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
# The prefix is known for certain when installing: `cmake --install --prefix`. It
# is written where it is installed: the build tree stays as it is.
set(PC_PREFIX "@CMAKE_INSTALL_PREFIX@")
configure_file(cmake/spgemm.pc.in ${PROJECT_BINARY_DIR}/spgemm.pc.in @ONLY)
install(CODE
  "include(\"${PROJECT_SOURCE_DIR}/cmake/loader.cmake\")
  spgemm_rpath(\"${CMAKE_INSTALL_LIBDIR}\" PC_RPATH)
  cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX)
  set(pc \"${CMAKE_INSTALL_LIBDIR}/pkgconfig/spgemm.pc\")
  cmake_path(ABSOLUTE_PATH pc BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
  message(STATUS \"Installing: \$ENV{DESTDIR}\${pc}\")
  configure_file(\"${PROJECT_BINARY_DIR}/spgemm.pc.in\" \"\$ENV{DESTDIR}\${pc}\"
                 @ONLY NO_SOURCE_PERMISSIONS)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${pc}\")"
  COMPONENT dev)

# ---- The loader -------------------------------------------------------------

install(CODE
  "include(\"${PROJECT_SOURCE_DIR}/cmake/loader.cmake\")
  spgemm_tell_loader(\"${CMAKE_INSTALL_LIBDIR}\")"
  COMPONENT runtime)

include(${CMAKE_CURRENT_LIST_DIR}/manual.cmake)
