// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @gates
func.func @gates(%a0: tensor<2x3x4xf16>, %a1: tensor<4xf32>, %a2: tensor<4xf32>, %a3: tensor<2x3x4xf16>, %a4: tensor<2x8xf16>, %a5: tensor<4xf16>, %a6: tensor<2x8xf16>) {
  // 24 decays: a sum, softplus (3 and 2), a product; 24 sigmoids (2 and 2). Two tensors of 48
  // bytes and two vectors of 16.
  // CHECK: #gpucost.elements<count = 48>, fp32_flops = 168, special_ops = 96, bytes_read = 128, bytes_written = 96>
  %k0:2 = gpucost.kernel "LinearAttentionGate" {
    %r:2 = onnx.LinearAttentionGate %a0, %a1, %a2, %a3 : (tensor<2x3x4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf16>) -> (tensor<2x3x4xf16>, tensor<2x3x4xf16>)
    gpucost.yield %r#0, %r#1 : tensor<2x3x4xf16>, tensor<2x3x4xf16>
  } : tensor<2x3x4xf16>, tensor<2x3x4xf16>
  // Only the decays.
  // CHECK: #gpucost.elements<count = 24>, fp32_flops = 120, special_ops = 48, bytes_read = 80, bytes_written = 48>
  %k1 = gpucost.kernel "LinearAttentionGate" {
    %r = onnx.LinearAttentionGate %a0, %a1, %a2 : (tensor<2x3x4xf16>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf16>
    gpucost.yield %r : tensor<2x3x4xf16>
  } : tensor<2x3x4xf16>
  // 16 elements in rows of 4: RMS norm (4), SiLU of the gate (3 and 2), their product.
  // CHECK: family = normalization, {{.*}}#gpucost.rows<rows = 4, cols = 4>, fp32_flops = 128, special_ops = 32, bytes_read = 72, bytes_written = 32>
  %k2 = gpucost.kernel "GatedRMSNorm" {
    %r = onnx.GatedRMSNorm %a4, %a5, %a6 : (tensor<2x8xf16>, tensor<4xf16>, tensor<2x8xf16>) -> tensor<2x8xf16>
    gpucost.yield %r : tensor<2x8xf16>
  } : tensor<2x8xf16>
  // A sigmoid (2 and 2) has one product less.
  // CHECK: fp32_flops = 112, special_ops = 32,
  %k3 = gpucost.kernel "GatedRMSNorm" {
    %r = onnx.GatedRMSNorm %a4, %a5, %a6 {activation = "sigmoid"} : (tensor<2x8xf16>, tensor<4xf16>, tensor<2x8xf16>) -> tensor<2x8xf16>
    gpucost.yield %r : tensor<2x8xf16>
  } : tensor<2x8xf16>
  return
}

// CHECK-LABEL: func.func @delta_net
func.func @delta_net(%a0: tensor<6x2x16xf16>, %a1: tensor<6x2x16xf16>, %a2: tensor<6x4x8xf16>, %a3: tensor<3xi32>, %a4: tensor<6x4xf16>, %a5: tensor<6x4xf16>, %a6: tensor<2x4x8x16xf32>, %a7: tensor<4xf32>, %a8: tensor<4xf32>, %a9: tensor<6x4x16xf16>, %a10: tensor<6x96xf16>) {
  %none = onnx.None : () -> !onnx.none
  // 6 tokens, 4 value heads, states of 16 x 8: 3072 cells of 7 FLOP. 24 decays of 5 and 3, 24
  // update rates of 2 and 2; 384 elements of queries and keys of 3, 24 vectors with a root.
  // Q, K, V 384 bytes each, lengths 12, decays and rates 48 each, the state 4096, two vectors of
  // 16; the result 384, the state.
  // CHECK: #gpucost.linear_attention<batch = 2, length = 3, heads = 2, value_heads = 4, key_size = 16, value_size = 8>, fp32_flops = 22824, special_ops = 144, bytes_read = 5388, bytes_written = 4480>
  %k0:2 = gpucost.kernel "GatedDeltaNet" {
    %r:2 = onnx.GatedDeltaNet %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8 {gate_activation = "softplus", beta_activation = "sigmoid", qk_l2_norm = 1 : i64} : (tensor<6x2x16xf16>, tensor<6x2x16xf16>, tensor<6x4x8xf16>, tensor<3xi32>, tensor<6x4xf16>, tensor<6x4xf16>, tensor<2x4x8x16xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4x8xf16>, tensor<2x4x8x16xf32>)
    gpucost.yield %r#0, %r#1 : tensor<6x4x8xf16>, tensor<2x4x8x16xf32>
  } : tensor<6x4x8xf16>, tensor<2x4x8x16xf32>
  // Effective decays need one exponential each.
  // CHECK: fp32_flops = 21504, special_ops = 24,
  %k1 = gpucost.kernel "GatedDeltaNet" {
    %r = onnx.GatedDeltaNet %a0, %a1, %a2, %none, %a4, %a5, %a6 : (tensor<6x2x16xf16>, tensor<6x2x16xf16>, tensor<6x4x8xf16>, !onnx.none, tensor<6x4xf16>, tensor<6x4xf16>, tensor<2x4x8x16xf32>) -> tensor<6x4x8xf16>
    gpucost.yield %r : tensor<6x4x8xf16>
  } : tensor<6x4x8xf16>
  // No correction, 5 per cell; a decay per channel of the keys, 384 of 5 and 3.
  // CHECK: #gpucost.linear_attention<rule = sum, {{.*}}fp32_flops = 17280, special_ops = 1152,
  %k2 = gpucost.kernel "GatedDeltaNet" {
    %r = onnx.GatedDeltaNet %a0, %a1, %a2, %none, %a9, %none, %a6 {update_rule = "gated", gate_activation = "kda"} : (tensor<6x2x16xf16>, tensor<6x2x16xf16>, tensor<6x4x8xf16>, !onnx.none, tensor<6x4x16xf16>, !onnx.none, tensor<2x4x8x16xf32>) -> tensor<6x4x8xf16>
    gpucost.yield %r : tensor<6x4x8xf16>
  } : tensor<6x4x8xf16>
  // One operand with 2 * 2 * 16 + 4 * 8 = 96 channels; update and query, 4 per cell.
  // CHECK: #gpucost.linear_attention<rule = sum, batch = 2, length = 3, heads = 2, value_heads = 4, key_size = 16, value_size = 8>, fp32_flops = 12288, bytes_read = 5248, bytes_written = 384>
  %k3 = gpucost.kernel "GatedDeltaNet" {
    %r = onnx.GatedDeltaNet %a10, %none, %none, %none, %none, %none, %a6 {update_rule = "linear"} : (tensor<6x96xf16>, !onnx.none, !onnx.none, !onnx.none, !onnx.none, !onnx.none, tensor<2x4x8x16xf32>) -> tensor<6x4x8xf16>
    gpucost.yield %r : tensor<6x4x8xf16>
  } : tensor<6x4x8xf16>
  return
}

// CHECK-LABEL: func.func @windows
func.func @windows(%a0: tensor<2x6x64xf16>, %a1: tensor<2x6x32xf16>, %a2: tensor<2x6x16xf16>, %a3: tensor<3x2x2x16x8xf16>, %a4: tensor<2x6x32xf16>, %a5: tensor<2x6x12xf32>, %a6: tensor<12x1x4xf32>) {
  // Three states of 2 * 2 * 16 * 8 elements: the last one is read, all are written. Q 1536, K 768,
  // V 384, one state 1024; the result 768, three states.
  // CHECK: #gpucost.linear_attention<rule = sum, batch = 2, length = 6, heads = 4, value_heads = 2, key_size = 16, value_size = 8, snapshots = 3>, fp32_flops = 18432, bytes_read = 3712, bytes_written = 3840>
  %k0:2 = gpucost.kernel "LinearAttention" {
    %r:2 = onnx.LinearAttention %a0, %a1, %a2, %a3 {q_num_heads = 4 : i64, kv_num_heads = 2 : i64, update_rule = "linear", state_window = 3 : i64} : (tensor<2x6x64xf16>, tensor<2x6x32xf16>, tensor<2x6x16xf16>, tensor<3x2x2x16x8xf16>) -> (tensor<2x6x32xf16>, tensor<3x2x2x16x8xf16>)
    gpucost.yield %r#0, %r#1 : tensor<2x6x32xf16>, tensor<3x2x2x16x8xf16>
  } : tensor<2x6x32xf16>, tensor<3x2x2x16x8xf16>
  // Two query heads for four states of 16 x 8: 1536 cells of each, which update and answer (4).
  // CHECK: #gpucost.linear_attention<rule = sum, batch = 2, length = 6, heads = 2, value_heads = 4, key_size = 16, value_size = 8>, fp32_flops = 24576,
  %k1 = gpucost.kernel "LinearAttention" {
    %r = onnx.LinearAttention %a1, %a0, %a4 {q_num_heads = 2 : i64, kv_num_heads = 4 : i64, update_rule = "linear"} : (tensor<2x6x32xf16>, tensor<2x6x64xf16>, tensor<2x6x32xf16>) -> tensor<2x6x32xf16>
    gpucost.yield %r : tensor<2x6x32xf16>
  } : tensor<2x6x32xf16>
  // 144 results of 4 taps and SiLU; the 3 * 2 last positions.
  // CHECK: #gpucost.causal_convolution<batch = 2, length = 6, channels = 12, taps = 4>, fp32_flops = 1584, special_ops = 288, bytes_read = 768, bytes_written = 1152>
  %k2:2 = gpucost.kernel "CausalConvWithState" {
    %r:2 = onnx.CausalConvWithState %a5, %a6 {activation = "silu", channels_last = 1 : i64, dilation = 2 : i64} : (tensor<2x6x12xf32>, tensor<12x1x4xf32>) -> (tensor<2x6x12xf32>, tensor<2x6x12xf32>)
    gpucost.yield %r#0, %r#1 : tensor<2x6x12xf32>, tensor<2x6x12xf32>
  } : tensor<2x6x12xf32>, tensor<2x6x12xf32>
  return
}

// CHECK-LABEL: func.func @replays
func.func @replays(%a0: tensor<4096xf32>, %a1: tensor<4096xf32>, %a2: tensor<4096xf32>, %a3: tensor<4096xf16>, %a4: tensor<4096xf16>, %a5: tensor<4096xf16>) {
  // States of 2 x 4 x 8 and two transitions of 2 decays, 8 keys and 2 * 4 deltas: 3 FLOP per cell
  // and transition, 64 + 2 * 18 elements.
  // CHECK: #gpucost.elements<count = 64, strided = true>, fp32_flops = 384, bytes_read = 400, bytes_written = 256>
  %c0_3 = onnx.Constant {value = dense<[0, 512, 1024, 1040, 1100, 2, 4, 8, 1, 2, 2]> : tensor<11xi64>} : () -> tensor<11xi64>
  %k0 = gpucost.kernel "GatedDeltaNetStateReplay" {
    %r = onnx.GatedDeltaNetStateReplay %a0, %a1, %a2, %c0_3 : (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<11xi64>) -> tensor<4096xf32>
    gpucost.yield %r : tensor<4096xf32>
  } : tensor<4096xf32>
  // A decay per channel of the keys: 2 * 2 * 8 elements between the offsets. 64 + 2 * 32.
  // CHECK: fp32_flops = 384, bytes_read = 512,
  %c1_3 = onnx.Constant {value = dense<[0, 512, 1024, 1056, 1100, 2, 4, 8, 1, 2, 2]> : tensor<11xi64>} : () -> tensor<11xi64>
  %k1 = gpucost.kernel "GatedDeltaNetStateReplay" {
    %r = onnx.GatedDeltaNetStateReplay %a0, %a1, %a2, %c1_3 : (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<11xi64>) -> tensor<4096xf32>
    gpucost.yield %r : tensor<4096xf32>
  } : tensor<4096xf32>
  // Two sequences, 3 channels, 4 positions.
  // CHECK: #gpucost.elements<count = 24, strided = true>, bytes_read = 48, bytes_written = 48>
  %c2_3 = onnx.Constant {value = dense<[0, 0, 0, 2, 3, 4, 8, 5]> : tensor<8xi64>} : () -> tensor<8xi64>
  %k2 = gpucost.kernel "ConvStateReplay" {
    %r = onnx.ConvStateReplay %a3, %a4, %a5, %c2_3 : (tensor<4096xf16>, tensor<4096xf16>, tensor<4096xf16>, tensor<8xi64>) -> tensor<4096xf16>
    gpucost.yield %r : tensor<4096xf16>
  } : tensor<4096xf16>
  return
}

// CHECK-LABEL: func.func @mamba
func.func @mamba(%a0: tensor<3x34xbf16>, %a1: tensor<2x24x3xbf16>, %a2: tensor<2x2x8x4xf32>, %a3: tensor<24x4xbf16>, %a4: tensor<24xbf16>, %a5: tensor<2xf32>, %a6: tensor<2xf32>, %a7: tensor<2xf32>, %a8: tensor<8xf32>, %a9: tensor<1xi32>) {
  // 3 tokens, 24 channels, states of 2 x 8 x 4. Per token: convolution and SiLU 24 * (8 + 3), time
  // steps 2 * 6, states 64 * 5, skip, gate and norm 8 * 11. One of two states is read, two are
  // written.
  // CHECK: #gpucost.linear_attention<rule = sum, length = 3, heads = 1, value_heads = 2, key_size = 8, value_size = 4, snapshots = 3>, fp32_flops = 2052, special_ops = 210, bytes_read = 904, bytes_written = 848>
  %k0:3 = gpucost.kernel "Mamba2Verify" {
    %r:3 = onnx.Mamba2Verify %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9 {heads = 2 : i64, head_dim = 4 : i64, d_state = 8 : i64, n_groups = 1 : i64} : (tensor<3x34xbf16>, tensor<2x24x3xbf16>, tensor<2x2x8x4xf32>, tensor<24x4xbf16>, tensor<24xbf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<8xf32>, tensor<1xi32>) -> (tensor<3x8xbf16>, tensor<2x24x3xbf16>, tensor<2x2x8x4xf32>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<3x8xbf16>, tensor<2x24x3xbf16>, tensor<2x2x8x4xf32>
  } : tensor<3x8xbf16>, tensor<2x24x3xbf16>, tensor<2x2x8x4xf32>
  return
}

// CHECK-LABEL: func.func @convolution
func.func @convolution(%a0: tensor<6x4xf32>, %a1: tensor<4x1x3xf32>, %a2: tensor<3xi32>, %a3: tensor<2x4x2xf32>, %a4: tensor<4x1x2xf32>, %a5: tensor<2x4x1xf32>, %a6: tensor<6x2x2xf32>, %a7: tensor<6x1xf32>) {
  %none = onnx.None : () -> !onnx.none
  // 24 results of 3 taps (6) and SiLU (3 and 2).
  // CHECK: #gpucost.causal_convolution<batch = 2, length = 3, channels = 4, taps = 3>, fp32_flops = 216, special_ops = 48, bytes_read = 220, bytes_written = 160>
  %k0:2 = gpucost.kernel "VarlenCausalConvWithState" {
    %r:2 = onnx.VarlenCausalConvWithState %a0, %a1, %a2, %none, %a3 {activation = "silu"} : (tensor<6x4xf32>, tensor<4x1x3xf32>, tensor<3xi32>, !onnx.none, tensor<2x4x2xf32>) -> (tensor<6x4xf32>, tensor<2x4x2xf32>)
    gpucost.yield %r#0, %r#1 : tensor<6x4xf32>, tensor<2x4x2xf32>
  } : tensor<6x4xf32>, tensor<2x4x2xf32>
  // Coefficients of each token: two taps (4), two sums and a mask (3).
  // CHECK: fp32_flops = 168,
  %k1:2 = gpucost.kernel "VarlenCausalConvWithState" {
    %r:2 = onnx.VarlenCausalConvWithState %a0, %a4, %a2, %none, %a5, %none, %a6, %a7 {group_size = 2 : i64} : (tensor<6x4xf32>, tensor<4x1x2xf32>, tensor<3xi32>, !onnx.none, tensor<2x4x1xf32>, !onnx.none, tensor<6x2x2xf32>, tensor<6x1xf32>) -> (tensor<6x4xf32>, tensor<2x4x1xf32>)
    gpucost.yield %r#0, %r#1 : tensor<6x4xf32>, tensor<2x4x1xf32>
  } : tensor<6x4xf32>, tensor<2x4x1xf32>
  return
}
