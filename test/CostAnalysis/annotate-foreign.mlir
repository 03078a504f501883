// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --allow-unregistered-dialect --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-annotate{target-file=%examples/a100.mlir})' %s | FileCheck %s

// Symbols of other dialects cost nothing; the functions in them are annotated.
// CHECK-LABEL: "flow.executable"
// CHECK: func.func @in_executable
// CHECK-SAME: launches = 1>
// CHECK: linalg.add {gpucost.cost
// CHECK: }) : () -> ()
"flow.executable"() <{sym_name = "executable"}> ({
  builtin.module {
    func.func @in_executable(%x: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
      %s = linalg.add ins(%x, %x : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
          outs(%x : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
      return %s : tensor<2048x4096xbf16>
    }
  }
  "flow.executable_end"() : () -> ()
}) : () -> ()

// Ops without tensors and lookups of buffers neither, and their function is free.
// CHECK-LABEL: func.func @lookups(%{{.*}}: index) -> index {
// CHECK-NOT: gpucost.cost
// CHECK: return
func.func @lookups(%n: index) -> index {
  "hal.device.wait"(%n) : (index) -> ()
  %b = "hal.interface.binding.subspan"(%n) : (index) -> memref<512x1024xbf16>
  return %n : index
}

// A function of a dialect that is not registered is a function: its matmul of widened operands runs on tensor cores, in one launch.
// CHECK-LABEL: "util.func"
// CHECK-NOT: linalg.generic {{.*}}gpucost.cost
// CHECK: linalg.matmul {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 33.37 us
// CHECK-SAME: launches = 1>
#all = affine_map<(i, j) -> (i, j)>
"util.func"() <{function_type = (tensor<512x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<512x4096xf32>, sym_name = "foreign"}> ({
^bb0(%a: tensor<512x1024xbf16>, %b: tensor<1024x4096xbf16>):
  %zero = arith.constant 0.0 : f32
  %at = tensor.empty() : tensor<512x1024xf32>
  %bt = tensor.empty() : tensor<1024x4096xf32>
  %ct = tensor.empty() : tensor<512x4096xf32>
  %wa = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x1024xbf16>) outs(%at : tensor<512x1024xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<512x1024xf32>
  %wb = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<1024x4096xbf16>) outs(%bt : tensor<1024x4096xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<1024x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ct : tensor<512x4096xf32>) -> tensor<512x4096xf32>
  %p = linalg.matmul ins(%wa, %wb : tensor<512x1024xf32>, tensor<1024x4096xf32>)
      outs(%f : tensor<512x4096xf32>) -> tensor<512x4096xf32>
  "util.return"(%p) : (tensor<512x4096xf32>) -> ()
}) : () -> ()
