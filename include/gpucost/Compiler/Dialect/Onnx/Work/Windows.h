//===- Windows.h - Keys that attention may see ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_WORK_WINDOWS_H
#define GPUCOST_COMPILER_DIALECT_ONNX_WORK_WINDOWS_H

#include "gpucost/Core/Support/PackedLengths.h"
#include "mlir/IR/Operation.h"

namespace gpucost::onnx {

/// A query at position p attends to the keys from p - left to p + right; -1:
/// no limit.
struct KeyWindow {
  int64_t left = -1, right = -1;
};

/// The window in the attributes of an attention op: `left_window_size` and
/// `right_window_size`, or ONNX Runtime's `local_window_size`, which includes
/// the position of the query.
KeyWindow getKeyWindow(mlir::Operation *op);

/// (A16) The packed documents in the attribute of an attention op; empty
/// without the attribute.
PackedLengths getDocuments(mlir::Operation *op);

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_WORK_WINDOWS_H
