// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stock mlir-opt with the plugin; the dialect entry point by itself is enough.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gpucost-form-kernels,gpucost-annotate-work)' %models/linalg-matmul-chain.mlir | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-form-kernels,gpucost-annotate-work)' %models/linalg-matmul-chain.mlir | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-form-kernels,gpucost-annotate-work)' %models/linalg-conv.mlir | FileCheck %s --check-prefix=CONV

// The pass entry point never sees the dialect registry: a file without linalg
// ops works, linalg ops get a warning.
// RUN: %mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gpucost-form-kernels)' %models/linalg-conv.mlir 2>&1 | FileCheck %s --check-prefix=PASS

// Read: 2 * (512 * 1024 + 1024 * 4096) = 9437184; written in fp32: 4 * 512 * 4096.
// CHECK: gpucost.kernel "matmul" {{.*}}problem = #gpucost.matmul<m = 512, n = 4096, k = 1024>, tensor_flops = 4294967296, bytes_read = 9437184, bytes_written = 8388608>
// An add and a maximum for each of 512 * 4096 elements.
// CHECK: gpucost.kernel "generic" {{.*}}instructions = relu, {{.*}}fp32_flops = 4194304
// CHECK: gpucost.kernel "generic" {{.*}}problem = #gpucost.matmul<m = 512, n = 1024, k = 4096>, tensor_flops = 4294967296, bytes_read = 12582912, bytes_written = 2097152>
// CHECK: gpucost.kernel "generic" {{.*}}instructions = add, {{.*}}fp32_flops = 524288

// CONV: gpucost.kernel "conv_2d_nchw_fchw" {{.*}}stride_height = 2, stride_width = 2>, tensor_flops = 1888223232, bytes_read = 5071968, bytes_written = 25690112>
// CONV: gpucost.kernel "generic" {{.*}}channels_last = true>, tensor_flops = 1849688064, bytes_read = 7036928, bytes_written = 6422528>

// PASS: warning: no op implements 'WorkOpInterface'
