//===- ScheduleFixture.h - A GPU and products to schedule -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_CORE_STUDY_SCHEDULEFIXTURE_H
#define UNITTESTS_CORE_STUDY_SCHEDULEFIXTURE_H

#include "ScheduleCoefficients.h"
#include "StudySets.h"

namespace gpucost::study {

/// An SM with `sharedKiB` of shared memory, all but 1 KiB for one CTA.
inline SmFacts smFacts(int64_t sharedKiB) {
  SmFacts sm;
  sm.registers = 65536;
  sm.sharedMemory = Bytes(sharedKiB * 1024);
  sm.ctaSharedMemory = Bytes((sharedKiB - 1) * 1024);
  sm.reservedSharedMemory = Bytes(1024);
  sm.threads = 2048;
  sm.ctas = 32;
  sm.partitions = 4;
  sm.cacheBytesPerClock = sm.sharedBytesPerClock = 128;
  return sm;
}

/// Matmuls, power and schedules; `l2`: bytes per clock and SM of tensor cores.
inline CostModel scheduleModel(const char *name, double l2,
                               std::optional<SmFacts> sm) {
  Coefficients c;
  c.tensorGemm = tensorGemm(name);
  c.tensorPower = tensorPower();
  c.simtLinear = simtGemm("A100-40", /*linear=*/true);
  c.streaming = streaming();
  c.instructions = instructions();
  c.power = power();
  c.simtSchedule = simtSchedule(47);
  c.tensorSchedule = tensorSchedule(l2);
  Gpu facts = gpu(name);
  facts.sm = sm;
  return model(std::move(facts), std::move(c));
}

inline KernelWork product(int64_t m, int64_t n, int64_t k,
                          NumericFormat format) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = format;
  work.inputBits = work.outputBits = format == NumericFormat::FP32 ? 32 : 16;
  MatmulProblem p;
  p.m = m, p.n = n, p.k = k;
  work.problem = p;
  work.count.tensorFlops = 2 * m * n * k;
  return work;
}

} // namespace gpucost::study

#endif // UNITTESTS_CORE_STUDY_SCHEDULEFIXTURE_H
