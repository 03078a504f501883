// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{toy} = gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir
// RUN: %{toy} --gpucost-predict | FileCheck %s --check-prefixes=FREE
// RUN: %{toy} --gpucost-predict=power-limit=15 | FileCheck %s --check-prefix=W15
// RUN: %{toy} --gpucost-predict='clock=400 power-limit=25' | FileCheck %s --check-prefix=LOCKED
// RUN: %{toy} --gpucost-predict='clock=400 power-limit=15' | FileCheck %s --check-prefix=W15
// RUN: %{toy} --gpucost-predict=power-limit=5 | FileCheck %s --check-prefix=W5

// One kernel of 335544320 fp32 FLOPs: 1024 * 256 clocks on 10 SMs at 128 FLOP,
// 262.144 us at 1 GHz. 10 pJ per FLOP are 3.3554 mJ, 100 pJ for each of 6422528
// bytes 0.6423 mJ: 4 mJ, or 15.25 W above 10 W at idle. The limit is 100 W.
// FREE: power = #gpucost.power<average = 25.2{{[0-9]*}} W, energy = 6.6{{[0-9]*}} mJ, clock = 1 GHz>

// The toy voltage is flat: energy stays, power falls with the clock. 15 W leave
// 5 W for 4 mJ: 800 us, 1 GHz * 262.144 / 800 = 328 MHz; the grid of 15 MHz
// steps below 1 GHz has 1000 - 45 * 15. The time is the time at 325 MHz.
// W15: gpucost.scenario = #gpucost.scenario<{{.*}}power_limit = 15 W>
// W15: power = #gpucost.power<average = 14.9{{[0-9]*}} W, energy = 12.06{{[0-9]*}} mJ, clock = 325 MHz, throttled = true>
// W15-SAME: time = #gpucost.time<total = 806.6{{[0-9]*}} us, compute = 806.59{{[0-9]*}} us, {{.*}}dram = 64.22528 us, {{.*}}clock = 325 MHz>

// At a locked clock of 400 MHz the power is 10 W + 4 mJ / 655.36 us = 16.1 W: a
// limit of 25 W has no effect, one of 15 W lowers the clock from there.
// LOCKED: power = #gpucost.power<average = 16.09{{[0-9]*}} W, energy = 10.55{{[0-9]*}} mJ, clock = 400 MHz>
// LOCKED-SAME: time = #gpucost.time<total = 655.3{{[0-9]*}} us, {{.*}}clock = 400 MHz>

// No clock brings 10 W at idle under 5 W: the module has an attribute for this.
// The power is that of the lowest clock of the grid, 1000 - 56 * 15 MHz:
// 10 W + 4 mJ / 1638.4 us = 12.4 W.
// W5: gpucost.limit_unreachable, gpucost.scenario = #gpucost.scenario<power_limit = 5 W>
// W5: power = #gpucost.power<average = 12.4{{[0-9]*}} W, {{.*}}clock = 160 MHz, throttled = true>
func.func @throttle() {
  gpucost.kernel "matmul" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, warps = 8, ctas = 10, waves = 1, sm_utilization = 1>, work = #gpucost.work<family = matmul, format = fp32, problem = #gpucost.matmul<m = 1280, n = 128, k = 1024>, tensor_flops = 335544320, bytes_read = 5767168, bytes_written = 655360>} {
  }
  return
}
