//===- IterationReport.h - The answer, as plain data ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything the reports print about one iteration, without IR. Filled once by
// PlacedModel; writers format it and compute nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_REPORT_ITERATIONREPORT_H
#define GPUCOST_REPORT_ITERATIONREPORT_H

#include "gpucost/Model/ErrorBars.h"
#include "gpucost/Report/IterationDetails.h"
#include "gpucost/Report/RunCost.h"
#include "gpucost/Scenario/Scenario.h"
#include "gpucost/Support/Quantity.h"
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// One row of the kernel table: `count` identical launches of one op kind.
struct KernelRow {
  std::string name;  ///< name of the first ONNX node (or op location)
  std::string label; ///< what is launched: "gemm", "softmax", "copy", ...
  std::string op;    ///< op it came from, e.g. "onnx.MatMul"
  KernelFamily family = KernelFamily::Opaque;
  Phase phase = Phase::Forward;
  std::string origin; ///< how a derived op came about, "" for the file's own
  Coverage coverage = Coverage::Modelled;
  int64_t count = 1;
  std::string shape; ///< problem as text, e.g. "m=2048 n=1024 k=1024"
  NumericFormat format = NumericFormat::FP32;
  int64_t flops = 0;       ///< all FLOPs of one launch, matrix and fp32
  int64_t matrixFlops = 0; ///< those that count for MFU
  int64_t bytes = 0;       ///< compulsory bytes read + written, one launch
  Tiling tiling;
  KernelTime time; ///< one launch
  Watts power;
  Joules energy; ///< one launch
  /// Which of PreparedModel::kinds it is.
  uint32_t kind = 0;
};

/// All launches of one kernel row that come from one node of the file.
struct NodeRow {
  std::string node; ///< "" where the file has no name for it
  std::string op;   ///< "onnx.MatMul"
  int64_t launches = 0;
  Seconds time;
  Joules energy;
  int64_t flops = 0, bytes = 0;
  std::string weight; ///< name of one that the node reads, "" for none
};

/// Totals of one phase. (H4) `time` is that of its kernels, their gaps and the
/// waits for the host; of communication it is what computation does not hide.
struct PhaseTotals {
  Phase phase = Phase::Forward;
  /// `gpuBusy`: kernels and their gaps.
  Seconds time, gpuBusy, host, kernelTime;
  Joules energy;
  int64_t kernels = 0, flops = 0, bytes = 0;

  /// Between kernels, copies of sizes that the host waits for included.
  Seconds gap() const { return std::max(gpuBusy - kernelTime, Seconds(0)); }
  /// The GPU has nothing to do until the host launches the next kernel.
  Seconds hostWait() const {
    return phase == Phase::Communication ? Seconds(0)
                                         : std::max(time - gpuBusy, Seconds(0));
  }
};

/// One line of the coverage report.
struct CoverageEntry {
  std::string op; ///< "onnx.Foo" or "com.example::Foo"
  int64_t count = 0;
  std::string reason; ///< why it is not fully modelled
  Seconds time;       ///< lower bound attributed to it, all instances
  int64_t bytes = 0;
};

struct CoverageTotals {
  int64_t ops = 0;
  double timeFraction = 0; ///< of GPU busy time, 0..1
  double bytesFraction = 0;
  std::vector<CoverageEntry> list; ///< empty for `modelled`
};

/// A tensor at the peak of memory.
struct PeakTensor {
  std::string name;   ///< of the file's node or input, "" for none
  std::string madeBy; ///< the kernel that writes it; "input"
  Phase phase = Phase::Forward;
  int64_t bytes = 0;
};

/// Another clock or power limit that saves much energy for little time.
struct OperatingHint {
  Hertz clock;
  /// The limit that holds the board near this clock, where it does as well.
  std::optional<Watts> powerLimit;
  /// Of an iteration there.
  Seconds time;
  Joules energy;
};

/// How time and energy depend on one fact of the GPU or one setting.
struct Sensitivity {
  std::string name;    ///< "dram_bandwidth", "batch"
  std::string value;   ///< with its unit
  bool isFact = false; ///< of the GPU; else a setting
  /// Elasticities: d ln time / d ln x; nullopt where x cannot be changed.
  std::optional<double> time, energy;
  /// Of facts: by how much the iteration is faster with twice the value, and
  /// how often the value doubles its speed (nullopt: no factor does).
  std::optional<double> speedup, doubling;
};

struct IterationReport {
  std::string model;  ///< file name
  std::string target; ///< "a100-sxm-80gb"
  NumericFormat format = NumericFormat::BF16;
  /// The settings that were stated, and the value of each one.
  Scenario given;
  Settings settings;
  std::string precision; ///< what was cast, in words
  std::vector<std::pair<std::string, int64_t>> bindings;
  std::vector<std::string> notes; ///< assumptions and warnings, for people

