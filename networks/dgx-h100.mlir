// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok dgx-h100
//
// NVIDIA DGX H100 and DGX H200, NDR InfiniBand
// In-network reduction is off unless a job enables it; the fabric is full.

#network = #gpucost.network<
  name = "dgx-h100", gpus = 8, adapters = 8, bandwidth = 50 GBps,
  oversubscription = 1, in_network_reduction = false,
  source = [
    "NVIDIA DGX H100 user guide: 8 ConnectX-7 of 400 Gb/s for the compute network",
    "NVIDIA DGX SuperPOD reference architecture, DGX H100: full fat tree",
    "NVIDIA HPC-X manual, NCCL-RDMA-SHARP plugins: in-network reduction only with the plugin and NCCL_COLLNET_ENABLE=1"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["dgx-h200", "nd-h100-v5"]
} {}
