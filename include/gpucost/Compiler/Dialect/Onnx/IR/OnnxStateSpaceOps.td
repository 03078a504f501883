//===- OnnxStateSpaceOps.td - State spaces of com.microsoft ----- -*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSTATESPACEOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSTATESPACEOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// scale * softplus(a + bias), and sigmoid(b).
def Onnx_LinearAttentionGateOp : Onnx_CountedOp<"LinearAttentionGate", "Log"> {
  let operands = ["A", "Bias", "Scale", "B?"];
  let maxResults = 2;
  let shapes = ["A: [..., H]", "Bias: [H]", "Scale: [H]", "B: [..., H]"];
  let results = ["[..., H]", "[..., H]"];
  let contradictions = ["used.1*(1 - has.B): result 1 requires operand 3"];
  let problem = "elements: rows*H*(1 + has.B)";
  let fp32Count = "rows*H*(5 + 2*has.B)";
  let specialCount = "rows*H*(2 + 2*has.B)";
}
// RMS norm (4) of groups of C elements, times x * sigmoid(x) or sigmoid(x) of the gate.
def Onnx_GatedRMSNormOp : Onnx_CountedOp<"GatedRMSNorm", "Norm"> {
  let operands = ["X", "Scale", "Gate"];
  let attributes = ["activation: string = silu", "epsilon: float = 1e-05"];
  let shapes = ["X: [..., D]", "Scale: [C]", "Gate: [..., D]"];
  let results = ["= X"];
  let contradictions = [
    "D - D/C*C: the last size of operand 0 is not a multiple of the size of operand 1"];
  let problem = "rows: rows*(D/C) | C";
  let fp32Count = "rows*D*(7 + activation.silu + activation.swish)";
  let specialCount = "2*rows*D";
}
// Token-major: [tokens, heads, size] or [batch, length, heads, size], or one operand with queries,
// keys and values. State [batch, value heads, value size, key size] in fp32.
def Onnx_GatedDeltaNetOp : Onnx_LibraryOp<"GatedDeltaNet", "inferGatedDeltaNet",
    "gatedDeltaNetWork",
    "per token and value head, d_k x d_v: update 2, query 2, decay 1 (gated), correction 2 (delta); 5 and 3 special per decay, 2 and 2 per update rate, 3 per normalised element",
    "Mul"> {
  let operands = [
    "Query", "Key?", "Value?", "Lengths?", "Decay?", "Beta?", "State?", "ALog?", "DtBias?",
    "CaptureCount?", "CaptureActive?"];
  let attributes = [
    "beta_activation: string = none", "chunk_size: int = 64", "gate_activation: string = none",
    "gate_lower_bound: float = -5", "qk_l2_norm: int = 0", "scale: float = 0",
    "state_update_capacity: int = 0", "update_rule: string = gated_delta"];
  let maxResults = 3;
}
// Constant metadata give the part of the buffers that is used: 3 FLOP per state and transition.
def Onnx_GatedDeltaNetStateReplayOp : Onnx_LibraryOp<"GatedDeltaNetStateReplay",
    "inferReplay", "replayWork", "3 x state x transitions; bytes of the views", "Mul", 3> {
  let operands = ["Source", "Capsule", "Destination", "Metadata"];
  let inPlaceOperand = 2;
}
def Onnx_ConvStateReplayOp : Onnx_LibraryOp<"ConvStateReplay", "inferReplay", "replayWork",
    "0; bytes of the views"> {
  let operands = ["Source", "Capture", "Destination", "Metadata"];
  let inPlaceOperand = 2;
}
// One slot of the states is read; a snapshot after each token is written. Four taps (8), SiLU (3);
// time step: sum, softplus, clamp and product with A (6); per cell of the state decay 1, update 2,
// query 2; skip (2), product with the time step (1), gate (4) and RMS norm (4).
def Onnx_Mamba2VerifyOp : Onnx_CountedOp<"Mamba2Verify", "Mul"> {
  let work = "mambaVerifyWork";
  let operands = [
    "Projection", "ConvState", "State", "ConvWeight", "ConvBias", "DtBias", "ANegative", "D",
    "NormWeight", "StateRow"];
  let attributes = [
    "d_state: int = 128", "epsilon: float = 1e-05", "head_dim: int = 64", "heads: int !",
    "n_groups: int !", "time_step_min: float = 0.001"];
  let maxResults = 5;
  let names = [
    "inner = heads*head_dim", "channels = inner + 2*n_groups*d_state",
    "cells = heads*head_dim*d_state"];
  let shapes = [
    "Projection: [R, inner + channels + heads]", "ConvState: [L, channels, 3]",
    "State: [L, heads, d_state, head_dim]", "ConvBias: [channels]", "DtBias: [heads]",
    "ANegative: [heads]", "D: [heads]", "NormWeight: [inner]"];
  let results = ["[R, inner]", "= ConvState", "= State", "[R, channels]", "f32 [R, inner]"];
  let contradictions = [
    "heads - heads/n_groups*n_groups: heads is not a multiple of n_groups"];
  let problem = "strided: R*cells";
  let fp32Count = "R*(11*channels + 6*heads + 5*cells + 11*inner)";
  let specialCount = "R*(2*channels + 3*heads + 2*inner)";
  let reads = ["ConvState: 3*channels", "State: cells"];
  let writes = ["1: min(R, L)*3*channels", "2: min(R, L)*cells"];
}
// Taps (2 each), SiLU (3); coefficients that depend on the token: two sums and a mask (3).
def Onnx_VarlenCausalConvWithStateOp
    : Onnx_CountedOp<"VarlenCausalConvWithState", "DepthwiseConv"> {
  let work = "varlenConvWork";
  let operands = [
    "X", "Weight", "Lengths", "Bias?", "State?", "CaptureCount?", "KernelDelta?",
    "PreviousMask?"];
  let attributes = [
    "activation: string = none", "delta_offset: int = 0", "dilation: int = 1",
    "group_size: int = 1", "state_update_capacity: int = 0"];
  let maxResults = 3;
  let names = ["silu = activation.silu + activation.swish"];
  let shapes = [
    "X: [T, C]", "Weight: [C, 1, taps]", "Lengths: [B+1]", "Bias: [C]",
    "State!: [B, C, (taps - 1)*dilation]", "CaptureCount: [B]",
    "KernelDelta: [T, ?, C/group_size]", "PreviousMask: [T, 1]"];
  let results = [
    "[T, C]", "[B, C, (taps - 1)*dilation]", "[B, state_update_capacity, C]"];
  let contradictions = [
    "has.KernelDelta - has.PreviousMask: requires operands 6 and 7 together",
    "min(state_update_capacity, 1) - has.CaptureCount: requires operand 5 exactly if state_update_capacity is positive"];
  let problem = "strided: T*C";
  let fp32Count = "T*C*(2*taps + 3*silu + 3*has.KernelDelta)";
  let specialCount = "2*T*C*silu";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSTATESPACEOPS_TD
