//===- OnnxPackedWeightOps.td - Weights in blocks with scales -*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXPACKEDWEIGHTOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXPACKEDWEIGHTOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Products with packed weights, which the kernel dequantises.
class Onnx_PackedProductOp<string name> : Onnx_CountedOp<name, "None"> {
  let autocast = "LowerData";
  let packed = "packedByRule";
}

// 4-bit elements with a scale of 8 bits per block.
def Onnx_MatMulBlockQuantizedFp4WeightOp
    : Onnx_PackedProductOp<"MatMulBlockQuantizedFp4Weight"> {
  let operands = ["A", "B", "WeightScale", "GlobalScale", "InputScale?", "Bias?"];
  let attributes = ["block_size: int = 16"];
  let scales = [2, 3, 4];
  let shapes = [
    "A: [..., K]", "B: [N, K/2]", "WeightScale: [N, ceil(K, block_size)]", "Bias: [N]"];
  let results = ["[..., N]"];
  let contradictions = ["K - K/2*2: the last size of operand 0 is odd"];
  let problem = "matmul: rows | N | K | 4";
  let fp32Count = "rows*N*has.Bias";
  let weights = ["B: N*K"];
}
// Activations may be rounded to fp8 as well: a product and a rounding (2).
def Onnx_MatMulBlockQuantizedFp8WeightOp
    : Onnx_PackedProductOp<"MatMulBlockQuantizedFp8Weight"> {
  let operands = ["A", "B", "WeightScale", "InputScale?", "Bias?"];
  let attributes = ["block_size: int = 128"];
  let scales = [2, 3];
  let shapes = [
    "A: [..., K]", "B: [N, K]", "WeightScale: [N, ceil(K, block_size)]", "Bias: [N]"];
  let results = ["[..., N]"];
  let problem = "matmul: rows | N | K | 8";
  let fp32Count = "2*rows*K*has.InputScale + rows*N*has.Bias";
  let weights = ["B: N*K"];
}
// The shape of B is a value.
def Onnx_MatMulFpQ4Op : Onnx_PackedProductOp<"MatMulFpQ4"> {
  let infer = "inferMatMulFpQ4";
  let operands = ["A", "B", "BShape"];
  let attributes = ["blk_quant_type: int = 1"];
  let shapes = ["A: [..., K]", "B: [?]", "BShape: [2]"];
  let problem = "matmul: rows | size.out/rows | K | 4";
  let weights = ["B: K*(size.out/rows)"];
}
// Blocks of any format: bits from the bytes of a row. An activation may follow.
def Onnx_MatMulPackedOp : Onnx_PackedProductOp<"MatMulPacked"> {
  let operands = ["A", "B", "GlobalScale?"];
  let attributes = [
    "K: int !", "N: int !", "activation_type: string = none", "packed_type: int !"];
  let scales = [2];
  let names = ["relu2 = activation_type.relu2 + activation_type.relu_squared"];
  let shapes = ["A: [..., K]", "B: [N, W]"];
  let results = ["[..., N]"];
  let problem = "matmul: rows | N | K | max((8*W + K/2)/K, 1)";
  let fp32Count = "rows*N*(has.GlobalScale + 2*relu2 + 3*activation_type.silu)";
  let specialCount = "2*rows*N*activation_type.silu";
  let weights = ["B: N*K"];
}
// Optional RMS norm (4) of the input with a skip connection (1), gate and up projection, activation
// and product.
def Onnx_MatMulNBitsMlpOp : Onnx_PackedProductOp<"MatMulNBitsMlp"> {
  let operands = [
    "A", "Skip?", "NormScale?", "Gate?", "GateScales?", "GateBias?", "Up?", "UpScales?",
    "UpBias?"];
  let attributes = [
    "K: int !", "N: int !", "accuracy_level: int = 0", "activation: string !", "bits: int = 4",
    "block_size: int !", "epsilon: float = 1e-05"];
  let scales = [4, 7];
  let maxResults = 2;
  let names = [
    "blocks = ceil(K, block_size)", "silu = activation.silu + activation.swish"];
  let shapes = [
    "A: [..., K]", "Skip: [..., K]", "NormScale: [K]",
    "Gate!: [N, blocks, block_size*bits/8]", "GateScales!:",
    "Up!: [N, blocks, block_size*bits/8]", "UpScales!:", "GateBias: [N]", "UpBias: [N]"];
  let results = ["[..., N]", "[..., K]"];
  let contradictions = [
    "has.Skip*(1 - has.NormScale): operand 1 requires operand 2",
    "used.1*(1 - has.Skip): result 1 requires operand 1"];
  let problem = "matmul: rows | 2*N | K | bits";
  let fp32Count =
      "rows*K*(has.Skip + 4*has.NormScale) + rows*N*(1 + 3*silu + 20*activation.gelu + activation.relu + has.GateBias + has.UpBias)";
  let specialCount = "rows*N*(2*silu + activation.gelu)";
  let weights = ["Gate: N*K", "Up: N*K"];
}
def Onnx_MatMulNBitsQkvOp : Onnx_PackedProductOp<"MatMulNBitsQkv"> {
  let operands = [
    "A", "Skip?", "NormScale?", "Q?", "QScales?", "QBias?", "K?", "KScales?", "KBias?", "V?",
    "VScales?", "VBias?"];
  let attributes = [
    "K: int !", "Nkv: int !", "Nq: int !", "accuracy_level: int = 0", "bits: int = 4",
    "block_size: int !", "epsilon: float = 1e-06"];
  let scales = [4, 7, 10];
  let maxResults = 4;
  let names = ["blocks = ceil(K, block_size)", "row = block_size*bits/8"];
  let shapes = [
    "A: [..., K]", "Skip: [..., K]", "NormScale!: [K]", "Q!: [Nq, blocks, row]",
    "QScales!:", "K!: [Nkv, blocks, row]", "KScales!:", "V!: [Nkv, blocks, row]",
    "VScales!:", "QBias: [Nq]", "KBias: [Nkv]", "VBias: [Nkv]"];
  let results = ["[..., Nq]", "[..., Nkv]", "[..., Nkv]", "[..., K]"];
  let contradictions = ["used.3*(1 - has.Skip): result 3 requires operand 1"];
  let problem = "matmul: rows | Nq + 2*Nkv | K | bits";
  let fp32Count =
      "rows*K*(4 + has.Skip) + rows*(Nq*has.QBias + Nkv*(has.KBias + has.VBias))";
  let weights = ["Q: Nq*K", "K: Nkv*K", "V: Nkv*K"];
}
// The product, and an adapter of rank R: two products, the dequantisation of its weights (2), a sum.
// An adapter without weights is not evaluated.
def Onnx_MatMulNBitsQLoRAOp : Onnx_PackedProductOp<"MatMulNBitsQLoRA"> {
  let operands = ["X", "W", "Scales", "Down", "DownScales", "Up", "UpScales"];
  let attributes = [
    "K: int !", "N: int !", "accuracy_level: int = 0", "bits: int = 4", "block_size: int = 32",
    "lora_bits: int = 8", "lora_block_size: int = 32"];
  let scales = [2, 4, 6];
  let names = [
    "up = min(size.Up, 1)", "down = min(size.Down, 1)", "row = lora_block_size*lora_bits/8"];
  let shapes = [
    "X: [..., K]", "W: [N, ceil(K, block_size), block_size*bits/8]",
    "DownScales: [R, ceil(K, lora_block_size)]",
    "UpScales: [N, ceil(R, lora_block_size)]", "Down: [down*R, ?, row]", "Up: [N, ?, row]"];
  let results = ["[..., N]"];
  let problem = "matmul: rows | N | K | bits";
  let tensorCount = "2*rows*(K*N + up*R*(K*down + N))";
  let fp32Count = "up*(2*R*(K*down + N) + rows*N)";
  let weights = ["W: N*K", "Down: down*R*K", "Up: up*R*N"];
}
def Onnx_GatherPackedOp : Onnx_CountedOp<"GatherPacked", "Gather"> {
  let operands = ["Data", "Indices"];
  let attributes = ["K: int !", "output_dtype: int = 16", "packed_type: int !"];
  let packed = "packedByRule";
  let shapes = ["Data: [V, W]", "Indices: [...]"];
  let results = ["@output_dtype [..., K]"];
  let problem = "gather: rows*K";
  let fp32Count = "2*rows*K";
  let reads = ["Data: rows*W"];
  let weights = ["Data: V*K"];
}
def Onnx_MoEPackedOp : Onnx_LibraryOp<"MoEPacked", "inferFromRule", "expertsWork",
    "2 x rows x k x (weights of one expert), as one grouped product; E (1 - (1 - k/E)^rows) of E experts are read (E1)"> {
  let operands = ["X", "Router", "Gate", "Up?", "Down?", "RouterWeights?"];
  let attributes = [
    "activation_type: string = swiglu", "down_type: int !", "gate_type: int !", "k: int = 1",
    "normalize_routing_weights: int = 1", "routed_scaling_factor: float = 1",
    "routing_epsilon: float = 0", "up_type: int = -1"];
  let packed = "packedExperts";
  let shapes = [
    "X: [..., D]", "Router: [rows, E]", "Gate: [E, I, ?]", "Up: [E, I, ?]", "Down!: [E, D, ?]",
    "RouterWeights: [rows, E]"];
  let results = ["= X"];
  let contradictions = [
    "activation_type.swiglu*(1 - has.Up): swiglu requires operand 3",
    "max(k - E, 0): k is larger than the number of experts"];
}
// Blocks with a common exponent; their bytes depend on the format. The largest exponent, the scale,
// rounding and clamping (5).
def Onnx_QuantizeBFPOp : Onnx_CountedOp<"QuantizeBFP", "Cast"> {
  let operands = ["X"];
  let attributes = ["bfp_type: int !", "block_dim: int = -1"];
  let maxResults = 3;
  let results = ["u8 [?]", "i64 [rank.X]", "i64 [rank.X]"];
  let problem = "elements: size.X";
  let fp32Count = "5*size.X";
}
def Onnx_DequantizeBFPOp : Onnx_CountedOp<"DequantizeBFP", "Cast"> {
  let infer = "inferDequantizeBFP";
  let operands = ["X", "Shape", "Strides"];
  let attributes = ["bfp_type: int !", "block_dim: int = -1", "dtype: int = 1"];
  let problem = "elements: size.out";
  let fp32Count = "size.out";
}
// The rows of three tables, dequantised (2 each) and added, a norm (8), its weights dequantised.
def Onnx_QEmbedLayerNormalizationOp
    : Onnx_CountedOp<"QEmbedLayerNormalization", "Norm"> {
  let operands = [
    "Ids", "Segments?", "Words?", "Positions?", "SegmentTable?", "Gamma?", "Beta?", "Mask?",
    "WordScale?", "PositionScale?", "SegmentScale?", "GammaScale?", "BetaScale?", "WordZero?",
    "PositionZero?", "SegmentZero?", "GammaZero?", "BetaZero?"];
  let attributes = ["epsilon: float = 1e-12"];
  let maxResults = 2;
  let scales = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17];
  let shapes = [
    "Ids: [B, S]", "Segments: [B, S]", "Words!: [V, H]", "Positions!: [P, H]",
    "SegmentTable: [?, H]", "Gamma!: [H]", "Beta!: [H]"];
  let results = ["f32 [B, S, H]", "i32 [B]"];
  let contradictions = [
    "has.Segments - has.SegmentTable: requires operands 1 and 4 together"];
  let problem = "rows: B*S | H";
  let fp32Count = "B*S*H*(13 + 3*has.SegmentTable) + 4*H";
  let reads = ["Words: B*S*H", "Positions: S*H", "SegmentTable: B*S*H"];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXPACKEDWEIGHTOPS_TD
