// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// DEFINE: %{run} = gpu-cost-opt --target=a100-fp16 --precision-mode=as-is
// RUN: %{run} %t/concat.mlir --emit=ir | FileCheck %s --check-prefix=CONCAT
// RUN: %{run} %t/concat.mlir --kv-cache=in-place --emit=ir | FileCheck %s --check-prefix=INPLACE
// RUN: %{run} %t/concat.mlir --kv-cache=paged --kv-block=4 --emit=ir | FileCheck %s --check-prefix=PAGED
// RUN: %{run} %t/concat.mlir --report=json | FileCheck %s --check-prefix=TWO
// RUN: %{run} %t/concat.mlir --kv-cache=in-place --report=json | FileCheck %s --check-prefix=ONE
// RUN: %{run} %t/group.mlir --emit=ir | FileCheck %s --check-prefix=GROUP-CONCAT
// RUN: %{run} %t/group.mlir --kv-cache=in-place --emit=ir | FileCheck %s --check-prefix=GROUP-INPLACE
// RUN: %{run} %t/group.mlir --kv-cache=paged --kv-block=4 --emit=ir | FileCheck %s --check-prefix=GROUP-PAGED
// RUN: %{run} %t/joint.mlir --kv-cache=in-place --emit=ir | FileCheck %s --check-prefix=JOINT
// RUN: %{run} %t/scatter.mlir --emit=ir | FileCheck %s --check-prefix=SCATTER
// RUN: %{run} %t/scatter.mlir --report=json | FileCheck %s --check-prefix=SCATTER-MEMORY
// RUN: not %{run} %t/concat.mlir --kv-cache=magic 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// RUN: not %{run} %t/concat.mlir --kv-block=4 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not %{run} %t/concat.mlir --kv-cache=paged --mode=training 2>&1 | FileCheck %s --check-prefix=TRAINING

// UNKNOWN: magic
// BLOCK: error: --kv-block needs --kv-cache=paged
// TRAINING: error: --kv-cache=paged needs --mode=inference

// (K1) 2 sequences, 2 heads of 8 channels, 6 past tokens and 1 new: past 2*2*6*8*2 = 384
// bytes, new 64, present 448. A copy reads and writes all.
// CONCAT-COUNT-2: kernel "Concat" {{.*}}bytes_read = 448, bytes_written = 448>
// CONCAT: kernel "Attention" {{.*}}kv_length = 7
// INPLACE-COUNT-2: kernel "Insert" {{.*}}bytes_read = 64, bytes_written = 64>
// Attention reads Q 64, K 448, V 448.
// INPLACE: kernel "Attention" {{.*}}kv_length = 7{{.*}}bytes_read = 960, bytes_written = 64>
// (K2) and a table with 2 * ceil(7/4) 4-byte entries.
// PAGED-COUNT-2: kernel "Insert" {{.*}}bytes_read = 64, bytes_written = 64>
// PAGED: kernel "Attention" {{.*}}bytes_read = 976, bytes_written = 64>

// Inputs Q, K, V 3 * 64 and past 2 * 384, presents 2 * 448, result 64.
// TWO: "activation_bytes": 1920,
// TWO: "768 bytes of past keys and values are copied, as in the file; --kv-cache=in-place writes only the new ones"
// One 448-byte buffer for each pair of past and present.
// ONE: "activation_bytes": 1152,
// ONE-NOT: past keys

// The same as one op; its result is [2, 1, 2 * 8].
// GROUP-CONCAT-COUNT-2: kernel "Concat" {{.*}}bytes_read = 448, bytes_written = 448>
// GROUP-CONCAT: kernel "FusedAttention"
// Q, K, V 192, past 768 in; result 64 and 2 * 64 new out.
// GROUP-INPLACE-NOT: kernel "Concat"
// GROUP-INPLACE: kernel "GroupQueryAttention" {{.*}}kv_length = 7{{.*}}bytes_read = 960, bytes_written = 192>
// GROUP-PAGED: kernel "GroupQueryAttention" {{.*}}bytes_read = 976, bytes_written = 192>

