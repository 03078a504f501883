// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok frontier
//
// Frontier: 4 MI250X per node, Slingshot 11
// A GPU is an MI250X of two dies. The taper of the dragonfly between groups is not
// stated.

#network = #gpucost.network<
  name = "frontier", gpus = 4, adapters = 4, bandwidth = 25 GBps,
  in_network_reduction = false,
  source = [
    "OLCF Frontier user guide: 4 MI250X and 4 Slingshot adapters of 200 Gb/s per node"]>

module attributes {
  gpucost.network = #network,
  gpucost.aliases = ["slingshot-4x200"]
} {}
