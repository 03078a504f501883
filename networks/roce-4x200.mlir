// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok roce-4x200
//
// Servers with 8 GPUs that share 4 adapters of 200 Gb/s, RoCE or HDR InfiniBand

#network = #gpucost.network<
  name = "roce-4x200", gpus = 8, adapters = 4, bandwidth = 25 GBps,
  in_network_reduction = false,
  source = [
    "NVIDIA/nccl-tests issue 119: two servers with 4 adapters of 200 Gb/s, 96 of 100 GB/s measured"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["hdr-4x200"]
} {}
