//===- Signature.h - The type of a function from its body -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SIGNATURE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SIGNATURE_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Sets the type of `function` from its body: the argument types of its first
/// block and the types of its returned values. If the number of results
/// changes, result attributes are dropped, because they refer to the old
/// results. A declaration and a body that never returns keep the result types.
/// Existing kernels get the types of their yielded values.
inline void updateSignature(mlir::func::FuncOp function) {
  if (function.isExternal())
    return;
  function.walk([](KernelOp kernel) {
    mlir::Operation *yield = kernel.getBody().front().getTerminator();
    for (auto [result, value] :
         llvm::zip(kernel.getResults(), yield->getOperands()))
      result.setType(value.getType());
  });
  mlir::TypeRange results = function.getResultTypes();
  for (mlir::Block &block : function.getBody())
    if (auto end = llvm::dyn_cast<mlir::func::ReturnOp>(block.getTerminator()))
      results = end.getOperandTypes();
  if (results.size() != function.getNumResults())
    function.removeResAttrsAttr();
  function.setFunctionType(mlir::FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), results));
}

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SIGNATURE_H
