// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s -split-input-file -verify-diagnostics

// Sparse peak: twice 10 x 1 GHz x 1024.
// expected-error@+1 {{expected 'peak' of bf16 within 1.5 % of SMs x clock x FLOP/clock/SM = 10.24 TFLOPS, but got 20.48 TFLOPS; state the dense peak}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = bf16, flops_per_clock = 1024, peak = 20.48 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// 1.28 TFLOPS hold at 1 GHz, not at 2 GHz.
// expected-error@+1 {{expected 'peak' of fp32 within 1.5 % of SMs x clock x FLOP/clock/SM = 2.56 TFLOPS, but got 1.28 TFLOPS; state the dense peak}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS,
              clock = 2 GHz>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{ampere has no tensor cores for fp8}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp8, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected one rate of fp32, but got two}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>,
             <format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'formats' to contain fp32}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz, formats = [], memory = "gddr6",
  dram_bandwidth = 100 GBps, dram_capacity = 8 GiB, l2_capacity = 1 MiB,
  l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W, source = ["here"]>
