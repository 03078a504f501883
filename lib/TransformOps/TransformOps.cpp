//===- TransformOps.cpp - Costs in transform scripts ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/TransformOps/TransformOps.h"
#include "gpucost/CostAnalysis/CostAnalysis.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/LLVMSupport/EnumParser.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using transform::EstimateOp;
using transform::ExpectFasterOp;
using transform::FuseIfFasterOp;
using transform::PickEpilogueOp;
using transform::PickTileOp;

#define GET_OP_CLASSES
#include "gpucost/TransformOps/TransformOps.cpp.inc"

/// Parameters of the transform dialect are integers.
static Attribute nanoseconds(Builder &builder, Seconds time) {
  return builder.getI64IntegerAttr(std::llround(time.value() * 1e9));
}

static std::string describe(const Cost &cost) {
  if (!cost.hasNumbers())
    return std::string(stringifyCostStatus(cost.status)) + " (" + cost.reason +
           ")";
  return llvm::formatv("{0}{1:f3} us",
                       cost.status == CostStatus::Bound ? "at least " : "",
                       cost.time.value() * 1e6);
}

static LogicalResult verifyConfidence(Operation *op,
                                      std::optional<APFloat> confidence) {
  double value = confidence ? confidence->convertToDouble() : 0;
  if (value >= 0 && value <= 1)
    return success();
  return op->emitOpError("expected 'confidence' in 0..1, but got ") << value;
}

static double toDouble(std::optional<APFloat> number, double otherwise) {
  return number ? number->convertToDouble() : otherwise;
}

//===----------------------------------------------------------------------===//
// estimate
//===----------------------------------------------------------------------===//

void EstimateOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
EstimateOp::apply(transform::TransformRewriter &,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  Builder builder(getContext());
  SmallVector<Operation *> payload =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  SmallVector<Attribute> times;
  auto add = [&](const Cost &cost, Operation *op) {
    if (cost.hasNumbers()) {
      times.push_back(nanoseconds(builder, cost.time));
      return DiagnosedSilenceableFailure::success();
    }
    DiagnosedSilenceableFailure failure = emitSilenceableError()
                                          << "no cost: " << describe(cost);
    failure.attachNote(op->getLoc()) << "of this op";
    return failure;
  };
  std::optional<CostAnalysis> analysis;
  if (!payload.empty())
    analysis.emplace(payload.front());
  if (getAsKernel() && !payload.empty()) {
    DiagnosedSilenceableFailure added =
        add(analysis->getCostAsKernel(payload), payload.front());
    if (!added.succeeded())
      return added;
  } else {
    for (Operation *op : payload) {
      DiagnosedSilenceableFailure added = add(analysis->getCost(op), op);
      if (!added.succeeded())
        return added;
    }
  }
  results.setParams(cast<OpResult>(getNanoseconds()), times);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// pick_tile
//===----------------------------------------------------------------------===//

LogicalResult PickTileOp::verify() {
  for (ArrayRef<int64_t> sizes :
       {getRows(), getColumns(), getDepth().value_or(ArrayRef<int64_t>())})
    for (int64_t size : sizes)
      if (size < 1 || size > 4096)
        return emitOpError("expected tile sizes of 1..4096, but got ") << size;
  if (getRows().empty() || getColumns().empty())
    return emitOpError("expected at least one size for rows and columns");
  if (std::optional<StringRef> objective = getObjective();
      objective && !symbolizeObjective(*objective))
    return emitOpError("expected 'objective' to be time, energy or "
                       "energy_delay, but got '")
           << *objective << "'";
  return success();
}

void PickTileOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getEpilogueMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

/// Rows and columns that tiles of a product in loops can have at most. A tile
/// is a range of one loop: columns of several images, each with a loop of its
/// own, are no tile.
static std::pair<int64_t, int64_t> mostOfTile(Operation *op,
                                              const MatmulProblem &product) {
  std::pair<int64_t, int64_t> most = {product.m, product.n};
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  FailureOr<linalg::ContractionDimensions> loops =
      structured ? linalg::inferContractionDims(structured)
                 : FailureOr<linalg::ContractionDimensions>();
  if (failed(loops))
    return most;
  SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
  if (loops->m.size() > 1)
    most.first = ranges[loops->m.back()];
  if (loops->n.size() > 1)
    most.second = ranges[loops->n.back()];
  return most;
}

/// The schedules of `space` for a product: K is not split, which a tile does
/// not say, and no tile is larger than what covers the result, which its loops
/// would not show.
static ScheduleSpace spaceOfProduct(const ScheduleSpace &space, Operation *op,
                                    const MatmulProblem &product) {
  auto covers = [](int64_t size) {
    return std::max<int64_t>(16,
                             llvm::PowerOf2Ceil(std::max<int64_t>(size, 1)));
  };
  auto [rows, columns] = mostOfTile(op, product);
  ScheduleSpace found = space;
  llvm::erase_if(found.schedules,
                 [&, m = covers(rows), n = covers(columns)](const Schedule &s) {
                   return s.tileM > m || s.tileN > n;
                 });
  if (found.schedules.empty()) // the smallest covers it
    found = space;
  for (Schedule &schedule : found.schedules)
    schedule.splitK = 1;
  return found;
}

DiagnosedSilenceableFailure
PickTileOp::apply(transform::TransformRewriter &,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  Builder builder(getContext());
  ScheduleSpace space;
  SmallVector<int64_t> free = {0};
  ArrayRef<int64_t> depths = getDepth().value_or(ArrayRef<int64_t>(free));
  for (int64_t m : getRows())
    for (int64_t n : getColumns())
      for (int64_t k : depths) {
        Schedule schedule;
        schedule.tileM = static_cast<int32_t>(m);
        schedule.tileN = static_cast<int32_t>(n);
        schedule.tileK = static_cast<int32_t>(k);
        space.schedules.push_back(schedule);
      }
  ScheduleGoal goal;
  if (std::optional<StringRef> objective = getObjective())
    goal.objective = *symbolizeObjective(*objective);
  SmallVector<Attribute> rows, columns, steps, times;
  SmallVector<Operation *> epilogue;
  if (getEpilogue())
    llvm::append_range(epilogue, state.getPayloadOps(getEpilogue()));
  SmallVector<Operation *> products =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  if (!epilogue.empty() && products.size() != 1)
    return emitSilenceableError() << "expected one product with its epilogue";
  for (Operation *op : products) {
    CostAnalysis analysis(op);
    SmallVector<Operation *> members = {op};
    llvm::append_range(members, epilogue);
    std::string why;
    auto work = dyn_cast<WorkOpInterface>(op);
    FailureOr<WorkAttr> own = work ? work.getWork() : FailureOr<WorkAttr>();
    const MatmulProblem *product =
        succeeded(own) ? own->getValue().getIf<MatmulProblem>() : nullptr;
    std::vector<Candidate> best = analysis.getTopSchedules(
        members, product ? spaceOfProduct(space, op, *product) : space, 1, goal,
        &why);
    if (best.empty()) {
      DiagnosedSilenceableFailure failure = emitSilenceableError()
                                            << "no tile: " << why;
      failure.attachNote(op->getLoc()) << "of this op";
      return failure;
    }
    rows.push_back(builder.getI64IntegerAttr(best[0].schedule.tileM));
    columns.push_back(builder.getI64IntegerAttr(best[0].schedule.tileN));
    steps.push_back(builder.getI64IntegerAttr(best[0].schedule.tileK));
    times.push_back(nanoseconds(builder, best[0].cost.time));
  }
  results.setParams(cast<OpResult>(getTileM()), rows);
  results.setParams(cast<OpResult>(getTileN()), columns);
  results.setParams(cast<OpResult>(getTileK()), steps);
  results.setParams(cast<OpResult>(getNanoseconds()), times);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// pick_epilogue
//===----------------------------------------------------------------------===//

LogicalResult PickEpilogueOp::verify() {
  StringRef objective = getObjective().value_or("time");
  if (objective == "time" || objective == "energy")
    return success();
  return emitOpError("expected 'objective' to be time or energy, but got '")
         << objective << "'";
}

void PickEpilogueOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

/// The elementwise op that alone reads `op`, and element by element; null
/// without one.
static linalg::LinalgOp findElementwiseReader(Operation *op) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return {};
  OpOperand &use = *op->use_begin();
  auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
  auto work = dyn_cast<WorkOpInterface>(use.getOwner());
  if (!reader || !work || reader->getBlock() != op->getBlock() ||
      reader.isDpsInit(&use) || reader->getNumResults() != 1 ||
      work.getCostClass() != CostClass::Elementwise)
    return {};
  AffineMap map = reader.getMatchingIndexingMap(&use);
  AffineMap out = reader.getMatchingIndexingMap(reader.getDpsInitOperand(0));
  return map.isIdentity() && out.isIdentity() ? reader : linalg::LinalgOp();
}

DiagnosedSilenceableFailure
PickEpilogueOp::apply(transform::TransformRewriter &,
                      transform::TransformResults &results,
                      transform::TransformState &state) {
  SmallVector<Operation *> payload =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  auto product = payload.size() == 1
                     ? dyn_cast<linalg::LinalgOp>(payload.front())
                     : linalg::LinalgOp();
  if (!product)
    return emitSilenceableError() << "expected one product of linalg";
  CostAnalysis analysis(product);
  if (!analysis.isValid())
    return emitSilenceableError() << analysis.whyNot();
  bool byEnergy = getObjective() == "energy";
  auto valueOf = [&](const Cost &cost) {
    return byEnergy ? cost.energy.value() : cost.time.value();
  };
  SmallVector<Operation *> members = {product};
  Cost soFar = analysis.getCostAsKernel(members);
  while (linalg::LinalgOp reader = findElementwiseReader(members.back())) {
    Cost apart = analysis.getCostAsKernel({reader.getOperation()});
    members.push_back(reader);
    Cost together = analysis.getCostAsKernel(members);
    bool isBetter = soFar.status == CostStatus::Exact &&
                    apart.status == CostStatus::Exact &&
                    together.status == CostStatus::Exact &&
                    valueOf(together) < valueOf(soFar) + valueOf(apart);
    if (!isBetter) {
      members.pop_back();
      break;
    }
    soFar = together;
  }
  results.set(cast<OpResult>(getLast()), {members.back()});
  results.set(cast<OpResult>(getEpilogue()), ArrayRef(members).drop_front());
  SmallVector<Operation *> others(llvm::reverse(ArrayRef(members).drop_back()));
  if (auto fill = product.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
      fill && fill->hasOneUse())
    others.push_back(fill);
  results.set(cast<OpResult>(getOthers()), others);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// fuse_if_faster
//===----------------------------------------------------------------------===//

LogicalResult FuseIfFasterOp::verify() {
  return verifyConfidence(*this, getConfidence());
}

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
    leave("linalg does not fuse such ops");
  else if (!benefit.isBetter(toDouble(getConfidence(), 0.8)))
    leave(describe(benefit.fused) + " instead of " + describe(benefit.unfused) +
          " is not sure to be faster");
  else {
    rewriter.setInsertionPoint(consumer);
    FailureOr<linalg::ElementwiseOpFusionResult> made =
        linalg::fuseElementwiseOps(rewriter, use);
    if (failed(made))
      return emitSilenceableError() << "linalg refused to fuse the ops";
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

//===----------------------------------------------------------------------===//
// expect_faster
//===----------------------------------------------------------------------===//

LogicalResult ExpectFasterOp::verify() {
  return verifyConfidence(*this, getConfidence());
}

void ExpectFasterOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getFirstMutable(), effects);
  transform::onlyReadsHandle(getSecondMutable(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
ExpectFasterOp::apply(transform::TransformRewriter &,
                      transform::TransformResults &,
                      transform::TransformState &state) {
  SmallVector<Operation *> first =
                               llvm::to_vector(state.getPayloadOps(getFirst())),
                           second = llvm::to_vector(
                               state.getPayloadOps(getSecond()));
  if (first.empty() || second.empty())
    return emitSilenceableError() << "expected ops to compare";
  CostAnalysis analysis(first.front());
  Cost fast = analysis.getCost(first), slow = analysis.getCost(second);
  if (fast.isFasterThan(slow, toDouble(getConfidence(), 0.5)))
    return DiagnosedSilenceableFailure::success();
  return emitSilenceableError()
         << "expected the first ops to be faster: " << describe(fast)
         << " against " << describe(slow);
}

namespace {
class GpuCostTransforms
    : public transform::TransformDialectExtension<GpuCostTransforms> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GpuCostTransforms)

  void init() {
    registerTransformOps<
#define GET_OP_LIST
#include "gpucost/TransformOps/TransformOps.cpp.inc"
        >();
    addCustomInitializationStep([](MLIRContext *context) {
      DialectRegistry needed;
      CostAnalysis::insertDialects(needed);
      for (StringRef name : needed.getDialectNames())
        needed.getDialectAllocator(name)(context);
    });
  }
};
} // namespace

void gpucost::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<GpuCostTransforms>();
}
