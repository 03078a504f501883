//===- FuseOps.cpp - Fusion in transform scripts --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformAnswers.h"
#include "gpucost/Compiler/TransformOps/TransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gpucost;
using transform::FuseIfFasterOp;

//===----------------------------------------------------------------------===//
// fuse_if_faster
//===----------------------------------------------------------------------===//

void FuseIfFasterOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getProducerMutable(), effects);
  transform::consumesHandle(getConsumerMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
FuseIfFasterOp::apply(transform::TransformRewriter &rewriter,
                      transform::TransformResults &results,
                      transform::TransformState &state) {
  Builder builder(getContext());
  auto one = [&](Value handle) -> linalg::GenericOp {
    SmallVector<Operation *> payload =
        llvm::to_vector(state.getPayloadOps(handle));
    return payload.size() == 1 ? dyn_cast<linalg::GenericOp>(payload.front())
                               : linalg::GenericOp();
  };
  linalg::GenericOp producer = one(getProducer()),
                    consumer = one(getConsumer());
  if (!producer || !consumer)
    return emitSilenceableError()
           << "expected one 'linalg.generic' for producer and consumer each";
  Operation *kept = consumer;
  bool fused = false;
  CostAnalysis analysis(producer);
  FusionBenefit benefit =
      analysis.getFusionBenefit(producer, consumer.getOperation());
  OpOperand *use = nullptr;
  for (OpOperand *input : consumer.getDpsInputOperands())
    if (input->get().getDefiningOp() == producer)
      use = input;
  auto leave = [&](const llvm::Twine &why) {
    emitRemark() << "not fused: " << why;
  };
  if (!analysis.isValid())
    return emitSilenceableError() << analysis.whyNot();
  if (!benefit.whyNot().empty())
    leave(benefit.whyNot());
  else if (!use || !linalg::areElementwiseOpsFusable(use))
    leave("linalg cannot fuse these ops");
  else if (!benefit.isBetter(getConfidence().convertToDouble()))
    leave(describe(benefit.fused) + " instead of " + describe(benefit.unfused) +
          " is not faster with the required confidence");
  else {
    rewriter.setInsertionPoint(consumer);
    FailureOr<linalg::ElementwiseOpFusionResult> made =
        linalg::fuseElementwiseOps(rewriter, use);
    if (failed(made))
      return emitSilenceableError() << "linalg could not fuse the ops";
    for (auto [from, to] : made->replacements)
      rewriter.replaceUsesWithIf(from, to, [&](OpOperand &other) {
        return other.getOwner() != producer && other.getOwner() != consumer;
      });
    kept = made->fusedOp;
    rewriter.eraseOp(consumer);
    if (producer->use_empty())
      rewriter.eraseOp(producer);
    fused = true;
  }
  results.set(cast<OpResult>(getResult()), {kept});
  results.setParams(cast<OpResult>(getFused()),
                    {builder.getI64IntegerAttr(fused)});
  return DiagnosedSilenceableFailure::success();
}
