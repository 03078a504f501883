//===- PreparedModel.h - Launches of one iteration --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model after import, binding, precision, training and kernel formation, as
// plain data without IR: its kernels, their order, their number of launches and
// their memory. It depends on the number format, but not on the GPU or its
// clock; PlacedModel adds the GPU.
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
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// A kind of launch: one row of the report.
struct KernelKind {
  std::string name;   ///< first ONNX node of this kind, or the op's location
  std::string label;  ///< the kernel: "gemm", "softmax", "copy", ...
  std::string op;     ///< source op, e.g. "onnx.MatMul"
  std::string origin; ///< how a derived op was created; "" for ops of the file
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
  /// Index into PreparedModel::works. May differ between sites of one kind if
  /// their tilings in the IR differ.
  uint32_t work = 0;
  /// Launches in one iteration.
  int64_t count = 1;
  /// Number of micro-batches that `count` covers.
  int64_t passes = 1;
  /// Host launches per launch in `count`.
  int64_t hostLaunches = 1;
  /// A GEMM, convolution, norm or softmax call, which costs the host more.
  bool library = false;
  /// Recomputed work does not count for the MFU.
  bool recomputes = false;
  /// The host waits for a size that this launch computes.
  bool synchronizes = false;
  /// Index into PreparedModel::fallbacks, or none.
  int32_t fallback = -1;
  /// End of its range in PreparedModel::reads; the range begins at the end of
  /// the previous launch's range.
  uint32_t readsEnd = 0;
  /// Likewise in PreparedModel::persistentReads.
  uint32_t persistentReadsEnd = 0;
  /// Likewise in PreparedModel::touches.
  uint32_t touchesEnd = 0;
  /// Number of `MemoryUse::trace` events before this launch; 0: it is not in
  /// the trace.
  uint32_t memoryEvents = 0;
};

/// A read of a tensor that outlives the iteration: a parameter, a cache or a
/// graph input.
struct PersistentRead {
  uint32_t tensor = 0;  ///< numbered from 0
  int64_t bytes = 0;    ///< per launch
  int64_t allBytes = 0; ///< of the whole tensor: upper bound of the distinct
                        ///< bytes
};

/// A read or write of any tensor by one launch.
struct TensorTouch {
  uint32_t tensor = 0; ///< numbered from 0
  bool written = false;
  int64_t bytes = 0; ///< per launch
};

/// Why ops are not fully modelled.
struct CoverageNote {
  std::string op;     ///< "onnx.Foo" or "com.example::Foo"
  std::string reason; ///< the missing part
  int64_t count = 0;  ///< ops
};

/// A tensor that is in use at the memory peak.
struct TensorUse {
  std::string name;   ///< of the file's node or input; "" if unnamed
  std::string madeBy; ///< the kernel that writes it; "input"
  Phase phase = Phase::Forward;
  int64_t bytes = 0;
};

/// Bytes in use on one GPU if every tensor is freed after its last use.
struct MemoryUse {
  /// Number of weights in the whole model, in any storage format, without
  /// scales.
  int64_t parameterCount = 0;
  int64_t parameterBytes = 0; ///< parameters and buffers
  int64_t optimizerBytes = 0;
  int64_t gradientBytes = 0; ///< of gradients kept between backward passes
  /// Temporary tensors at their peak: parameter gradients, and all others.
  int64_t passingGradientBytes = 0, activationBytes = 0;
  /// The largest of these tensors, descending.
  std::vector<TensorUse> peakTensors;
  /// All allocations, the input of `planMemory`.
  AllocationTrace trace;
  int64_t temporaryBytes() const {
    return saturatingSum(passingGradientBytes, activationBytes);
  }
  int64_t peakBytes() const {
    return saturatingSum(saturatingSum(parameterBytes, optimizerBytes),
                         saturatingSum(gradientBytes, temporaryBytes()));
  }
};

/// Position of a node in its file (OnnxPosition of Import/OnnxAnnotate.h).
struct NodePosition {
  uint32_t graph = 0, index = 0;
};

/// The grouped GEMM of an expert layer; its sizes and reads depend on the
/// number of tokens (`useOf`).
struct ExpertWork {
  uint32_t work = 0; ///< index into PreparedModel::works
  ExpertLayer layer;
};

struct PreparedModel;

/// (X13) The stages of a pipeline. Stages with equal IR share a model.
struct PreparedPipeline {
  std::vector<std::shared_ptr<const PreparedModel>> models;
  /// Index into `models` of each stage.
  std::vector<uint32_t> stages;
  /// The stage whose kernels the PreparedModel lists.
  int64_t reported = 0;
  const PreparedModel &stage(size_t index) const {
    return *models[stages[index]];
  }
};

struct PreparedModel {
  /// Format of the matrix kernels.
  NumericFormat format = NumericFormat::BF16;
  /// Distinct pairs of a problem and a schedule.
  std::vector<KernelWork> works;
  /// Given schedules of some works, by index; the model chooses the others.
  std::map<size_t, Schedule> schedules;
  /// Sorted by `work`.
  std::vector<ExpertWork> experts;
  std::vector<KernelKind> kinds;
  /// Names of the file's nodes that cause launches ("" if unnamed), in the
  /// order of their first launch.
  std::vector<std::string> nodes;
  /// The name of a weight that each node in `nodes` reads; "" for none.
  std::vector<std::string> nodeWeights;
  /// The position of each node in `nodes`, if the importer keeps origins:
  /// several nodes may have the same name. Not stored in prepared files.
  std::vector<NodePosition> positions;
  std::vector<Launch> launches;
  /// The earlier launches whose results each launch reads.
  std::vector<uint32_t> reads;
  /// The persistent tensors that each launch reads.
  std::vector<PersistentRead> persistentReads;
  /// The tensors that each launch reads and writes.
  std::vector<TensorTouch> touches;
  /// Ops that are costed by their bytes, a lower bound.
  std::vector<CoverageNote> fallbacks;
  /// Ops without a cost, and loops that are counted once.
  std::vector<CoverageNote> unmodelled;
  /// Data-dependent work, counted by its upper bound.
  std::vector<CoverageNote> assumed;
  MemoryUse memory;
  /// Values of the symbolic dimensions.
  std::vector<std::pair<std::string, int64_t>> bindings;
  /// The stated settings, and the resolved value of every setting.
  Scenario given;
  Settings settings;
  /// Description of the tensors' formats.
  std::string precision;
  /// Assumptions, as sentences.
  std::vector<std::string> notes;
  /// Training examples (images, sequences) and tokens of all GPUs in one
  /// iteration; 0 if the model has no named batch or sequence dimension.
  int64_t samples = 0, tokens = 0;
  /// Number of repeated blocks of a pipeline stage.
  int64_t stageLayers = 0;
  /// All stages, if the plan has a pipeline and no stage is selected. The other
  /// members then describe `pipeline->reported`. Not stored in prepared files.
  std::shared_ptr<const PreparedPipeline> pipeline;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PREPAREDMODEL_H
