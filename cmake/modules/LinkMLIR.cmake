# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sources are compiled once; which MLIR they meet is chosen where a program or a
# shared library is linked:
#
#   programs             static MLIR and LLVM: one file that starts fast
#                        (GPUCOST_STATIC_MLIR=OFF: the shared ones, which sanitizers need)
#   libGpuCostMLIR.so,   the shared ones, as the process that loads the plugin
#   plugins              (target property GPUCOST_SHARED_MLIR)
#
# Never both in one process: MLIR's type ids would exist twice. Project libraries
# therefore link GpuCostUsesLLVM or GpuCostUsesMLIR, not LLVM or MLIR.
option(GPUCOST_STATIC_MLIR "Link programs against the static MLIR and LLVM" ON)

# The components that this project's sources include; MLIR adds their dependencies.
set(mlir_components
  MLIRAffineDialect MLIRArithDialect MLIRBufferizationDialect
  MLIRComplexDialect MLIRControlFlowDialect MLIRControlFlowToSCF MLIRDLTIDialect MLIRFuncDialect MLIRGPUDialect
  MLIRIndexDialect MLIRIR MLIRLinalgDialect MLIRLinalgTransforms
  MLIRMLProgramDialect MLIRMathDialect MLIRMemRefTransforms MLIROptLib
  MLIRParser MLIRPass MLIRQuantDialect MLIRSCFDialect MLIRShapeDialect
  MLIRTensorDialect MLIRTosaDialect MLIRTosaToArith MLIRTosaToLinalg
  MLIRTosaToSCF MLIRTosaToTensor MLIRTosaTransforms MLIRTransforms
  MLIRUBDialect MLIRVectorDialect)
# Static libraries of MLIR name the shared LLVM as their dependency.
set(llvm_components
  AsmParser BinaryFormat BitReader BitstreamReader Core Demangle IRReader MC
  Object Remarks Support TargetParser)

# gpucost_archives(out target...): the archives of these static libraries and all
# their dependencies.
function(gpucost_archives out)
  set(pending ${ARGN})
  set(seen)
  set(archives)
  while(pending)
    list(POP_FRONT pending library)
    if(library IN_LIST seen OR NOT TARGET ${library})
      continue()
    endif()
    list(APPEND seen ${library})
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND archives $<TARGET_FILE:${library}>)
      get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
      if(needed)
        list(APPEND pending ${needed})
      endif()
    endif()
  endwhile()
  set(${out} "${archives}" PARENT_SCOPE)
endfunction()

# gpucost_uses(name shared-library archive...): an interface library for either the
# shared library or the archives, depending on the linked target.
function(gpucost_uses name shared)
  set(is_static "$<NOT:$<BOOL:$<TARGET_PROPERTY:GPUCOST_SHARED_MLIR>>>")
  list(JOIN ARGN "," archives)
  add_library(${name} INTERFACE)
  if(GPUCOST_STATIC_MLIR)
    target_link_libraries(${name} INTERFACE
      "$<BUILD_INTERFACE:$<IF:${is_static},$<LINK_GROUP:RESCAN,${archives}>,${shared}>>"
      "$<BUILD_INTERFACE:${CMAKE_DL_LIBS}>" "$<BUILD_INTERFACE:m>"
      "$<INSTALL_INTERFACE:${shared}>")
    target_link_options(${name} INTERFACE
      "$<BUILD_INTERFACE:$<${is_static}:LINKER:--gc-sections>>")
  else()
    target_link_libraries(${name} INTERFACE ${shared})
  endif()
endfunction()

list(TRANSFORM llvm_components PREPEND LLVM)
gpucost_archives(llvm_archives ${llvm_components})
gpucost_archives(mlir_archives ${mlir_components})
gpucost_uses(GpuCostUsesLLVM LLVM ${llvm_archives})
gpucost_uses(GpuCostUsesMLIR MLIR ${mlir_archives} ${llvm_archives})
target_include_directories(GpuCostUsesLLVM SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_include_directories(GpuCostUsesMLIR SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(GpuCostUsesMLIR INTERFACE GpuCostUsesLLVM)
