//===- OnnxReductionOps.td - Reductions, scans, searches ---*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXREDUCTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXREDUCTIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_ReduceSumOp : Onnx_ReductionOp<"ReduceSum", foldFn = "foldReduceSum"> {
  let grad = "gradReduceSum";
  let autocast = "SingleResult";
  let operands = ["X", "Axes?"];
  let attributes = ["axes: ints @1-12", "keepdims: int = 1", "noop_with_empty_axes: int = 0 @13-"];
  let opsets = [1, 11, 13];
}
def Onnx_ReduceMeanOp : Onnx_ReductionOp<"ReduceMean", foldFn = "foldReduceMean"> {
  let grad = "gradReduceMean";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18];
}
def Onnx_ReduceMaxOp : Onnx_ReductionOp<"ReduceMax", foldFn = "foldReduceMax"> {
  let grad = "gradReduceMax";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 12, 13, 18, 20];
}
def Onnx_ReduceMinOp : Onnx_ReductionOp<"ReduceMin", foldFn = "foldReduceMin"> {
  let grad = "gradReduceMax";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 12, 13, 18, 20];
}
def Onnx_ReduceProdOp : Onnx_ReductionOp<"ReduceProd", foldFn = "foldReduceProd"> {
  let grad = "gradReduceProd";
  let autocast = "SingleResult";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18];
}
def Onnx_ReduceL1Op : Onnx_ReductionOp<"ReduceL1", 2> {
  let grad = "gradReduceL1";
  let autocast = "Single";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18];
}
def Onnx_ReduceL2Op : Onnx_ReductionOp<"ReduceL2", 2> {
  let grad = "gradReduceL2";
  let autocast = "Single";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18];
}
def Onnx_ReduceSumSquareOp : Onnx_ReductionOp<"ReduceSumSquare", 2> {
  let grad = "gradReduceSumSquare";
  let autocast = "Single";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18];
}
def Onnx_ReduceLogSumOp : Onnx_ReductionOp<"ReduceLogSum", 1> {
  let grad = "gradReduceLogSum";
  let autocast = "Single";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18, 28];
}
// Maximum, subtract, exp, sum.
def Onnx_ReduceLogSumExpOp : Onnx_ReductionOp<"ReduceLogSumExp", 4, 1> {
  let grad = "gradReduceLogSumExp";
  let autocast = "Single";
  let operands = ["X", "Axes?"];
  let attributes = Onnx_ReductionAttributes;
  let opsets = [1, 11, 13, 18, 28];
}
def Onnx_ArgMaxOp : Onnx_ReductionOp<"ArgMax", 1, 0, "nullptr", "inferArgReduce"> {
  let grad = "gradNothing";
  let operands = ["X"];
  let attributes = ["axis: int = 0", "keepdims: int = 1", "select_last_index: int = 0 @12-"];
  let opsets = [1, 11, 12, 13];
}
def Onnx_ArgMinOp : Onnx_ReductionOp<"ArgMin", 1, 0, "nullptr", "inferArgReduce"> {
  let grad = "gradNothing";
  let operands = ["X"];
  let attributes = ["axis: int = 0", "keepdims: int = 1", "select_last_index: int = 0 @12-"];
  let opsets = [1, 11, 12, 13];
}
def Onnx_CumSumOp
    : Onnx_ElementwiseOp<"CumSum", "Add", 1, 0, "foldCumSum", "inferSameAsFirst"> {
  let grad = "gradPermuteCopy";
  let autocast = "SingleResult";
  let operands = ["X", "Axis?"];
  let attributes = ["exclusive: int = 0", "reverse: int = 0"];
  let opsets = [11, 14];
}
def Onnx_CumProdOp
    : Onnx_ElementwiseOp<"CumProd", "Mul", 1, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["exclusive: int = 0", "reverse: int = 0"];
  let grad = "gradCumProd";
  let autocast = "SingleResult";
  let opsets = [26];
}
// LU factors: 2/3 n^3.
def Onnx_DetOp : Onnx_LibraryOp<"Det", "inferDet", "determinantWork",
    "2/3 n^3 per matrix", "Mul"> {
  let operands = ["X"];
  let opsets = [11, 22];
}
def Onnx_InverseOp : Onnx_LibraryOp<"Inverse", "inferSameAsFirst", "inverseWork",
    "2 n^3 per matrix", "Mul"> { let operands = ["X"]; }
def Onnx_ReduceSumIntegerOp : Onnx_ReductionOp<"ReduceSumInteger"> {
  let attributes = ["axes: ints !", "keepdims: int !"];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXREDUCTIONOPS_TD
