//===- Streaming.h - Memory-bound kernels -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DRAM, L2, issue and row terms of a kernel that streams its operands,
// equations (M1)-(M5) of docs/CostModel.md. A family describes itself as a
// `Stream`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_STREAMING_H
#define GPUCOST_LIB_CORE_MODEL_STREAMING_H

#include "gpucost/Core/Model/KernelFamily.h"

namespace gpucost {

/// Totals of one launch.
struct Stream {
  double readBytes = 0, writeBytes = 0;
  double issueSlots = 0;   ///< for the time
  double instructions = 0; ///< thread instructions, for the energy
  /// Second pass over the input: its bytes, the bytes of all rows that one SM
  /// works on at a time, and the share that the second pass finds in registers.
  double rereadBytes = 0, inFlightBytes = 0, keptFraction = 0;
  double rowCycles = 0; ///< SM cycles of per-row work
  double smCycles = 0;  ///< least, whatever bounds them (C5), (M13) to (M16)
  double channelAccesses = 0; ///< elements read and written per channel (M10)
  double channelCtas = 0; ///< CTAs that share them; 0: enough to fill the GPU
  double slowdown = 1;    ///< of DRAM and L2 with few CTAs (M11)
  /// Arithmetic that the instruction classes do not include.
  double fp32Flops = 0, specialOps = 0;
  /// Bytes that count for the energy where they differ from read + written.
  std::optional<double> energyBytes;
};

/// Bytes as counted by the caller.
Stream streamOf(const KernelWork &work);

/// The instruction class of `work`; `fallback` if the work states none.
InstructionClass classOf(const KernelWork &work, InstructionClass fallback);

/// Issue slots and instructions of `elements` items of class `kind`.
void countInstructions(const CostModel &model, const StreamingCoefficients &c,
                       InstructionClass kind, double elements, bool strided,
                       const KernelQuery &query, Stream &stream);

/// (M5) SM cycles of the reductions of `rows` rows: `first` for each row and
/// `step` for each step of its loop.
double rowCycles(double rows, double columns, double first, double step,
                 Steps *steps);

/// (M11) Slowdown of DRAM and L2 with `ctas` CTAs, relative to a full GPU; each
/// of `operands` is read in elements of `elementBytes`. 1 if SM facts, the
/// memory latency or the loads in flight are unknown.
double fewCtasSlowdown(const CostModel &model, double ctas, double elementBytes,
                       double operands, Steps *steps);

/// Inside a network, all data of neighbouring kernels is still in L2 as long as
/// a kernel's bytes fit. A query may state other bytes touched in between.
double footprintOf(double bytes, const KernelQuery &query);

LaunchTerms streamTerms(const CostModel &model, const StreamingCoefficients &c,
                        const Stream &stream, const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_STREAMING_H
