//===- Parallelize.cpp - gpucost-parallelize ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Data parallelism keeps the graph of one GPU and adds the communication with
// the others. docs/CostModel.md, section "Training", rules (X*).

#include "ModuleNotes.h"
#include "Parallel/DataParallel/Parallelizer.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"

namespace gpucost {
#define GEN_PASS_DEF_PARALLELIZEPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct ParallelizePass
    : public gpucost::impl::ParallelizePassBase<ParallelizePass> {
  using ParallelizePassBase::ParallelizePassBase;
  ParallelizePass() = default;
  ParallelizePass(const ParallelizePass &other) : ParallelizePassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Settings before = getSettings(module);
    if (asStated && (!before.trains() || before.plan().replicas() == 1))
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (bucketMiB < 1 || bucketMiB > 1'000'000) {
      module.emitError() << "expected buckets of at least 1 MiB, but got "
                         << static_cast<int64_t>(bucketMiB);
      return signalPassFailure();
    }
    Parallelism plan = settings->plan();
    if (plan.tensor > 1 && plan.replicas() == 1) {
      module.emitError("tensor parallelism requires "
                       "'gpucost-shard-tensors'; expected ddp, zero1, zero2 or "
                       "fsdp");
      return signalPassFailure();
    }
    if (plan.replicas() == 1)
      return;
    for (const GroupSpan &group :
         {shardsSpan(*settings), copiesSpan(*settings)})
      if (settings->gpus % settings->nodes || group.gpus % group.nodes) {
        module.emitError() << "expected data-parallel GPUs that fill "
                           << settings->nodes << " nodes evenly, but got "
                           << group.gpus;
        return signalPassFailure();
      }
    if (plan.shards)
      addNote(module,
              "hybrid sharding: " + std::to_string(plan.copies()) +
                  " copies, each sharded over " +
                  std::to_string(plan.shardGpus()) +
                  " GPUs; unseen: no public measurement",
              parallelNotesAttrName);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          !function.getBody().back().getTerminator()->hasAttr(
              gradientsAttrName))
        continue;
      Parallelizer parallelizer(function, *settings);
      if (plan.stage < 2)
        parallelizer.runDataParallel(bucketMiB << 20);
      else
        parallelizer.runSharded();
    }
  }

private:
  SettingOptions options{*this,
                         &Scenario::gpus,
                         &Scenario::nodes,
                         &Scenario::parallel,
                         &Scenario::mainGrads,
                         &Scenario::masterWeights};
};
} // namespace