// The first form of com.microsoft keeps both in one tensor.
// JOINT-COUNT-2: kernel "Insert" {{.*}}bytes_read = 64, bytes_written = 64>
// JOINT-NOT: kernel "Concat"
// JOINT: kernel "FusedAttention" {{.*}}kv_length = 7

// (K1) TensorScatter writes 64 bytes (and reads 16 bytes of positions) into the buffer
// of its operand with every setting: 448 + update 64 + positions 16.
// SCATTER: kernel "TensorScatter" {{.*}}bytes_read = 80, bytes_written = 64>
// SCATTER-MEMORY: "activation_bytes": 528,

//--- concat.mlir
func.func @main(%q: tensor<2x2x1x8xf16>, %k: tensor<2x2x1x8xf16>, %v: tensor<2x2x1x8xf16>, %pk: tensor<2x2x6x8xf16>, %pv: tensor<2x2x6x8xf16>)
    -> (tensor<2x2x1x8xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>) {
  %0 = onnx.Concat %pk, %k {axis = 2 : i64} : (tensor<2x2x6x8xf16>, tensor<2x2x1x8xf16>) -> tensor<2x2x7x8xf16>
  %1 = onnx.Concat %pv, %v {axis = 2 : i64} : (tensor<2x2x6x8xf16>, tensor<2x2x1x8xf16>) -> tensor<2x2x7x8xf16>
  %2 = onnx.Attention %q, %0, %1 : (tensor<2x2x1x8xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>) -> tensor<2x2x1x8xf16>
  return %2, %0, %1 : tensor<2x2x1x8xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>
}

//--- group.mlir
func.func @main(%q: tensor<2x1x16xf16>, %k: tensor<2x1x16xf16>, %v: tensor<2x1x16xf16>, %pk: tensor<2x2x6x8xf16>, %pv: tensor<2x2x6x8xf16>)
    -> (tensor<2x1x16xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>) {
  %0:3 = onnx.GroupQueryAttention %q, %k, %v, %pk, %pv {num_heads = 2 : i64, kv_num_heads = 2 : i64} : (tensor<2x1x16xf16>, tensor<2x1x16xf16>, tensor<2x1x16xf16>, tensor<2x2x6x8xf16>, tensor<2x2x6x8xf16>) -> (tensor<2x1x16xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x16xf16>, tensor<2x2x7x8xf16>, tensor<2x2x7x8xf16>
}

//--- joint.mlir
func.func @main(%x: tensor<2x1x32xf16>, %past: tensor<2x2x2x6x8xf16>) -> (tensor<2x1x16xf16>, tensor<2x2x2x7x8xf16>) {
  %w = onnx.Parameter : () -> tensor<32x48xf16>
  %b = onnx.Parameter : () -> tensor<48xf16>
  %none = onnx.None : () -> !onnx.none
  %0:2 = onnx.ContribAttention %x, %w, %b, %none, %past {num_heads = 2 : i64, unidirectional = 1 : i64} : (tensor<2x1x32xf16>, tensor<32x48xf16>, tensor<48xf16>, !onnx.none, tensor<2x2x2x6x8xf16>) -> (tensor<2x1x16xf16>, tensor<2x2x2x7x8xf16>)
  return %0#0, %0#1 : tensor<2x1x16xf16>, tensor<2x2x2x7x8xf16>
}

//--- scatter.mlir
func.func @main(%cache: tensor<2x2x7x8xf16>, %k: tensor<2x2x1x8xf16>, %at: tensor<2xi64>) -> tensor<2x2x7x8xf16> {
  %0 = onnx.TensorScatter %cache, %k, %at {axis = 2 : i64} : (tensor<2x2x7x8xf16>, tensor<2x2x1x8xf16>, tensor<2xi64>) -> tensor<2x2x7x8xf16>
  return %0 : tensor<2x2x7x8xf16>
}
