// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind="past:10,seq:7,odd-name 2:3,x.1:5"' | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind="past:10,seq:7,past+seq:9,odd-name 2:3,x.1:5"' | FileCheck %s --check-prefix=EXACT
// A dimension name is an expression only if all of its names are dimensions.

// past + seq = 17; (seq - 1)//4 + 1 = 2; 16*past = 160; 80 is itself.
// CHECK: func.func @main(%{{.*}}: tensor<10x7xf32> {{.*}}, %{{.*}}: tensor<17x2x160xf32>
// CHECK-SAME: %{{.*}}: tensor<3x5x80xf32>
// A binding of the whole name wins: 9.
// EXACT: func.func @main(%{{.*}}: tensor<10x7xf32> {{.*}}, %{{.*}}: tensor<9x2x160xf32>
func.func @main(%a: tensor<?x?xf32> {onnx.name = "a", onnx.dims = ["past", "seq"]},
    %b: tensor<?x?x?xf32> {onnx.name = "b",
                           onnx.dims = ["past+seq", "(seq - 1)//4 + 1", "16*past"]},
    %x: tensor<?x?x?xf32> {onnx.name = "x", onnx.dims = ["odd-name 2", "", "80"]})
    -> !onnx.unknown {
  %0 = onnx.Relu %a : (tensor<?x?xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
