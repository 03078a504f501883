//===- Signature.h - The type of a function from its body -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_SIGNATURE_H
#define GPUCOST_LIB_TRANSFORMS_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Gives `function` the type that its body states: the types of the arguments
/// of its first block and of what it returns. Attributes of results go when
/// their number changes: they name results that are gone. A declaration and a
/// body that never returns keep the type of their results.
inline void updateSignature(mlir::func::FuncOp function) {
  if (function.isExternal())
    return;
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

#endif // GPUCOST_LIB_TRANSFORMS_SIGNATURE_H
