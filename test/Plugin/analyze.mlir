// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole pipeline on a named target, in a stock mlir-opt.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-analyze{target=a100-bf16})' %models/linalg-matmul-chain.mlir | FileCheck %s

// Two matmuls and two elementwise kernels; 2 * 4294967296 matrix FLOPs.
// CHECK: gpucost.summary = #gpucost.summary<
// CHECK-SAME: kernels = 4, flops = 8589934592,
// CHECK: gpucost.kernel "matmul" {{.*}}tiling = #gpucost.tiling<{{.*}}time = #gpucost.time<
