//===- OnnxContribMathOps.td - Fused arithmetic of com.microsoft and onnx_extended *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBMATHOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBMATHOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// A weight of 2, 4 or 8 bits (4 for Bnb4), dequantised in the kernel.
def Onnx_MatMulNBitsOp : Onnx_ContractionOp<"MatMulNBits", "inferMatMulNBits"> {
  let scales = [2, 3, 4];
  let packed = "packedMatrix";
  let autocast = "LowerData";
  let work = "packedMatmulWork";
  let operands = ["A", "B", "..."];
}
def Onnx_MatMulBnb4Op : Onnx_ContractionOp<"MatMulBnb4", "inferMatMulNBits"> {
  let scales = [2];
  let packed = "packedMatrix";
  let autocast = "LowerData";
  let work = "packedMatmulWork";
  let operands = ["A", "B", "..."];
}
def Onnx_GatherBlockQuantizedOp : Onnx_LibraryOp<"GatherBlockQuantized",
    "inferGatherBlockQuantized", "blockGatherWork",
    "2 per result; reads the gathered rows with their bits, and their scales", "Gather", 2> {
  let scales = [2, 3];
  let packed = "packedTable";
}
def Onnx_MoEOp : Onnx_LibraryOp<"MoE", "inferSameAsFirst", "expertsWork",
    "2 x rows x k x (weights of one expert), as one grouped product; E (1 - (1 - k/E)^rows) of E experts are read (E1)">;
def Onnx_QMoEOp : Onnx_LibraryOp<"QMoE", "inferSameAsFirst", "expertsWork",
    "2 x rows x k x (weights of one expert), as one grouped product; E (1 - (1 - k/E)^rows) of E experts are read (E1)"> {
  let scales = [3, 6, 9, 11, 12, 13];
  let packed = "packedExperts";
}
def Onnx_TransposeMatMulOp : Onnx_ContractionOp<"TransposeMatMul", "inferFusedMatMul"> {
  let operands = ["A", "B"];
}
def Onnx_FusedMatMulActivationOp
    : Onnx_ContractionOp<"FusedMatMulActivation", "inferFusedMatMul"> { let operands = ["A", "B"]; }
def Onnx_SparseToDenseMatMulOp
    : Onnx_ContractionOp<"SparseToDenseMatMul", "inferFusedMatMul"> { let operands = ["A", "B"]; }
def Onnx_BiasAddOp : Onnx_ElementwiseOp<"BiasAdd", "Add", 2>;
def Onnx_BiasSoftmaxOp : Onnx_RowOp<"BiasSoftmax", "Softmax", 6, 1>;
// Pairs (real, imaginary): 4 multiplies and 2 sums for two results.
def Onnx_ComplexMulOp : Onnx_ElementwiseOp<"ComplexMul", "Mul", 3>;
def Onnx_ComplexMulConjOp : Onnx_ElementwiseOp<"ComplexMulConj", "Mul", 3>;
def Onnx_CDistOp : Onnx_LibraryOp<"CDist", "inferPairwiseDistance", "pairwiseDistanceWork",
    "3 x pairs x length", "Mul", 3>;
// Each 32-bit word: two multiplies, two rotations and a sum, twice.
def Onnx_MurmurHash3Op
    : Onnx_ElementwiseOp<"MurmurHash3", "Mul", 12, 0, "nullptr", "inferMurmurHash">;
def Onnx_GemmaRotaryEmbeddingOp
    : Onnx_ElementwiseOp<"GemmaRotaryEmbedding", "Trig", 6, 2, "nullptr",
                         "inferGemmaRotaryEmbedding"> { let maxResults = 2; }
def Onnx_SampleOp : Onnx_ElementwiseOp<"SampleOp", "Copy", 0, 0, "nullptr", "inferSameAsFirst">;
def Onnx_GemmFloat8Op : Onnx_ContractionOp<"GemmFloat8", "inferGemmFloat8"> {
  let scales = [3, 4, 5];
  let autocast = "LowerData";
  let work = "gemmWork";
  let operands = ["A", "B", "..."];
}
// onnx_extended: (a + b) * c and the like.
def Onnx_AddAddOp : Onnx_ElementwiseOp<"AddAdd", "Add", 2>;
def Onnx_AddMulOp : Onnx_ElementwiseOp<"AddMul", "Mul", 2>;
def Onnx_MulAddOp : Onnx_ElementwiseOp<"MulAdd", "Mul", 2>;
def Onnx_MulMulOp : Onnx_ElementwiseOp<"MulMul", "Mul", 2>;
def Onnx_MulSubOp : Onnx_ElementwiseOp<"MulSub", "Mul", 2>;
def Onnx_SubMulOp : Onnx_ElementwiseOp<"SubMul", "Mul", 2>;
// x * y * sigmoid(y).
def Onnx_MulSigmoidOp : Onnx_ElementwiseOp<"MulSigmoid", "Silu", 3, 2>;
// A with each of two others.
def Onnx_AddSharedInputOp
    : Onnx_ElementwiseOp<"AddSharedInput", "Add", 2, 0, "nullptr", "inferSharedInput"> {
  let maxResults = 2;
}
def Onnx_MulSharedInputOp
    : Onnx_ElementwiseOp<"MulSharedInput", "Mul", 2, 0, "nullptr", "inferSharedInput"> {
  let maxResults = 2;
}
// Zeros of a shape (operand 0), and updates (2) added to them.
def Onnx_ScatterNDOfShapeOp : Onnx_MovementOp<"ScatterNDOfShape", "inferGatherGrad">;
def Onnx_MaskedScatterNDOfShapeOp
    : Onnx_MovementOp<"MaskedScatterNDOfShape", "inferGatherGrad">;
def Onnx_NegXplus1Op : Onnx_ElementwiseOp<"NegXplus1", "Neg", 2>;
def Onnx_ReplaceZeroOp : Onnx_ElementwiseOp<"ReplaceZero", "Where", 2>;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBMATHOPS_TD
