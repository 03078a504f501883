// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-context='gpus=4 parallel=cp seq=1024 context=ulysses2.ring2' --verify-each | FileCheck %s
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-context='gpus=4 parallel=cp seq=1024' --verify-each | FileCheck %s --check-prefix=PATCHED
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-context='gpus=4 parallel=cp seq=1024 context=ulysses2.ring2' --gpucost-form-kernels | FileCheck %s --check-prefix=KERNELS

// (X27) The code of xDiT's pipelines for 2 x 2 GPUs. Four all-to-alls with a copy before and after each; keys and values
// are copied into one tensor and back, and appended text to the last of 2 parts. A part is 2 * 512 * 64 * 2 bytes.
// CHECK-LABEL: func.func @pipeline
// CHECK: %[[Q:.*]] = gpucost.copy %arg0 contiguous strided {{.*}} : (tensor<2x333x128xbf16>) -> tensor<2x333x128xbf16>
// All GPUs compute the queries of the text, 77 tokens: 2 * (256 + 77) of them for half of the heads.
// CHECK: gpucost.collective all_to_all(%[[Q]]) {bytes = 170496 : i64, gpucost.origin = "heads of context", world_size = 2 : i64} : (tensor<2x333x128xbf16>) -> tensor<2x666x64xbf16>
// CHECK-COUNT-2: all_to_all({{.*}}) {bytes = 131072 : i64, gpucost.origin = "heads of context", world_size = 2 : i64} : (tensor<2x333x128xbf16>) -> tensor<2x512x64xbf16>
// CHECK: onnx.Attention {{.*}} : (tensor<2x666x64xbf16>, tensor<2x512x64xbf16>, tensor<2x512x64xbf16>) -> tensor<2x666x64xbf16>
// CHECK-COUNT-2: gpucost.collective send_recv({{.*}}) {bytes = 131072 : i64, gpucost.origin = "ring step", world_size = 2 : i64}
// CHECK: %[[SUM:.*]] = gpucost.copy {{.*}} cast {{.*}} -> tensor<2x666x64xf32>
// CHECK-COUNT-2: gpucost.copy {{.*}} : (tensor<2x512x64xbf16>) -> tensor<2x589x64xbf16>
// CHECK: onnx.Attention {{.*}} : (tensor<2x666x64xbf16>, tensor<2x589x64xbf16>, tensor<2x589x64xbf16>) -> tensor<2x666x64xbf16>
// CHECK: gpucost.copy %[[SUM]] contiguous {{.*}} : (tensor<2x666x64xf32>) -> tensor<2x666x64xf32>
// CHECK: gpucost.copy {{.*}} cast {{.*}} -> tensor<2x666x64xbf16>
// CHECK: all_to_all
// CHECK-NEXT: gpucost.copy
// CHECK-NEXT: return
// Each of the 16 copies is a kernel: 8 around all-to-alls, 4 of keys and values, 2 of the text, 2 conversions and a sum.
// KERNELS-LABEL: func.func @pipeline
// KERNELS-COUNT-17: gpucost.kernel "{{contiguous|cast}} copy"
// KERNELS-NOT: gpucost.kernel "{{contiguous|cast}} copy"
// KERNELS-LABEL: func.func @patched
module attributes {context.code = 1 : i64} {
  func.func @pipeline(%q: tensor<2x333x128xbf16>, %k: tensor<2x333x128xbf16>, %v: tensor<2x333x128xbf16>) -> tensor<2x333x128xbf16> {
    %y = onnx.Attention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<2x333x128xbf16>, tensor<2x333x128xbf16>, tensor<2x333x128xbf16>) -> tensor<2x333x128xbf16>
    return %y : tensor<2x333x128xbf16>
  }
}

// -----

// xDiT's function in other pipelines divides cross-attention, too: 128 of 512 tokens of a text on each of 4 GPUs. Without
// all-to-alls it copies nothing around them. All parts are gathered before the second one, 4 * 2 * 128 * 128 * 2 bytes.
// PATCHED-LABEL: func.func @patched
// PATCHED-COUNT-2: gpucost.copy {{.*}} strided {{.*}}
// PATCHED: onnx.Attention {{.*}} : (tensor<2x256x128xbf16>, tensor<2x128x128xbf16>, tensor<2x128x128xbf16>) -> tensor<2x256x128xbf16>
// PATCHED-COUNT-2: gpucost.collective all_gather({{.*}}) {bytes = 262144 : i64, gpucost.origin = "ring step", world_size = 4 : i64}
// PATCHED-NOT: gpucost.collective
// PATCHED-COUNT-6: onnx.Sub
// PATCHED-NOT: onnx.Sub
// PATCHED: return
module attributes {context.code = 2 : i64} {
  func.func @patched(%q: tensor<2x256x128xbf16>, %k: tensor<2x512x128xbf16>, %v: tensor<2x512x128xbf16>) -> tensor<2x256x128xbf16> {
    %y = onnx.Attention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<2x256x128xbf16>, tensor<2x512x128xbf16>, tensor<2x512x128xbf16>) -> tensor<2x256x128xbf16>
    return %y : tensor<2x256x128xbf16>
  }
}
