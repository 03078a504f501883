// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{run} = gpu-cost-opt %s --target=a100-fp16 --precision-mode=as-is --decode --past=6 --batch=2
// RUN: %{run} --bind=encoder_sequence:5 --emit=ir | FileCheck %s
// RUN: %{run} --bind=encoder_sequence:5 --emit=ir | FileCheck %s --check-prefix=NONE
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: %{run} --bind=encoder_sequence:5 --report=json | FileCheck %s --check-prefix=WEIGHTS

// (K4) 2 sequences, 2 heads of 8 channels; the encoder has 5 tokens, the decoder 6 in its cache and 1 new. Q, K and V
// of the new tokens, and Q of the cross attention: 2 * 2 * 16 * 16 = 1024 FLOP each. The keys and values of the
// encoder are inputs: 2 * 5 * 16 * 2 = 320 bytes each.
// CHECK: func.func @main({{.*}}: tensor<2x2x6x8xf16> {onnx.name = "past_key_values.0.key"}, {{.*}}: tensor<2x2x6x8xf16> {onnx.name = "past_key_values.0.value"}, {{.*}}: tensor<2x5x16xf16> {onnx.name = "past_key_values.0.encoder.key"}, {{.*}}: tensor<2x5x16xf16> {onnx.name = "past_key_values.0.encoder.value"}) -> (tensor<2x1x16xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>)
// CHECK-SAME: onnx.output_names = ["y", "present.0.key", "present.0.value"]
// CHECK-COUNT-3: kernel "MatMul" {{.*}}tensor_flops = 1024
// CHECK: kernel "FusedAttention" {{.*}}query_length = 1, kv_length = 7, head_dim = 8, causal = true{{.*}}tensor_flops = 896
// CHECK: kernel "MatMul" {{.*}}tensor_flops = 1024
// 4 * 2 * 2 * 5 * 8 FLOP; queries 64 bytes, keys and values 640.
// CHECK: kernel "Attention" {{.*}}query_length = 1, kv_length = 5, head_dim = 8{{.*}}tensor_flops = 640{{.*}}bytes_read = 704, bytes_written = 64>
// NONE-COUNT-4: kernel "MatMul"
// NONE-NOT: kernel "MatMul"
// LENGTH: error: --decode: symbolic dimension 'encoder_sequence' of input 'input_features' has no value; set it with --bind='encoder_sequence:<n>'
// RUN: sed -e s/source/sequence/ %s > %t.mlir && not gpu-cost-opt %t.mlir --target=a100-fp16 --decode --past=6 --batch=2 2>&1 | FileCheck %s --check-prefix=TIED
// TIED: error: --decode: the lengths of encoder and decoder have one name in the file
// The weights of the encoder and its keys and values stay on the GPU: 9 matrices with 16 * 16 elements.
// WEIGHTS: "parameter_bytes": 4608
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x?x16xf16> {onnx.dims = ["batch", "source", ""], onnx.name = "input_features"}, %y: tensor<?x?x16xf16> {onnx.dims = ["batch", "sequence", ""], onnx.name = "decoder_inputs_embeds"}) -> (!onnx.unknown, !onnx.unknown) attributes {onnx.output_names = ["y", "encoder_last_hidden_state"]} {
    %we = onnx.Parameter {name = "enc.q"} : () -> tensor<16x16xf16>
    %wf = onnx.Parameter {name = "enc.k"} : () -> tensor<16x16xf16>
    %wg = onnx.Parameter {name = "enc.v"} : () -> tensor<16x16xf16>
    %wq = onnx.Parameter {name = "q"} : () -> tensor<16x16xf16>
    %wk = onnx.Parameter {name = "k"} : () -> tensor<16x16xf16>
    %wv = onnx.Parameter {name = "v"} : () -> tensor<16x16xf16>
    %wa = onnx.Parameter {name = "cross.q"} : () -> tensor<16x16xf16>
    %wb = onnx.Parameter {name = "cross.k"} : () -> tensor<16x16xf16>
    %wc = onnx.Parameter {name = "cross.v"} : () -> tensor<16x16xf16>
    %eq = onnx.MatMul %x, %we : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %ek = onnx.MatMul %x, %wf : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %ev = onnx.MatMul %x, %wg : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %e = onnx.Attention %eq, %ek, %ev {q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %q = onnx.MatMul %y, %wq : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %k = onnx.MatMul %y, %wk : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %v = onnx.MatMul %y, %wv : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %s = onnx.Attention %q, %k, %v {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %cq = onnx.MatMul %s, %wa : (!onnx.unknown, tensor<16x16xf16>) -> !onnx.unknown
    %ck = onnx.MatMul %e, %wb : (!onnx.unknown, tensor<16x16xf16>) -> !onnx.unknown
    %cv = onnx.MatMul %e, %wc : (!onnx.unknown, tensor<16x16xf16>) -> !onnx.unknown
    %c = onnx.Attention %cq, %ck, %cv {q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %c, %e : !onnx.unknown, !onnx.unknown
  }
}
