//===- LinalgBody.cpp - Scalar arithmetic of a structured op --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgBody.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost;

using Class = InstructionClass;

static ScalarCost cost(Class instructions, int64_t fp32Flops,
                       int64_t specialOps = 0) {
  return {instructions, fp32Flops, specialOps};
}

/// Integer and boolean arithmetic is not a FLOP.
static std::optional<ScalarCost> costOfArith(Operation *op) {
  using namespace arith;
  using Result = std::optional<ScalarCost>;
  bool isFloat =
      isa<FloatType>(op->getOperand(op->getNumOperands() - 1).getType());
  int64_t one = isFloat ? 1 : 0;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<AddFOp, SubFOp, AddIOp, SubIOp>(
          [&](Operation *) { return cost(Class::Add, one); })
      .Case<MulFOp, MulIOp>([&](Operation *) { return cost(Class::Mul, one); })
      .Case<DivFOp>([](Operation *) { return cost(Class::Div, 1, 1); })
      .Case<RemFOp>([](Operation *) { return cost(Class::Div, 3, 1); })
      .Case<DivSIOp, DivUIOp, CeilDivSIOp, CeilDivUIOp, FloorDivSIOp, RemSIOp,
            RemUIOp>([](Operation *) { return cost(Class::Div, 0); })
      .Case<NegFOp>([](Operation *) { return cost(Class::Neg, 1); })
      .Case<CmpFOp, CmpIOp, MaximumFOp, MaxNumFOp, MinimumFOp, MinNumFOp,
            MaxSIOp, MaxUIOp, MinSIOp, MinUIOp>(
          [&](Operation *) { return cost(Class::Compare, one); })
      .Case<SelectOp>([&](Operation *) { return cost(Class::Where, one); })
      .Case<AndIOp, OrIOp, XOrIOp, ShLIOp, ShRSIOp, ShRUIOp>(
          [](Operation *) { return cost(Class::Add, 0); })
      .Case<ExtFOp, TruncFOp, SIToFPOp, UIToFPOp, FPToSIOp, FPToUIOp, ExtSIOp,
            ExtUIOp, TruncIOp, BitcastOp>(
          [](Operation *) { return cost(Class::Cast, 0); })
      .Case<IndexCastOp, IndexCastUIOp>(
          [](Operation *) { return cost(Class::None, 0); })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<ScalarCost> costOfMath(Operation *op) {
  using namespace math;
  using Result = std::optional<ScalarCost>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<FmaOp>([](Operation *) { return cost(Class::Mul, 2); })
      .Case<AbsFOp, CeilOp, FloorOp, RoundOp, RoundEvenOp, TruncOp, CopySignOp>(
          [](Operation *) { return cost(Class::Neg, 1); })
      .Case<AbsIOp, CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp>(
          [](Operation *) { return cost(Class::Neg, 0); })
      .Case<ClampFOp>([](Operation *) { return cost(Class::Compare, 2); })
      .Case<IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp>(
          [](Operation *) { return cost(Class::Compare, 1); })
      // e^x = 2^(x log2 e): one multiply, one special result.
      .Case<ExpOp>([](Operation *) { return cost(Class::Exp, 1, 1); })
      .Case<Exp2Op>([](Operation *) { return cost(Class::Exp, 0, 1); })
      .Case<ExpM1Op>([](Operation *) { return cost(Class::Exp, 2, 1); })
      .Case<SinhOp, CoshOp>([](Operation *) { return cost(Class::Exp, 3, 2); })
      .Case<LogOp, Log10Op>([](Operation *) { return cost(Class::Log, 1, 1); })
      .Case<Log2Op>([](Operation *) { return cost(Class::Log, 0, 1); })
      .Case<Log1pOp>([](Operation *) { return cost(Class::Log, 2, 1); })
      .Case<AsinhOp, AcoshOp>(
          [](Operation *) { return cost(Class::Log, 4, 2); })
      .Case<AtanhOp>([](Operation *) { return cost(Class::Log, 5, 2); })
      .Case<SqrtOp>([](Operation *) { return cost(Class::Sqrt, 0, 1); })
      .Case<RsqrtOp>([](Operation *) { return cost(Class::Rsqrt, 0, 1); })
      .Case<PowFOp, FPowIOp, CbrtOp>(
          [](Operation *) { return cost(Class::Pow, 1, 2); })
      .Case<IPowIOp>([](Operation *) { return cost(Class::Pow, 0); })
      .Case<ErfOp, ErfcOp>([](Operation *) { return cost(Class::Erf, 16, 1); })
      .Case<TanhOp>([](Operation *) { return cost(Class::Tanh, 4, 2); })
      .Case<SinOp, CosOp>([](Operation *) { return cost(Class::Trig, 0, 1); })
      .Case<SincosOp>([](Operation *) { return cost(Class::Trig, 0, 2); })
      .Case<TanOp>([](Operation *) { return cost(Class::Trig, 1, 3); })
      .Case<AsinOp, AcosOp, AtanOp, Atan2Op>(
          [](Operation *) { return cost(Class::Trig, 14, 1); })
      .Default([](Operation *) { return std::nullopt; });
}

/// A complex multiplication is four multiplies and two adds.
static std::optional<ScalarCost> costOfComplex(Operation *op) {
  using namespace complex;
  using Result = std::optional<ScalarCost>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<CreateOp, ReOp, ImOp, BitcastOp>(
          [](Operation *) { return cost(Class::None, 0); })
      .Case<AddOp, SubOp>([](Operation *) { return cost(Class::Add, 2); })
      .Case<MulOp>([](Operation *) { return cost(Class::Mul, 6); })
      .Case<DivOp>([](Operation *) { return cost(Class::Div, 11, 2); })
      .Case<NegOp>([](Operation *) { return cost(Class::Neg, 2); })
      .Case<ConjOp>([](Operation *) { return cost(Class::Neg, 1); })
      .Case<EqualOp, NotEqualOp>(
          [](Operation *) { return cost(Class::Compare, 2); })
      .Case<AbsOp>([](Operation *) { return cost(Class::Sqrt, 3, 1); })
      .Case<AngleOp>([](Operation *) { return cost(Class::Trig, 14, 1); })
      .Case<ExpOp>([](Operation *) { return cost(Class::Exp, 3, 3); })
      .Case<SqrtOp, RsqrtOp>(
          [](Operation *) { return cost(Class::Sqrt, 6, 3); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<ScalarCost> gpucost::costOfScalarOp(Operation *op) {
  // Constants, linalg.index, and index checks of a kernel.
  if (op->hasTrait<OpTrait::ConstantLike>() || op->getNumOperands() == 0 ||
      isa<cf::AssertOp>(op))
    return cost(Class::None, 0);
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
          affine::AffineDelinearizeIndexOp, affine::AffineLinearizeIndexOp,
          tensor::DimOp, memref::DimOp, UnrealizedConversionCastOp>(op) ||
      isa_and_nonnull<index::IndexDialect>(op->getDialect()))
    return cost(Class::None, 0);
  // Multiply, round, shift, in 64 bits.
  if (isa<tosa::ApplyScaleOp>(op))
    return cost(Class::Mul, 0);
  if (isa_and_nonnull<complex::ComplexDialect>(op->getDialect()))
    return costOfComplex(op);
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return costOfArith(op);
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return costOfMath(op);
  return std::nullopt;
}

/// max(x, 0), also as compare and select.
static bool isRelu(Operation *op) {
  if (!isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
           arith::SelectOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return matchPattern(operand, m_AnyZeroFloat()) ||
           matchPattern(operand, m_Zero());
  });
}

/// Activations with one framework kernel have dedicated instruction mixes.
static Class nameActivation(Block &body, Class heaviest) {
  auto contains = [&](auto matches) { return llvm::any_of(body, matches); };
  bool multiplies =
      contains([](Operation &op) { return isa<arith::MulFOp>(op); });
  switch (heaviest) {
  case Class::Compare:
  case Class::Where:
    return contains([](Operation &op) { return isRelu(&op); }) ? Class::Relu
                                                               : heaviest;
  case Class::Erf:
    return multiplies ? Class::Gelu : heaviest;
  case Class::Exp:
  case Class::Div: // 1 / (1 + exp(-x)), and x times it
    if (!contains([](Operation &op) { return isa<math::ExpOp>(op); }) ||
        !contains([](Operation &op) { return isa<arith::NegFOp>(op); }) ||
        !contains([](Operation &op) { return isa<arith::DivFOp>(op); }))
      return heaviest;
    return multiplies ? Class::Silu : Class::Sigmoid;
  default:
    return heaviest;
  }
}

namespace {
/// Values of a body that are equal to earlier ones: code generators compute
/// them once. Upstream's fusion copies a producer for each operand that reads
/// it.
class EqualValues {
public:
  /// Whether an earlier op of the body computes the results of `op`.
  bool contains(Operation &op) {
    // Copies of a producer are closer than this.
    constexpr size_t farthest = 64;
    for (Operation *earlier : llvm::reverse(
             ArrayRef(ops).take_back(std::min(ops.size(), farthest)))) {
      if (earlier->getName() != op.getName())
        continue;
      auto isEqual = [&](Value a, Value b) {
        return success(firstOf(a) == firstOf(b));
      };
      auto note = [&](Value a, Value b) { first[b] = firstOf(a); };
      if (OperationEquivalence::isEquivalentTo(
              earlier, &op, isEqual, note,
              OperationEquivalence::IgnoreLocations))
        return true;
    }
    ops.push_back(&op);
    return false;
  }

private:
  Value firstOf(Value value) const {
    auto known = first.find(value);
    return known == first.end() ? value : known->second;
  }

  SmallVector<Operation *> ops;
  llvm::SmallDenseMap<Value, Value> first;
};
} // namespace

/// Adds the ops of `body` to `total`; for a branch both arms, because the
/// threads of a warp rarely take the same one.
static bool
addBody(Block &body, BodyCost &total, ScalarCost &heaviest,
        llvm::function_ref<void(Operation *, const ScalarCost &)> visit) {
  EqualValues values;
  for (Operation &op : body.without_terminator()) {
    if (isa<scf::IfOp>(op)) {
      for (Region &arm : op.getRegions())
        if (!arm.empty() && !addBody(arm.front(), total, heaviest, visit))
          return false;
      continue;
    }
    if (isa<tensor::ExtractOp, memref::LoadOp>(op)) {
      total.gatheredBits += storedBits(op.getResult(0).getType()).value_or(0);
      continue;
    }
    std::optional<ScalarCost> scalar = costOfScalarOp(&op);
    if (!scalar)
      return false;
    if (op.getNumRegions() == 0 && values.contains(op))
      continue;
    if (visit)
      visit(&op, *scalar);
    total.fp32Flops += scalar->fp32Flops;
    total.specialOps += scalar->specialOps;
    if (scalar->instructions != Class::None && scalar->isHeavierThan(heaviest))
      heaviest = *scalar;
  }
  return true;
}

std::optional<BodyCost> gpucost::countBody(
    Block &body,
    llvm::function_ref<void(Operation *, const ScalarCost &)> visit) {
  BodyCost total;
  ScalarCost heaviest{Class::None, -1, -1};
  if (!addBody(body, total, heaviest, visit))
    return std::nullopt;
  total.instructions = nameActivation(body, heaviest.instructions);
  return total;
}

static Value skipCasts(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
             arith::FPToUIOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

/// Whether `value` is computed from `argument` of the body, through any ops.
static bool dependsOn(Value value, BlockArgument argument) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next == argument)
      return true;
    Operation *def = next.getDefiningOp();
    if (def && def->getBlock() == argument.getOwner() &&
        seen.insert(def).second)
      llvm::append_range(worklist, def->getOperands());
  }
  return false;
}

