// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three layers with a KV cache; the first attends to 256 keys, the second to 600, the third to all.
module attributes {onnx.opsets = {ai.onnx = 21 : i64, com.microsoft = 1 : i64}} {
  func.func @main(%ids: tensor<?x?xi64> {onnx.dims = ["batch", "sequence"], onnx.name = "input_ids"}, %mask: tensor<?x?xi64> {onnx.dims = ["batch", "total_sequence_length"], onnx.name = "attention_mask"}, %k0: tensor<?x2x?x64xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past_key_values.0.key"}, %v0: tensor<?x2x?x64xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past_key_values.0.value"}, %k1: tensor<?x2x?x64xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past_key_values.1.key"}, %v1: tensor<?x2x?x64xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past_key_values.1.value"}, %k2: tensor<?x2x?x64xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past_key_values.2.key"}, %v2: tensor<?x2x?x64xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past_key_values.2.value"}) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) attributes {onnx.output_names = ["logits", "present.0.key", "present.0.value", "present.1.key", "present.1.value", "present.2.key", "present.2.value"]} {
    %none = onnx.None : () -> !onnx.none
    %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
    %emb = onnx.Parameter {name = "emb"} : () -> tensor<32000x512xf16>
    %sum = onnx.ReduceSum %mask, %one {keepdims = 0 : i64} : (tensor<?x?xi64>, tensor<1xi64>) -> !onnx.unknown
    %less = onnx.Sub %sum, %one : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %lens = onnx.Cast %less {to = 6 : i64} : (!onnx.unknown) -> !onnx.unknown
    %shape = onnx.Shape %mask : (tensor<?x?xi64>) -> !onnx.unknown
    %length = onnx.Gather %shape, %one : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %total = onnx.Cast %length {to = 6 : i64} : (!onnx.unknown) -> !onnx.unknown
    %x0 = onnx.Gather %emb, %ids : (tensor<32000x512xf16>, tensor<?x?xi64>) -> !onnx.unknown
    %wq0 = onnx.Parameter {name = "q0"} : () -> tensor<512x768xf16>
    %q0 = onnx.MatMul %x0, %wq0 : (!onnx.unknown, tensor<512x768xf16>) -> !onnx.unknown
    %a0:3 = onnx.GroupQueryAttention %q0, %none, %none, %k0, %v0, %lens, %total {kv_num_heads = 2 : i64, num_heads = 8 : i64, local_window_size = 256 : i64} : (!onnx.unknown, !onnx.none, !onnx.none, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>, !onnx.unknown, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %wo0 = onnx.Parameter {name = "o0"} : () -> tensor<512x512xf16>
    %x1 = onnx.MatMul %a0#0, %wo0 : (!onnx.unknown, tensor<512x512xf16>) -> !onnx.unknown
    %wq1 = onnx.Parameter {name = "q1"} : () -> tensor<512x768xf16>
    %q1 = onnx.MatMul %x1, %wq1 : (!onnx.unknown, tensor<512x768xf16>) -> !onnx.unknown
    %a1:3 = onnx.GroupQueryAttention %q1, %none, %none, %k1, %v1, %lens, %total {kv_num_heads = 2 : i64, num_heads = 8 : i64, local_window_size = 600 : i64} : (!onnx.unknown, !onnx.none, !onnx.none, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>, !onnx.unknown, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %wo1 = onnx.Parameter {name = "o1"} : () -> tensor<512x512xf16>
    %x2 = onnx.MatMul %a1#0, %wo1 : (!onnx.unknown, tensor<512x512xf16>) -> !onnx.unknown
    %wq2 = onnx.Parameter {name = "q2"} : () -> tensor<512x768xf16>
    %q2 = onnx.MatMul %x2, %wq2 : (!onnx.unknown, tensor<512x768xf16>) -> !onnx.unknown
    %a2:3 = onnx.GroupQueryAttention %q2, %none, %none, %k2, %v2, %lens, %total {kv_num_heads = 2 : i64, num_heads = 8 : i64} : (!onnx.unknown, !onnx.none, !onnx.none, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>, !onnx.unknown, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %wo2 = onnx.Parameter {name = "o2"} : () -> tensor<512x512xf16>
    %x3 = onnx.MatMul %a2#0, %wo2 : (!onnx.unknown, tensor<512x512xf16>) -> !onnx.unknown
    %head = onnx.Parameter {name = "head"} : () -> tensor<512x32000xf16>
    %y = onnx.MatMul %x3, %head : (!onnx.unknown, tensor<512x32000xf16>) -> !onnx.unknown
    return %y, %a0#1, %a0#2, %a1#1, %a1#2, %a2#1, %a2#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
