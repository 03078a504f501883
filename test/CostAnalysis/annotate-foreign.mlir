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
