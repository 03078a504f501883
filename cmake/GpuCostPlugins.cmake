# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Plugins for mlir-opt that query costs; find_package(GpuCost) includes this file.

# gpucost_add_mlir_plugin(NAME sources... [PRECOMPILE headers...])
# A pass or dialect plugin NAME.so, against the shared MLIR. With PRECOMPILE, its sources
# share a precompiled header of `headers` and of those that every pass includes: the
# first build takes longer, each further one a fraction of the time. Sources still
# include what they use.
function(gpucost_add_mlir_plugin name)
  cmake_parse_arguments(ARG "" "" "PRECOMPILE" ${ARGN})
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES PREFIX "")
  target_compile_features(${name} PRIVATE cxx_std_17)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE -fno-rtti)
  endif()
  target_link_libraries(${name} PRIVATE GpuCost::GpuCostMLIR)
  # A keyword without values is one that names no header.
  if(NOT ARG_PRECOMPILE AND NOT "PRECOMPILE" IN_LIST ARG_KEYWORDS_MISSING_VALUES)
    return()
  endif()
  foreach(header IN ITEMS gpucost/Compiler/CostAnalysis/CostAnalysis.h mlir/Dialect/Func/IR/FuncOps.h
                          mlir/IR/PatternMatch.h mlir/Pass/Pass.h mlir/Tools/Plugins/PassPlugin.h
                          ${ARG_PRECOMPILE})
    target_precompile_headers(${name} PRIVATE "<${header}>")
  endforeach()
endfunction()
