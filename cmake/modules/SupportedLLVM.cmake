# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds an MLIR of a supported release. LLVM's C++ interface changes with each release, so the
# tests have to pass with a release before it is listed here.
set(GPUCOST_LLVM_RELEASES 22.1)

set(stated "${MLIR_DIR}")
foreach(release IN LISTS GPUCOST_LLVM_RELEASES)
  # The path is where Debian and Ubuntu put it.
  find_package(MLIR ${release} QUIET CONFIG PATHS /usr/lib/llvm-22)
  if(MLIR_FOUND)
    break()
  endif()
endforeach()
file(REAL_PATH "${stated}" stated_path)
file(REAL_PATH "${MLIR_DIR}" found_path)
if(NOT MLIR_FOUND OR (stated AND NOT stated_path STREQUAL found_path))
  set(versions none)
  if(stated AND MLIR_CONSIDERED_VERSIONS)
    list(GET MLIR_CONSIDERED_VERSIONS 0 versions)
  elseif(MLIR_CONSIDERED_VERSIONS)
    list(JOIN MLIR_CONSIDERED_VERSIONS ", " versions)
  endif()
  list(JOIN GPUCOST_LLVM_RELEASES ", " releases)
  unset(MLIR_DIR CACHE)
  message(FATAL_ERROR "expected MLIR of a supported LLVM release (${releases}), but found: ${versions}; "
    "set MLIR_DIR to the folder of its MLIRConfig.cmake, or build without MLIR (-DGPUCOST_MLIR=OFF)")
endif()
message(STATUS "Using MLIR in ${MLIR_DIR}")
