// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole pipeline on Linalg files in several formats, verified by mlir-opt:
// constants follow the tensors' format.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-analyze{target=a100-bf16})' %models/linalg-conv.mlir | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-analyze{target=a100-tf32})' %models/linalg-conv.mlir | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16})' %models/linalg-matmul-chain.mlir | FileCheck %s
// CHECK: gpucost.summary = #gpucost.summary<
// CHECK: gpucost.kernel
