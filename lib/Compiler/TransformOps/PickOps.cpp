//===- PickOps.cpp - Schedules in transform scripts -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformAnswers.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/TransformOps/TransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpucost;
using transform::PickEpilogueOp;
using transform::PickScheduleOp;
using transform::PickTileOp;

//===----------------------------------------------------------------------===//
// pick_tile
//===----------------------------------------------------------------------===//

void PickTileOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getEpilogueMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

/// Maximum rows and columns of a matmul tile in loops. A tile is a range of one
/// loop, so columns of several images with separate loops are not a tile.
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

/// The schedules of `space` for a matmul that a tile can express: K is not
/// split, and no tile is larger than the smallest one that covers the result.
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
  if (found.schedules.empty()) // the smallest tile covers it
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
  goal.objective = *symbolizeObjective(getObjective());
  SmallVector<Attribute> rows, columns, steps, times;
  SmallVector<Operation *> epilogue;
  if (getEpilogue())
    llvm::append_range(epilogue, state.getPayloadOps(getEpilogue()));
  SmallVector<Operation *> products =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  if (!epilogue.empty() && products.size() != 1)
    return emitSilenceableError() << "expected one matmul with its epilogue";
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
    if (best.empty())
      return refuse(*this, "no tile: " + Twine(why), op);
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
// pick_schedule
//===----------------------------------------------------------------------===//

void PickScheduleOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
PickScheduleOp::apply(transform::TransformRewriter &,
                      transform::TransformResults &results,
                      transform::TransformState &state) {
  Builder builder(getContext());
  ScheduleGoal goal;
  goal.objective = *symbolizeObjective(getObjective());
  constexpr int32_t Schedule::*fields[] = {&Schedule::tileM,  &Schedule::tileN,
                                           &Schedule::tileK,  &Schedule::splitK,
                                           &Schedule::stages, &Schedule::warps};
  SmallVector<SmallVector<Attribute>> values(getNumResults());
  for (Operation *op : state.getPayloadOps(getTarget())) {
    CostAnalysis analysis(op);
    std::string why;
    std::vector<Candidate> best =
        analysis.getTopSchedules(op, {}, 1, goal, &why);
    if (best.empty())
      return refuse(*this, "no schedule: " + Twine(why), op);
    const Candidate &chosen = best.front();
    for (auto [i, field] : llvm::enumerate(fields))
      values[i].push_back(builder.getI64IntegerAttr(chosen.schedule.*field));
    values.back().push_back(nanoseconds(builder, chosen.cost.time));
    if (!chosen.cost.reason.empty())
      op->emitRemark() << "schedule: " << chosen.cost.reason;
  }
  for (auto [result, params] : llvm::zip_equal(getResults(), values))
    results.setParams(cast<OpResult>(result), params);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// pick_epilogue
//===----------------------------------------------------------------------===//

void PickEpilogueOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

/// The only reader of `op` if it is elementwise and reads `op` element by
/// element; null otherwise.
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
    return emitSilenceableError()
           << "expected one linalg matmul or convolution";
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
    // An op that widens an operand of another matmul is part of that one.
    Cost own = analysis.getCost(reader.getOperation());
    if (own.status == CostStatus::Exact && own.launches == 0 &&
        own.reason.empty())
      break;
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