  /// GPUs that run the iteration; times and energies are those of one of them.
  int64_t worldSize() const { return settings.gpus; }
  /// Training examples (images, sequences) of all GPUs in one iteration, and
  /// tokens; 0 when the model names no batch or sequence dimension.
  int64_t samples = 0, tokens = 0;
  /// Collectives: what they take, and what computation does not hide of it.
  Seconds communication, exposedCommunication;

  /// (H4) `time` = kernels + gaps + waits for the host + exposed communication.
  Seconds time, gpuBusy, host;
  Joules energy;
  Watts averagePower;
  Watts powerLimit;
  /// Fraction of the limit by which an average may exceed it.
  double limiterTolerance = 0;
  /// The most that a board with this limit draws on average.
  Watts largestPower() const { return powerLimit * (1 + limiterTolerance); }
  /// 80 % half-widths of time, power and energy; nullopt: not known.
  std::optional<IterationErrorBars> errorBars;
  /// Fraction of GPU busy time within what measurements have confirmed, 0..1.
  double calibratedFraction = 1;
  Hertz clock;
  bool throttled = false;
  bool capUnreachable = false;
  int64_t matrixFlops = 0; ///< matmul + convolution + attention, 2 per MAC
  int64_t otherFlops = 0;
  double dramBytes = 0; ///< after L2 filtering
  /// Sums over all launches: what the energy is made of.
  KernelEvents events;
  int64_t compulsoryBytes = 0;
  /// What most matrix FLOPs are computed in; the target's format without any.
  NumericFormat matrixFormat = NumericFormat::BF16;
  FlopsPerSecond peak;          ///< dense peak of `matrixFormat`
  BytesPerSecond dramBandwidth; ///< of the datasheet
  double mfu = 0;
  int64_t launches = 0; ///< kernels the host launches
  int64_t parameterCount = 0, parameterBytes = 0, activationBytes = 0;
  int64_t gradientBytes = 0, optimizerBytes = 0, workspaceBytes = 0;
  int64_t peakMemoryBytes = 0;
  /// What the framework's allocator hands out and reserves, and what the GPU
  /// shows as used, its context included: expected, least and most.
  int64_t allocatedBytes = 0, reservedBytes = 0, deviceBytes = 0;
  int64_t deviceLowBytes = 0, deviceHighBytes = 0;
  bool fitsInMemory = true;
  /// The largest tensors at the peak that do not outlive the iteration,
  /// descending.
  std::vector<PeakTensor> peakTensors;
  Bytes memoryCapacity;
  Bound bound = Bound::Unknown; ///< what most of the time goes to
  /// Fraction of GPU busy time by bound, descending.
  std::vector<std::pair<Bound, double>> boundFractions;
  /// Fraction of GPU busy time by family, descending.
  std::vector<std::pair<KernelFamily, double>> familyFractions;

  std::vector<PhaseTotals> phases;
  // Sums over the phases of computation.
  Seconds kernelTime() const {
    return sumOf([](const PhaseTotals &phase) { return phase.kernelTime; });
  }
  Seconds gap() const {
    return sumOf([](const PhaseTotals &phase) { return phase.gap(); });
  }
  Seconds hostWait() const {
    return sumOf([](const PhaseTotals &phase) { return phase.hostWait(); });
  }
  std::vector<KernelRow> kernels; ///< merged equal launches, by total time
  /// Launches by node and op in program order of their first launch, made when
  /// somebody asks; may be empty.
  std::function<std::vector<NodeRow>()> nodes;
  CoverageTotals modelled, fallback, unmodelled;
  /// What depends on data and is counted at most; part of the totals.
  CoverageTotals assumed;
  /// What one iteration costs on all GPUs, with price, grid and node as stated.
  RunEstimate cost;
  /// Iterations of the run; nullopt when no size is stated.
  std::optional<double> runIterations;
  /// What somebody asked for; empty otherwise.
  std::optional<OperatingHint> hint;
  std::vector<Sensitivity> sensitivities;
  std::optional<IterationDetails> details;

  /// Something is not in the totals, or its bytes alone are: they are lower
  /// bounds, without an interval.
  bool isLowerBound() const { return fallback.ops > 0 || unmodelled.ops > 0; }
  /// Nothing is known of what the iteration launches.
  bool isUnknown() const { return kernels.empty() && unmodelled.ops > 0; }

private:
  template <typename Get> Seconds sumOf(Get get) const {
    Seconds sum;
    for (const PhaseTotals &phase : phases)
      if (phase.phase != Phase::Communication)
        sum += get(phase);
    return sum;
  }
};

} // namespace gpucost

#endif // GPUCOST_REPORT_ITERATIONREPORT_H