bool gpucost::isMultiplyAccumulate(Block &body) {
  if (body.getNumArguments() < 3 || body.getTerminator()->getNumOperands() != 1)
    return false;
  BlockArgument a = body.getArgument(0), b = body.getArgument(1);
  BlockArgument accumulator = body.getArguments().back();
  auto isProduct = [&](Value lhs, Value rhs) {
    bool straight = dependsOn(lhs, a) && dependsOn(rhs, b) &&
                    !dependsOn(lhs, b) && !dependsOn(rhs, a);
    bool swapped = dependsOn(lhs, b) && dependsOn(rhs, a) &&
                   !dependsOn(lhs, a) && !dependsOn(rhs, b);
    return (straight || swapped) && !dependsOn(lhs, accumulator) &&
           !dependsOn(rhs, accumulator);
  };
  Operation *sum =
      skipCasts(body.getTerminator()->getOperand(0)).getDefiningOp();
  if (!sum)
    return false;
  if (isa<math::FmaOp>(sum))
    return skipCasts(sum->getOperand(2)) == accumulator &&
           isProduct(sum->getOperand(0), sum->getOperand(1));
  // Booleans add with `or` and multiply with `and`.
  if (!isa<arith::AddFOp, arith::AddIOp, arith::OrIOp>(sum))
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    Operation *product = skipCasts(sum->getOperand(1 - i)).getDefiningOp();
    if (skipCasts(sum->getOperand(i)) == accumulator && product &&
        isa<arith::MulFOp, arith::MulIOp, arith::AndIOp>(product))
      return isProduct(product->getOperand(0), product->getOperand(1));
  }
  return false;
}
