// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What upstream's passes leave of convolutions.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops),linalg-fold-unit-extent-dims,canonicalize,func.func(gpucost-annotate{target-file=%examples/a100.mlir}))' %s | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(func.func(gpucost-annotate{target-file=%examples/a100.mlir}))' %s | FileCheck %s --check-prefix=NAMED

// Windows of one element, two pixels apart: without loops over the windows it is still a convolution, with the same time.
// NAMED-LABEL: func.func @strided
// NAMED: linalg.conv_2d_nhwc_hwcf {{.*}}coverage = modelled, time = 67.95 us
// CHECK-LABEL: func.func @strided
// CHECK-NOT: linalg.conv
// CHECK: linalg.generic {{.*}}coverage = modelled, time = 67.95 us
func.func @strided(%i: tensor<32x56x56x256xbf16>, %w: tensor<1x1x256x512xbf16>) -> tensor<32x28x28x512xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<32x28x28x512xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<32x28x28x512xbf16>) -> tensor<32x28x28x512xbf16>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%i, %w : tensor<32x56x56x256xbf16>, tensor<1x1x256x512xbf16>) outs(%f : tensor<32x28x28x512xbf16>) -> tensor<32x28x28x512xbf16>
  return %c : tensor<32x28x28x512xbf16>
}

// A fill in front of a reshape only starts the sums.
// NAMED-LABEL: func.func @reshaped
// NAMED-SAME: launches = 1>
func.func @reshaped(%a: tensor<32x784x2304xbf16>, %b: tensor<2304x256xbf16>) -> tensor<32x784x256xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<32x28x28x256xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<32x28x28x256xbf16>) -> tensor<32x28x28x256xbf16>
  %r = tensor.collapse_shape %f [[0], [1, 2], [3]] : tensor<32x28x28x256xbf16> into tensor<32x784x256xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(n, m, f, k) -> (n, m, k)>, affine_map<(n, m, f, k) -> (k, f)>, affine_map<(n, m, f, k) -> (n, m, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<32x784x2304xbf16>, tensor<2304x256xbf16>) outs(%r : tensor<32x784x256xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %m = arith.mulf %x, %y : bf16
    %s = arith.addf %o, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<32x784x256xbf16>
  return %p : tensor<32x784x256xbf16>
}
