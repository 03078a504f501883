//===- OpWorkInterface.td - Work of ops and tiles ----------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_OPWORK_OPWORKINTERFACE_TD
#define GPUCOST_COMPILER_OPWORK_OPWORKINTERFACE_TD

include "mlir/IR/OpBase.td"

def OpWorkInterface : OpInterface<"OpWorkInterface"> {
  let cppNamespace = "::opwork";
  let description = [{
    Reports how much work an op does, for any target: FLOPs by unit and format,
    calls of scalar functions, and the bytes of each operand. It contains no
    time, no library and no type of a target.

    The op iterates over a space of loops, as in `TilingInterface`. A tile is a
    box of this space. Both methods on tiles answer for `offsets` and `sizes` as
    `TilingInterface` states them: a value that is not a constant has its upper
    bound as a size, and any value as an offset.
  }];
  let methods = [
    InterfaceMethod<[{
      The number of iterations of each loop; `ShapedType::kDynamic` if unknown.
    }], "::llvm::SmallVector<int64_t>", "getWorkLoops">,
    InterfaceMethod<[{
      For each operand, the map from the loops to the element that an iteration
      accesses. A scalar has a map without results.
    }], "::llvm::SmallVector<::mlir::AffineMap>", "getAccessMaps">,
    InterfaceMethod<[{
      The work of one tile. Fails if the sizes or the semantics of the op are
      unknown, if the tile is not in the iteration space, or if a count
      overflows.
    }], "::mlir::FailureOr<::opwork::Work>", "getTileWork",
        (ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
             "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>,
    InterfaceMethod<[{
      The work of all iterations of the op.
    }], "::mlir::FailureOr<::opwork::Work>", "getOpWork", (ins), "", [{
      return ::opwork::detail::getWorkOfAllIterations($_op);
    }]>
  ];
}

#endif // GPUCOST_COMPILER_OPWORK_OPWORKINTERFACE_TD
