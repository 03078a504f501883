// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok jean-zay
//
// Jean Zay, A100 partition (BLOOM): 4 Omni-Path links per server

#network = #gpucost.network<
  name = "jean-zay", gpus = 8, adapters = 4, bandwidth = 12.5 GBps,
  in_network_reduction = false,
  source = [
    "bigscience-workshop/bigscience, train/tr11-176B-ml/README.md: 8 A100 with 4 Omni-Path links of 100 Gb/s per node"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["omni-path-4x100"]
} {}
