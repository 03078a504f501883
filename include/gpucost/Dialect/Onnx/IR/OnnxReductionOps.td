//===- OnnxReductionOps.td - Reductions, scans, searches *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXREDUCTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXREDUCTIONOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_ReduceSumOp : Onnx_ReductionOp<"ReduceSum", foldFn = "foldReduceSum"> {
  let grad = "gradReduceSum";
  let autocast = "SingleResult";
}
def Onnx_ReduceMeanOp : Onnx_ReductionOp<"ReduceMean", foldFn = "foldReduceMean"> {
  let grad = "gradReduceMean";
}
def Onnx_ReduceMaxOp : Onnx_ReductionOp<"ReduceMax", foldFn = "foldReduceMax"> {
  let grad = "gradReduceMax";
}
def Onnx_ReduceMinOp : Onnx_ReductionOp<"ReduceMin", foldFn = "foldReduceMin"> {
  let grad = "gradReduceMax";
}
def Onnx_ReduceProdOp : Onnx_ReductionOp<"ReduceProd", foldFn = "foldReduceProd"> {
  let autocast = "SingleResult";
}
def Onnx_ReduceL1Op : Onnx_ReductionOp<"ReduceL1", 2> { let autocast = "Single"; }
def Onnx_ReduceL2Op : Onnx_ReductionOp<"ReduceL2", 2> {
  let grad = "gradReduceL2";
  let autocast = "Single";
}
def Onnx_ReduceSumSquareOp : Onnx_ReductionOp<"ReduceSumSquare", 2> {
  let grad = "gradReduceSumSquare";
  let autocast = "Single";
}
def Onnx_ReduceLogSumOp : Onnx_ReductionOp<"ReduceLogSum", 1> { let autocast = "Single"; }
// Maximum, subtract, exp, sum.
def Onnx_ReduceLogSumExpOp : Onnx_ReductionOp<"ReduceLogSumExp", 4, 1> {
  let autocast = "Single";
}
def Onnx_ArgMaxOp : Onnx_ReductionOp<"ArgMax", 1, 0, "nullptr", "inferArgReduce"> {
  let grad = "gradNothing";
}
def Onnx_ArgMinOp : Onnx_ReductionOp<"ArgMin", 1, 0, "nullptr", "inferArgReduce"> {
  let grad = "gradNothing";
}
def Onnx_CumSumOp
    : Onnx_ElementwiseOp<"CumSum", "Add", 1, 0, "foldCumSum", "inferSameAsFirst"> {
  let grad = "gradPermuteCopy";
  let autocast = "SingleResult";
}
def Onnx_CumProdOp
    : Onnx_ElementwiseOp<"CumProd", "Mul", 1, 0, "nullptr", "inferSameAsFirst"> {
  let autocast = "SingleResult";
}
// Sorting and results of data-dependent size.
def Onnx_TopKOp : Onnx_OpaqueOp<"TopK", "inferTopK">;
def Onnx_NonZeroOp : Onnx_OpaqueOp<"NonZero", "inferNonZero">;
def Onnx_UniqueOp : Onnx_OpaqueOp<"Unique", "inferUnique">;
def Onnx_CompressOp : Onnx_OpaqueOp<"Compress", "inferCompress">;
def Onnx_NonMaxSuppressionOp
    : Onnx_OpaqueOp<"NonMaxSuppression", "inferNonMaxSuppression">;
def Onnx_DetOp : Onnx_OpaqueOp<"Det", "inferDet">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXREDUCTIONOPS_TD
