// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s -split-input-file -verify-diagnostics

// Invalid facts.
// expected-error@+1 {{expected 'name' in lower case, but got 'X'}}
#bad = #gpucost.gpu<
  name = "X", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'sms' above 0, but got 0}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 0, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'dram_bandwidth' above 0, but got 0}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 0 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'power_limit' above 0, but got 0}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 0 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'max_clock' of at least 'boost_clock'}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 900 MHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'base_clock' above 0 and at most 'boost_clock'}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"], base_clock = 2 GHz>

// -----

// expected-error@+1 {{expected 'l2_capacity' below 'dram_capacity'}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 9 GiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// expected-error@+1 {{expected 'reported_memory' of at most 'dram_capacity'}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB, reported_memory = 9 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  source = ["here"]>

// -----

// A fact needs a source.
// expected-error@+1 {{expected 'source' to list the documents that state these facts}}
#bad = #gpucost.gpu<
  name = "x", die = "D", architecture = ampere, process = "tsmc_n7", sms = 10, special_per_clock = 16,
  boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W, source = []>
