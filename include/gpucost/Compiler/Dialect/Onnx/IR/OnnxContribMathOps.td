//===- OnnxContribMathOps.td - Fused arithmetic ------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBMATHOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBMATHOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// A weight of 2, 4 or 8 bits (4 for Bnb4), dequantised in the kernel.
def Onnx_MatMulNBitsOp : Onnx_ContractionOp<"MatMulNBits", "inferMatMulNBits"> {
  let scales = [2, 3, 4];
  let packed = "packedMatrix";
  let autocast = "LowerData";
  let work = "packedMatmulWork";
  let operands = ["A", "B", "..."];
  let attributes = [
    "K: int !", "N: int !", "accuracy_level: int = 0", "bits: int = 4", "block_size: int !",
    "weight_prepacked: int = 0"];
}
def Onnx_MatMulBnb4Op : Onnx_ContractionOp<"MatMulBnb4", "inferMatMulNBits"> {
  let scales = [2];
  let packed = "packedMatrix";
  let autocast = "LowerData";
  let work = "packedMatmulWork";
  let operands = ["A", "B", "..."];
  let attributes = [
    "K: int !", "N: int !", "block_size: int !", "quant_type: int !", "training_mode: int = 0",
    "transB: int = 1"];
}
def Onnx_GatherBlockQuantizedOp : Onnx_LibraryOp<"GatherBlockQuantized",
    "inferGatherBlockQuantized", "blockGatherWork",
    "2 per result; reads the gathered rows with their bits, and their scales", "Gather", 2> {
  let attributes = [
    "bits: int = 4", "block_size: int = 128", "gather_axis: int = 0", "quantize_axis: int = 1"];
  let scales = [2, 3];
  let packed = "packedTable";
}
def Onnx_MoEOp : Onnx_LibraryOp<"MoE", "inferSameAsFirst", "expertsWork",
    "2 x rows x k x (weights of one expert), as one grouped product; E (1 - (1 - k/E)^rows) of E experts are read (E1)"> {
  let attributes = [
    "activation_alpha: float = 1", "activation_beta: float = 0", "activation_type: string = relu",
    "k: int = 1", "normalize_routing_weights: int = 0", "swiglu_fusion: int = 0",
    "swiglu_limit: float", "swiglu_limit_after_activation: int = 0", "use_sparse_mixer: int = 0"];
}
def Onnx_QMoEOp : Onnx_LibraryOp<"QMoE", "inferSameAsFirst", "expertsWork",
    "2 x rows x k x (weights of one expert), as one grouped product; E (1 - (1 - k/E)^rows) of E experts are read (E1)"> {
  let attributes = [
    "accuracy_level: int = 0", "activation_alpha: float = 1", "activation_beta: float = 0",
    "activation_type: string = relu", "block_size: int", "expert_weight_bits: int = 4",
    "fc1_expert_weight_bits: int", "fc2_expert_weight_bits: int", "fc3_expert_weight_bits: int",
    "k: int = 1", "normalize_routing_weights: int = 0", "quant_type: string = int",
    "swiglu_fusion: int = 0", "swiglu_limit: float", "swiglu_limit_after_activation: int = 0",
    "use_sparse_mixer: int = 0", "weights_prepacked: int = -1"];
  let scales = [3, 6, 9, 11, 12, 13];
  let packed = "packedExperts";
}
def Onnx_TransposeMatMulOp : Onnx_ContractionOp<"TransposeMatMul", "inferFusedMatMul"> {
  let operands = ["A", "B"];
  let attributes = ["alpha: float = 1", "transA: int = 0", "transB: int = 0"];
}
def Onnx_FusedMatMulActivationOp
    : Onnx_ContractionOp<"FusedMatMulActivation", "inferFusedMatMul"> {
  let operands = ["A", "B"];
  let attributes = [
    "activation: string !", "activation_alpha: float", "activation_axis: int",
    "activation_beta: float", "activation_gamma: float", "alpha: float = 1", "transA: int = 0",
    "transB: int = 0", "transBatchA: int = 0", "transBatchB: int = 0"];
}
def Onnx_SparseToDenseMatMulOp
    : Onnx_ContractionOp<"SparseToDenseMatMul", "inferFusedMatMul"> {
  let operands = ["A", "B"];
  let attributes = ["alpha: float = 1", "transA: int = 0", "transB: int = 0"];
}
def Onnx_BiasAddOp : Onnx_ElementwiseOp<"BiasAdd", "Add", 2>;
def Onnx_BiasSoftmaxOp : Onnx_RowOp<"BiasSoftmax", "Softmax", 6, 1> {
  let attributes = ["axis: int = 1", "is_inner_broadcast: int !"];
}
// Pairs (real, imaginary): 4 multiplies and 2 sums for two results.
def Onnx_ComplexMulOp : Onnx_ElementwiseOp<"ComplexMul", "Mul", 3>;
def Onnx_ComplexMulConjOp : Onnx_ElementwiseOp<"ComplexMulConj", "Mul", 3>;
def Onnx_CDistOp : Onnx_LibraryOp<"CDist", "inferPairwiseDistance", "pairwiseDistanceWork",
    "3 x pairs x length", "Mul", 3> {
  let attributes = ["metric: string = sqeuclidean *"];
}
// Each 32-bit word: two multiplies, two rotations and a sum, twice.
def Onnx_MurmurHash3Op
    : Onnx_ElementwiseOp<"MurmurHash3", "Mul", 12, 0, "nullptr", "inferMurmurHash"> {
  let attributes = ["positive: int = 1", "seed: int = 0"];
}
def Onnx_GemmaRotaryEmbeddingOp
    : Onnx_ElementwiseOp<"GemmaRotaryEmbedding", "Trig", 6, 2, "nullptr",
                         "inferGemmaRotaryEmbedding"> { let maxResults = 2; }
