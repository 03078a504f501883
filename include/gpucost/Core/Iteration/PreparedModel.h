//===- PreparedModel.h - What one iteration launches ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model after import, binding, precision, training and kernel formation, as
// plain data without IR: its kernels, in which order and how often they run,
// and what memory they take. It depends on the number format, not on the GPU or
// its clock: PlacedModel adds the GPU.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_PREPAREDMODEL_H
#define GPUCOST_CORE_ITERATION_PREPAREDMODEL_H

#include "gpucost/Core/Model/CachingAllocator.h"
#include "gpucost/Core/Model/ExpertLayer.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// A kind of launch: what the report shows in one row.
struct KernelKind {
  std::string name;   ///< first ONNX node of this kind, or the op's location
  std::string label;  ///< what is launched: "gemm", "softmax", "copy", ...
  std::string op;     ///< op that it came from, e.g. "onnx.MatMul"
  std::string origin; ///< how a derived op came about, "" for the file's own
  Phase phase = Phase::Forward;
  Coverage coverage = Coverage::Modelled;
  /// Index into PreparedModel::works.
  uint32_t work = 0;
};

/// One launch site, in program order.
struct Launch {
  /// Index into PreparedModel::kinds.
  uint32_t kind = 0;
  /// Index into PreparedModel::nodes.
  uint32_t node = 0;
  /// Index into PreparedModel::works. Sites of one kind may differ in it when
  /// the tilings in the IR differ.
  uint32_t work = 0;
  /// Launches in one iteration.
  int64_t count = 1;
  /// Accumulated passes that `count` is the sum of.
  int64_t passes = 1;
  /// Launches that the host issues for each of `count`.
  int64_t hostLaunches = 1;
  /// A GEMM, convolution, norm or softmax call, which costs the host more.
  bool library = false;
  /// What is computed again is no progress of the model (MFU).
  bool recomputes = false;
  /// The host waits for a size that it computes.
  bool synchronizes = false;
  /// Index into PreparedModel::fallbacks, or none.
  int32_t fallback = -1;
  /// End of its range in PreparedModel::reads; it begins at the end of the
  /// launch before.
  uint32_t readsEnd = 0;
  /// The same in PreparedModel::persistentReads.
  uint32_t persistentReadsEnd = 0;
  /// The same in PreparedModel::touches.
  uint32_t touchesEnd = 0;
  /// Events of `MemoryUse::trace` until it runs; 0: it is not in the trace.
  uint32_t memoryEvents = 0;
};

/// What a launch reads of a tensor that outlives the iteration: a parameter, a
/// cache, a graph input.
struct PersistentRead {
  uint32_t tensor = 0;  ///< numbered from 0
  int64_t bytes = 0;    ///< of one launch
  int64_t allBytes = 0; ///< of the tensor: no more are distinct
};

/// What one launch reads of a tensor, or writes: whatever made the tensor.
struct TensorTouch {
  uint32_t tensor = 0; ///< numbered from 0
  bool written = false;
  int64_t bytes = 0; ///< of one launch
};

/// Why ops are not fully modelled.
struct CoverageNote {
  std::string op;     ///< "onnx.Foo" or "com.example::Foo"
  std::string reason; ///< what is missing
  int64_t count = 0;  ///< ops
};

/// A tensor at the peak of memory.
struct TensorUse {
  std::string name;   ///< of the file's node or input, "" for none
  std::string madeBy; ///< the kernel that writes it; "input"
  Phase phase = Phase::Forward;
  int64_t bytes = 0;
};

/// What one GPU holds, bytes, when every tensor is freed after its last use.
struct MemoryUse {
  /// Weights of the whole model, however they are stored; no scales.
  int64_t parameterCount = 0;
  int64_t parameterBytes = 0; ///< parameters and buffers
  int64_t optimizerBytes = 0;
  int64_t gradientBytes = 0; ///< kept between backward passes
  /// At the peak of what comes and goes: gradients of parameters, the rest.
  int64_t passingGradientBytes = 0, activationBytes = 0;
  /// The largest tensors of these at the peak, descending.
  std::vector<TensorUse> peakTensors;
  /// All allocations, for what a framework reserves.
  AllocationTrace trace;
  int64_t temporaryBytes() const {
    return saturatingSum(passingGradientBytes, activationBytes);
  }
  int64_t peakBytes() const {
    return saturatingSum(saturatingSum(parameterBytes, optimizerBytes),
                         saturatingSum(gradientBytes, temporaryBytes()));
  }
};

/// Where a node is in its file (OnnxPosition of Import/OnnxAnnotate.h).
struct NodePosition {
  uint32_t graph = 0, index = 0;
};

/// The grouped product of a layer of experts: its sizes and what it reads
/// depend on the tokens by `useOf`.
struct ExpertWork {
  uint32_t work = 0; ///< index into PreparedModel::works
  ExpertLayer layer;
};

struct PreparedModel {
  /// Format of the matrix kernels.
  NumericFormat format = NumericFormat::BF16;
  /// Distinct problems, and those that differ in their schedules.
  std::vector<KernelWork> works;
  /// What is decided about some of them, by index; the model chooses the rest.
  std::map<size_t, Schedule> schedules;
  /// In the order of their works.
  std::vector<ExpertWork> experts;
  std::vector<KernelKind> kinds;
  /// Names of the file's nodes that launches come from, "" for none, in the
  /// order of their first launch.
  std::vector<std::string> nodes;
  /// For each of `nodes` the name of a weight that it reads, "" for none.
  std::vector<std::string> nodeWeights;
  /// Of each of them, where the importer keeps origins: several nodes may have
  /// one name. No part of prepared files.
  std::vector<NodePosition> positions;
  std::vector<Launch> launches;
  /// For each launch the earlier ones whose results it reads.
  std::vector<uint32_t> reads;
  /// For each launch what it reads of tensors that outlive the iteration.
  std::vector<PersistentRead> persistentReads;
  /// For each launch the tensors that it reads and writes.
  std::vector<TensorTouch> touches;
  /// Ops with a lower bound by their bytes.
  std::vector<CoverageNote> fallbacks;
  /// Ops without any cost, and loops that are counted once.
  std::vector<CoverageNote> unmodelled;
  /// What depends on data and is counted at most.
  std::vector<CoverageNote> assumed;
  MemoryUse memory;
  /// Values of the symbolic dimensions.
  std::vector<std::pair<std::string, int64_t>> bindings;
  /// The settings that were stated, and the value of each one.
  Scenario given;
  Settings settings;
  /// Which formats tensors have, in words.
  std::string precision;
  /// Assumptions, for people.
  std::vector<std::string> notes;
  /// Training examples (images, sequences) of all GPUs in one iteration, and
  /// tokens; 0 when the model names no batch or sequence dimension.
  int64_t samples = 0, tokens = 0;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PREPAREDMODEL_H
