// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok mi300x-8x400
//
// Servers with 8 AMD Instinct MI300X and one 400 Gb/s adapter for each

#network = #gpucost.network<
  name = "mi300x-8x400", gpus = 8, adapters = 8, bandwidth = 50 GBps,
  in_network_reduction = false,
  source = [
    "Azure documentation, ND MI300X v5 series: 8 x 400 Gb/s NDR InfiniBand",
    "hisohara/ai-scripts, RCCL on two such servers with RoCE: bus bandwidth of 357 GB/s"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["nd-mi300x-v5"]
} {}