def Onnx_SampleOp : Onnx_ElementwiseOp<"SampleOp", "Copy", 0, 0, "nullptr", "inferSameAsFirst">;
def Onnx_GemmFloat8Op : Onnx_ContractionOp<"GemmFloat8", "inferGemmFloat8"> {
  let scales = [3, 4, 5];
  let autocast = "LowerData";
  let work = "gemmWork";
  let operands = ["A", "B", "..."];
  let attributes = [
    "activation: string", "alpha: float = 1", "beta: float = 0", "dtype: int = 1",
    "transA: int = 0", "transB: int = 0"];
}
// onnx_extended: (a + b) * c and the like.
let attributes = ["..."] in {
def Onnx_AddAddOp : Onnx_ElementwiseOp<"AddAdd", "Add", 2>;
def Onnx_AddMulOp : Onnx_ElementwiseOp<"AddMul", "Mul", 2>;
def Onnx_MulAddOp : Onnx_ElementwiseOp<"MulAdd", "Mul", 2>;
def Onnx_MulMulOp : Onnx_ElementwiseOp<"MulMul", "Mul", 2>;
def Onnx_MulSubOp : Onnx_ElementwiseOp<"MulSub", "Mul", 2>;
def Onnx_SubMulOp : Onnx_ElementwiseOp<"SubMul", "Mul", 2>;
// x * y * sigmoid(y).
def Onnx_MulSigmoidOp : Onnx_ElementwiseOp<"MulSigmoid", "Silu", 3, 2>;
// A combined with each of two other operands.
def Onnx_AddSharedInputOp
    : Onnx_ElementwiseOp<"AddSharedInput", "Add", 2, 0, "nullptr", "inferSharedInput"> {
  let maxResults = 2;
}
def Onnx_MulSharedInputOp
    : Onnx_ElementwiseOp<"MulSharedInput", "Mul", 2, 0, "nullptr", "inferSharedInput"> {
  let maxResults = 2;
}
// Zeros of a shape (operand 0), and updates (2) added to them.
let work = "scatterWork", formula = "1 per update" in {
def Onnx_ScatterNDOfShapeOp
    : Onnx_GatherOp<"ScatterNDOfShape", "inferGatherGrad", "nullptr", "Scatter">;
def Onnx_MaskedScatterNDOfShapeOp
    : Onnx_GatherOp<"MaskedScatterNDOfShape", "inferGatherGrad", "nullptr", "Scatter">;
}
def Onnx_NegXplus1Op : Onnx_ElementwiseOp<"NegXplus1", "Neg", 2>;
def Onnx_ReplaceZeroOp : Onnx_ElementwiseOp<"ReplaceZero", "Where", 2>;
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBMATHOPS_TD
