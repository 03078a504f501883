# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One precompiled header for everything that compiles against MLIR: MLIR's headers
# take most of the compile time. Sources still include the headers that they
# use; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without it.
set(headers
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
  llvm/ADT/MapVector.h
  llvm/ADT/StringExtras.h
  llvm/ADT/TypeSwitch.h
  llvm/Support/CommandLine.h)
list(TRANSFORM headers REPLACE "(.+)" "<\\1>")
list(APPEND headers <algorithm> <cmath> <map> <optional> <string> <vector>)

set(source "${PROJECT_BINARY_DIR}/PrecompiledHeader.cpp")
file(CONFIGURE OUTPUT "${source}" CONTENT "// Owns the precompiled header.\n")
add_library(GpuCostPrecompiledHeader OBJECT "${source}")
target_link_libraries(GpuCostPrecompiledHeader PRIVATE GpuCostUsesMLIR)
target_precompile_headers(GpuCostPrecompiledHeader PRIVATE ${headers})
# Without time stamps the header stays valid in a build folder that was copied.
# Its bytes name the build folder, so a compiler cache must not hand it to another.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(GPUCOST_PCH_OPTIONS -Xclang -fno-pch-timestamp)
  # CMake's default also names the header by its absolute path, which the compiler
  # cache would take for a difference between checkouts.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
  target_compile_options(GpuCostPrecompiledHeader PRIVATE ${GPUCOST_PCH_OPTIONS})
endif()
set_target_properties(GpuCostPrecompiledHeader PROPERTIES CXX_COMPILER_LAUNCHER "")

# The compiler cache hashes this file instead of the precompiled header: the text
# of the header. Compiler and options are hashed for each source anyway.
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  list(TRANSFORM headers REPLACE "(.+)" "#include \\1\n" OUTPUT_VARIABLE text)
  list(JOIN text "" text)
  set(probe "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/GpuCostPrecompiledHeader.dir/Headers.cpp")
  file(WRITE "${probe}" "${text}")
  list(TRANSFORM LLVM_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE llvm_includes)
  list(TRANSFORM MLIR_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mlir_includes)
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++${CMAKE_CXX_STANDARD} -E -P
            ${llvm_includes} ${mlir_includes} "${probe}"
    OUTPUT_VARIABLE preprocessed COMMAND_ERROR_IS_FATAL ANY)
  string(SHA256 sum "${preprocessed}")
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/GpuCostPrecompiledHeader.dir/cmake_pch.hxx.pch.sum"
       "${sum}\n")
endif()

# gpucost_use_precompiled_header(target): for a target that is compiled against
# MLIR with the project's usual options (no exceptions).
function(gpucost_use_precompiled_header target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # -fPIC, as the header, instead of CMake's -fPIE.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
  target_precompile_headers(${target} REUSE_FROM GpuCostPrecompiledHeader)
  target_compile_options(${target} PRIVATE ${GPUCOST_PCH_OPTIONS})
endfunction()
