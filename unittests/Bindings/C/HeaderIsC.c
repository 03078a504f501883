/*===- HeaderIsC.c - The header is plain C11
-------------------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "gpucost-c/gpucost-mlir.h"
#include "gpucost-c/gpucost.h"

/* An ABI: sizes that later versions may only add to. */
_Static_assert(sizeof(gpucostKernel) == 144, "16 + 16 * 8");
_Static_assert(sizeof(gpucostQuery) == 72, "8 + 7 * 8 + 8");
_Static_assert(sizeof(gpucostCost) == 192, "8 + 9 * 8 + 2 * 8 + 5 * 8 + 4 * 4 "
                                           "+ 3 * 8 + 4 * 4");
_Static_assert(sizeof(gpucostSchedule) == 72, "18 * 4");
_Static_assert(sizeof(gpucostScheduleCost) == 576,
               "8 + 72 + 192 + 5 * 8 + 8 + 256");
_Static_assert(offsetof(gpucostRun, step_gap) == 32, "size of version 1");

/* Structs of reports, whose members utils/python_bindings.py places: the
   offsets of version 1. */
#define AT(type, member, offset)                                               \
  _Static_assert(offsetof(type, member) == (offset), #type "." #member)
AT(gpucostTotals, size, 0);
AT(gpucostTotals, bound, 4);
AT(gpucostTotals, time, 8);
AT(gpucostTotals, gpu_busy, 16);
AT(gpucostTotals, host, 24);
AT(gpucostTotals, energy, 32);
AT(gpucostTotals, power, 40);
AT(gpucostTotals, power_limit, 48);
AT(gpucostTotals, clock, 56);
AT(gpucostTotals, time_half_width, 64);
AT(gpucostTotals, power_half_width, 72);
AT(gpucostTotals, energy_half_width, 80);
AT(gpucostTotals, calibrated_fraction, 88);
AT(gpucostTotals, mfu, 96);
AT(gpucostTotals, matrix_flops, 104);
AT(gpucostTotals, other_flops, 112);
AT(gpucostTotals, dram_bytes, 120);
AT(gpucostTotals, compulsory_bytes, 128);
AT(gpucostTotals, communication, 136);
AT(gpucostTotals, exposed_communication, 144);
AT(gpucostTotals, launches, 152);
AT(gpucostTotals, samples, 160);
AT(gpucostTotals, tokens, 168);
AT(gpucostTotals, parameter_bytes, 176);
AT(gpucostTotals, gradient_bytes, 184);
AT(gpucostTotals, optimizer_bytes, 192);
AT(gpucostTotals, activation_bytes, 200);
AT(gpucostTotals, workspace_bytes, 208);
AT(gpucostTotals, peak_bytes, 216);
AT(gpucostTotals, allocated_bytes, 224);
AT(gpucostTotals, reserved_bytes, 232);
AT(gpucostTotals, device_bytes, 240);
AT(gpucostTotals, device_low_bytes, 248);
AT(gpucostTotals, device_high_bytes, 256);
AT(gpucostTotals, memory_capacity, 264);
AT(gpucostTotals, fits_in_memory, 272);
AT(gpucostTotals, throttled, 276);
AT(gpucostTotals, limit_unreachable, 280);
AT(gpucostTotals, lower_bound, 284);
AT(gpucostTotals, world_size, 288);
AT(gpucostTotals, phase_count, 292);
AT(gpucostTotals, kernel_count, 296);
AT(gpucostTotals, reserved, 300);
AT(gpucostPhaseTotals, size, 0);
AT(gpucostPhaseTotals, phase, 4);
AT(gpucostPhaseTotals, time, 8);
AT(gpucostPhaseTotals, gpu_busy, 16);
AT(gpucostPhaseTotals, host, 24);
AT(gpucostPhaseTotals, kernel_time, 32);
AT(gpucostPhaseTotals, energy, 40);
AT(gpucostPhaseTotals, kernels, 48);
AT(gpucostPhaseTotals, flops, 56);
AT(gpucostPhaseTotals, bytes, 64);
AT(gpucostKernelRow, size, 0);
AT(gpucostKernelRow, family, 4);
AT(gpucostKernelRow, name, 8);
AT(gpucostKernelRow, label, 16);
AT(gpucostKernelRow, op, 24);
AT(gpucostKernelRow, shape, 32);
AT(gpucostKernelRow, origin, 40);
AT(gpucostKernelRow, phase, 48);
AT(gpucostKernelRow, format, 52);
AT(gpucostKernelRow, coverage, 56);
AT(gpucostKernelRow, reserved, 60);
AT(gpucostKernelRow, count, 64);
AT(gpucostKernelRow, cost, 72);
#undef AT

/* Calls from C what the C++ tests compare with. */
gpucostStatus estimateFromC(const gpucostModel *model, int64_t m, int64_t n,
                            int64_t k, double *seconds);
gpucostStatus estimateFromC(const gpucostModel *model, int64_t m, int64_t n,
                            int64_t k, double *seconds) {
  gpucostKernel kernel;
  gpucostCost cost;
  gpucostStatus status;
  GPUCOST_INIT(kernel);
  GPUCOST_INIT(cost);
  kernel.family = GPUCOST_MATMUL;
  kernel.problem.matmul.m = m;
  kernel.problem.matmul.n = n;
  kernel.problem.matmul.k = k;
  status = gpucostEstimate(model, &kernel, NULL, &cost);
  if (status == GPUCOST_OK)
    *seconds = cost.time;
  return status;
}
