// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok dgx-a100
//
// NVIDIA DGX A100, HDR InfiniBand
// In-network reduction is off unless a job enables it; the fabric is full.

#network = #gpucost.network<
  name = "dgx-a100", gpus = 8, adapters = 8, bandwidth = 25 GBps,
  oversubscription = 1, in_network_reduction = false,
  source = [
    "NVIDIA DGX A100 datasheet: 8 ConnectX-6 of 200 Gb/s for the compute network",
    "NVIDIA DGX SuperPOD reference architecture, DGX A100: full fat tree",
    "NVIDIA HPC-X manual, NCCL-RDMA-SHARP plugins: in-network reduction only with the plugin and NCCL_COLLNET_ENABLE=1"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["nd-a100-v4"]
} {}
