# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers: parsing headers takes most of the compile time. There is one
# for the core, one for its tests, one for what uses LLVM and one for what uses MLIR.
# Sources still include the headers that they use, as
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON and a build by another compiler need them.

# The standard library and the records that most of the core includes: a change of
# such a record compiles nearly everything with or without a precompiled header.
set(GPUCOST_CORE_HEADERS
  algorithm array bitset charconv cmath cstdint functional limits map memory mutex
  optional set string string_view tuple utility variant vector
  gpucost/Core/Model/Coefficients.h
  gpucost/Core/Model/KernelWork.h
  gpucost/Core/Scenario/Scenario.h
  gpucost/Core/Support/Expected.h)
set(GPUCOST_LLVM_HEADERS
  ${GPUCOST_CORE_HEADERS}
  llvm/ADT/DenseMap.h
  llvm/ADT/MapVector.h
  llvm/ADT/STLExtras.h
  llvm/ADT/SmallVector.h
  llvm/ADT/StringExtras.h
  llvm/ADT/StringRef.h
  llvm/Support/CommandLine.h
  llvm/Support/Error.h
  llvm/Support/JSON.h
  llvm/Support/raw_ostream.h)
set(GPUCOST_MLIR_HEADERS
  ${GPUCOST_LLVM_HEADERS}
  mlir/Bytecode/BytecodeOpInterface.h
  mlir/Dialect/Arith/IR/Arith.h
  mlir/Dialect/Func/IR/FuncOps.h
  mlir/Dialect/Linalg/IR/Linalg.h
  mlir/Dialect/MemRef/IR/MemRef.h
  mlir/Dialect/SCF/IR/SCF.h
  mlir/Dialect/Tensor/IR/Tensor.h
  mlir/IR/Builders.h
  mlir/IR/BuiltinAttributes.h
  mlir/IR/BuiltinOps.h
  mlir/IR/BuiltinTypes.h
  mlir/IR/Dialect.h
  mlir/IR/DialectImplementation.h
  mlir/IR/Matchers.h
  mlir/IR/OpImplementation.h
  mlir/IR/PatternMatch.h
  mlir/IR/SymbolTable.h
  mlir/Interfaces/InferTypeOpInterface.h
  mlir/Interfaces/SideEffectInterfaces.h
  mlir/Pass/Pass.h
  mlir/Pass/PassManager.h
  llvm/ADT/TypeSwitch.h)

# Without time stamps a header stays valid in a build folder that was copied. Its
# bytes name the build folder, so a compiler cache must not hand it to another.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(GPUCOST_PCH_OPTIONS -Xclang -fno-pch-timestamp)
  # CMake's default also names the header by its absolute path, which the compiler
  # cache would take for a difference between checkouts.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
endif()

# gpucost_precompile(NAME headers... [USES target] [OPTIONS o...]): the precompiled
# header NAME.
function(gpucost_precompile name)
  cmake_parse_arguments(ARG "" "USES" "OPTIONS" ${ARGN})
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Owns a precompiled header.\n")
  add_library(${name} OBJECT "${source}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PRIVATE ${ARG_USES})
  target_compile_options(${name} PRIVATE ${GPUCOST_PCH_OPTIONS} ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${headers})
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "")

  # The compiler cache hashes this file instead of the precompiled header: the sum
  # of the header's text. Compiler and options are hashed for each source anyway.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir")
  set(sum "${folder}/cmake_pch.hxx.pch.sum")
  list(TRANSFORM headers REPLACE "(.+)" "#include \\1\n" OUTPUT_VARIABLE text)
  list(JOIN text "" text)
  file(CONFIGURE OUTPUT "${folder}/Headers.cpp" CONTENT "${text}" @ONLY)
  set(includes "${PROJECT_SOURCE_DIR}/include" ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  list(TRANSFORM includes PREPEND "-I")
  add_custom_command(
    OUTPUT "${sum}"
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++${CMAKE_CXX_STANDARD} -E -P ${includes}
            Headers.cpp -o Headers.txt -MD -MF Headers.d -MT "${sum}"
    COMMAND "${CMAKE_COMMAND}" -E sha256sum Headers.txt > "${sum}"
    WORKING_DIRECTORY "${folder}"
    DEPFILE "${folder}/Headers.d"
    COMMENT "Summing up the headers of ${name}"
    VERBATIM)
  add_custom_target(${name}Sum DEPENDS "${sum}")
endfunction()

gpucost_precompile(GpuCostCoreHeader ${GPUCOST_CORE_HEADERS} OPTIONS -ffp-contract=off)
# Clang refuses a header of another optimization level.
gpucost_precompile(GpuCostModelHeader ${GPUCOST_CORE_HEADERS}
  OPTIONS -ffp-contract=off $<$<CONFIG:Release>:-O3>)
if(GPUCOST_BUILD_TESTS)
  gpucost_precompile(GpuCostTestHeader ${GPUCOST_CORE_HEADERS} gtest/gtest.h USES GTest::gtest)
  set_target_properties(GpuCostTestHeader PROPERTIES POSITION_INDEPENDENT_CODE OFF)
endif()
if(GPUCOST_MLIR)
  gpucost_precompile(GpuCostLLVMHeader ${GPUCOST_LLVM_HEADERS} USES GpuCostUsesLLVM)
  gpucost_precompile(GpuCostMLIRHeader ${GPUCOST_MLIR_HEADERS} USES GpuCostUsesMLIR)
endif()

# gpucost_use_precompiled_header(target [NAME]): for a target that is compiled with the
# project's usual options (no exceptions).
function(gpucost_use_precompiled_header target)
  if(NOT GPUCOST_MLIR AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  set(names GpuCostMLIRHeader ${ARGN})
  list(POP_BACK names name)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # -fPIC, as the header, instead of CMake's -fPIE.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  target_compile_options(${target} PRIVATE ${GPUCOST_PCH_OPTIONS})
  add_dependencies(${target} ${name}Sum)
endfunction()
