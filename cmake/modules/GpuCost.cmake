# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Thin wrappers: a library of this project, a TableGen set, embedded data files.

# gpucost_add_plain_library(NAME sources... [HEADER h] [LINK_LIBS l...])
# A static, position-independent library without LLVM and MLIR. h is a precompiled
# header for other options than the usual ones.
function(gpucost_add_plain_library name)
  cmake_parse_arguments(ARG "" "HEADER" "LINK_LIBS" ${ARGN})
  if("MLIR" IN_LIST ARG_LINK_LIBS OR "LLVM" IN_LIST ARG_LINK_LIBS)
    message(FATAL_ERROR "${name} must not choose an MLIR or LLVM to link: see LinkMLIR.cmake")
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(NOT gpucost_uses_llvm)
    # The same bits on every machine and in every library.
    target_compile_options(${name} PRIVATE -ffp-contract=off)
    set(header GpuCostCoreHeader)
  elseif(NOT gpucost_uses_mlir)
    set(header GpuCostLLVMHeader)
  else()
    set(header GpuCostMLIRHeader)
  endif()
  if(ARG_HEADER)
    set(header ${ARG_HEADER})
  endif()
  gpucost_use_precompiled_header(${name} ${header})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# gpucost_embed_files(out.cpp function file...): writes a C++ file that defines
#   gpucost::Span<gpucost::EmbeddedFile> gpucost::<function>();
# with the names (stems) and contents of the files, sorted by name.
function(gpucost_embed_files output function)
  set(script "${PROJECT_SOURCE_DIR}/cmake/modules/EmbedFiles.cmake")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function}
            "-DFILES=${ARGN}" -P ${script}
    DEPENDS ${ARGN} ${script}
    COMMENT "Embedding data files for ${function}"
    VERBATIM)
endfunction()

if(NOT GPUCOST_MLIR)
  return()
endif()

# gpucost_add_library(NAME ...): the same for a library that uses LLVM's containers
# and streams, but not MLIR.
function(gpucost_add_library name)
  set(gpucost_uses_llvm ON)
  gpucost_add_plain_library(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC GpuCostUsesLLVM)
endfunction()

# gpucost_add_mlir_library(NAME ... [DEPENDS t...]): the same for a library that uses
# MLIR, and for headers that the targets in DEPENDS generate.
function(gpucost_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  set(gpucost_uses_mlir ON)
  gpucost_add_library(${name} ${ARG_UNPARSED_ARGUMENTS} LINK_LIBS ${ARG_LINK_LIBS})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>")
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC GpuCostUsesMLIR)
endfunction()

# gpucost_tablegen(target source [generator output]...): runs mlir-tblgen once per pair.
function(gpucost_tablegen target source)
  set(LLVM_TARGET_DEFINITIONS ${source})
  set(args ${ARGN})
  set(TABLEGEN_OUTPUT "")
  list(TRANSFORM MLIR_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mlir_includes)
  while(args)
    list(POP_FRONT args generator output)
    separate_arguments(flags UNIX_COMMAND "${generator}")
    mlir_tablegen(${output} ${flags} -I${PROJECT_SOURCE_DIR}/include ${mlir_includes})
  endwhile()
  add_public_tablegen_target(${target})
endfunction()

# Scripts that read TableGen definitions as llvm-tblgen prints them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(GPUCOST_LLVM_TBLGEN llvm-tblgen HINTS "${LLVM_TOOLS_BINARY_DIR}"
             REQUIRED)
