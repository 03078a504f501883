// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok dgx-b200
//
// NVIDIA DGX B200, NDR InfiniBand
// In-network reduction is off unless a job enables it; the fabric is full.

#network = #gpucost.network<
  name = "dgx-b200", gpus = 8, adapters = 8, bandwidth = 50 GBps,
  oversubscription = 1, in_network_reduction = false,
  source = [
    "NVIDIA DGX B200 datasheet: 8 ConnectX-7 of 400 Gb/s",
    "NVIDIA DGX SuperPOD reference architecture, DGX B200: full fat tree",
    "NVIDIA HPC-X manual, NCCL-RDMA-SHARP plugins: in-network reduction only with the plugin and NCCL_COLLNET_ENABLE=1"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["b200-8x400"]
} {}
