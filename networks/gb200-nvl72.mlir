// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok gb200-nvl72
//
// NVIDIA GB200 NVL72: 18 trays of 4 GPUs that NVLink 5 joins
// A node is a rack. In-network reduction is off unless a job enables it; the fabric is full.

#network = #gpucost.network<
  name = "gb200-nvl72", gpus = 72, adapters = 72, bandwidth = 50 GBps,
  oversubscription = 1, in_network_reduction = false,
  source = [
    "NVIDIA DGX GB200 user guide: 72 GPUs of a rack in one NVLink domain, 4 per tray, each tray with 4 ConnectX-7 of 400 Gb/s",
    "NVIDIA DGX SuperPOD reference architecture, DGX GB200: full fat tree",
    "NVIDIA HPC-X manual, NCCL-RDMA-SHARP plugins: in-network reduction only with the plugin and NCCL_COLLNET_ENABLE=1"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["dgx-gb200", "nvl72"],
  gpucost.coefficients_from = "gb200-nvl72"
} {}
