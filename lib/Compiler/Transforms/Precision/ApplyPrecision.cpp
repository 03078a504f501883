//===- ApplyPrecision.cpp - gpucost-apply-precision -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleNotes.h"
#include "Shapes/Signature.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/DequantizedWeights.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SetVector.h"

namespace gpucost {
#define GEN_PASS_DEF_APPLYPRECISIONPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// Whether tensors of this type are model data, not quantised storage.
static bool isComputedWith(Type element) {
  auto floating = dyn_cast<FloatType>(element);
  return floating && floating.getWidth() > 8;
}

/// Whether an op reads `value`; a destination only gives its shape or is added
/// to.
static bool isRead(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return !op || !op.isDpsInit(&use);
  });
}

/// Whether a product reads `value`, perhaps in another layout or format. Scales
/// of quantised weights and tables of positions are not weights.
static bool isReadByProduct(Value value) {
  constexpr size_t mostUses = 64;
  SmallVector<OpOperand *> uses;
  auto addUses = [&](Value value) {
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
  };
  addUses(value);
  for (size_t i = 0; i < uses.size() && i < mostUses; ++i) {
    Operation *op = uses[i]->getOwner();
    auto work = dyn_cast<WorkOpInterface>(op);
    if (work && isProduct(work.getCostClass()))
      return true;
    if (uses[i]->getOperandNumber() == 0 && op->getNumResults() == 1 &&
        (onnx::movesElements(op) || onnx::isCast(op) ||
         isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
             op->getDialect())))
      addUses(op->getResult(0));
  }
  return false;
}

/// The types of the parameters with floats: those of `onnx.Parameter`, or in a
/// model without these the constants and arguments that an op reads. Only those
/// that a product reads count, if there are any.
static SmallVector<ShapedType> findParameterTypes(ModuleOp module) {
  SmallVector<Value> found, ofProducts;
  auto add = [&](Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type || !isComputedWith(type.getElementType()))
      return;
    found.push_back(value);
    if (isReadByProduct(value))
      ofProducts.push_back(value);
  };
  module.walk([&](onnx::ParameterOp op) { add(op->getResult(0)); });
  auto addRead = [&](Value value) {
    if (isRead(value))
      add(value);
  };
  bool isPlain = found.empty();
  if (isPlain)
    module.walk([&](arith::ConstantOp op) { addRead(op.getResult()); });
  if (isPlain && ofProducts.empty())
    module.walk([&](func::FuncOp function) {
      llvm::for_each(function.getArguments(), addRead);
    });
  SmallVector<ShapedType> types;
  for (Value value : ofProducts.empty() ? found : ofProducts)
    types.push_back(cast<ShapedType>(value.getType()));
  return types;
}

/// Whether a tensor is a matrix or more; vectors (norms, biases, rotary
/// frequencies) and single numbers are often kept in fp32.
static bool isMatrix(ShapedType type) {
  return type.hasRank() && llvm::count_if(type.getShape(), [](int64_t size) {
                             return size != 1;
                           }) > 1;
}

/// (L15) The float formats of the matrices among the parameters; of all
/// parameters if there are no matrices.
static llvm::SetVector<Type> findParameterFormats(ModuleOp module) {
  llvm::SetVector<Type> matrices, all;
  for (ShapedType type : findParameterTypes(module)) {
    all.insert(type.getElementType());
    if (isMatrix(type))
      matrices.insert(type.getElementType());
  }
  return matrices.empty() ? all : matrices;
}

static std::string describeMixture(ArrayRef<Type> formats) {
  std::string text = "weights in ";
  llvm::raw_string_ostream os(text);
  llvm::interleave(formats, os, " and ");
  os << ": fp32 tensors keep their format";
  return text;
}

/// Element type of the model's tensors on a target with `format`. With 8-bit
/// matmuls, other tensors have the 16-bit format of the GPU.
static FloatType tensorTypeOf(MLIRContext *context, const Target &target) {
  NumericFormat format = target.format;
  if (hasFewBits(format))
    format = target.gpu.find(NumericFormat::BF16) ? NumericFormat::BF16
                                                  : NumericFormat::FP16;
  return cast<FloatType>(elementTypeOf(context, format));
}

/// Converts a constant from format `from` to format `to`; returns other
/// attributes unchanged.
static Attribute castConstant(Attribute value, Type from, FloatType to) {
  auto convert = [&](APFloat number) {
    bool lost = false;
    number.convert(to.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    return number;
  };
  if (auto scalar = dyn_cast<FloatAttr>(value))
    return scalar.getType() == from
               ? FloatAttr::get(to, convert(scalar.getValue()))
               : value;
  // Resource contents are never read.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return resource.getElementType() == from
               ? DenseResourceElementsAttr::get(resource.getType().clone(to),
                                                resource.getRawHandle())
               : value;
  auto dense = dyn_cast<DenseFPElementsAttr>(value);
  if (!dense || dense.getElementType() != from)
    return value;
  return dense.mapValues(to, [&](const APFloat &number) {
    return convert(number).bitcastToAPInt();
  });
}

/// `type` with `from` replaced by `to`, including scalars, which bodies of
/// linalg ops compute with and functions take.
static Type castType(Type type, Type from, Type to) {
  if (type == from)
    return to;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || shaped.getElementType() != from)
    return type;
  return shaped.clone(to);
}

/// Whether `op` is a cast from fp32 to a 16-bit float (`widens`: the reverse).
static bool isFloatCast(Operation *op, bool widens) {
  if (!isa_and_nonnull<onnx::CastOp>(op))
    return false;
  Type from = getElementTypeOrSelf(op->getOperand(0));
  Type to = getElementTypeOrSelf(op->getResult(0));
  if (widens)
    std::swap(from, to);
  auto narrow = dyn_cast<FloatType>(to);
  return from.isF32() && narrow && narrow.getWidth() == 16;
}

/// Casts of a 16-bit file that PyTorch also launches under autocast: the file
/// widens a sum that was narrowed in place (`scores += bias`, then
/// `softmax(scores.float()).type_as(scores)`), or an operand of fp32 weights
/// (`x.to(weight.dtype)`). A cast before any other softmax is part of it.
static llvm::DenseSet<Operation *> findStatedCasts(ModuleOp module) {
  llvm::DenseSet<Operation *> stated;
  module.walk([&](onnx::CastOp op) {
    if (!isFloatCast(op, /*widens=*/true))
      return;
    auto users = op->getResult(0).getUsers();
    Operation *narrowing = op->getOperand(0).getDefiningOp();
    if (isFloatCast(narrowing, /*widens=*/false)) {
      stated.insert(op);
      stated.insert(narrowing);
      for (Operation *user : users)
        if (isa<onnx::SoftmaxOp>(user))
          for (Operation *reader : user->getResult(0).getUsers())
            if (isFloatCast(reader, /*widens=*/false))
              stated.insert(reader);
    } else if (llvm::all_of(users, [](Operation *user) {
                 return isa<onnx::MatMulOp, onnx::GemmOp>(user);
               })) {
      stated.insert(op);
    }
  });
  return stated;
}

namespace {
struct ApplyPrecisionPass
    : public gpucost::impl::ApplyPrecisionPassBase<ApplyPrecisionPass> {
  using ApplyPrecisionPassBase::ApplyPrecisionPassBase;
  ApplyPrecisionPass() = default;
  ApplyPrecisionPass(const ApplyPrecisionPass &other)
      : ApplyPrecisionPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(getTargetFormat(module)))
      return signalPassFailure();
    auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (settings->precisionMode == PrecisionMode::AsIs)
      return;
    llvm::SetVector<Type> formats = findParameterFormats(module);
    if (formats.empty())
      return;
    // Autocast selects the ops to lower from fp32.
    bool amp = settings->precisionMode == PrecisionMode::Amp;
    if (!amp && formats.size() > 1) {
      addNote(module, describeMixture(formats.getArrayRef()));
      formats.remove_if(
          [](Type type) { return type.getIntOrFloatBitWidth() > 16; });
    }
    FloatType to = amp ? Float32Type::get(&getContext())
                       : tensorTypeOf(&getContext(), target.getValue());
    module->setAttr(precisionAttrName, TypeAttr::get(to));
    llvm::DenseSet<Operation *> stated;
    if (amp && tensorTypeOf(&getContext(), target.getValue()).getWidth() == 16)
      stated = findStatedCasts(module);
    for (Type from : formats)
      if (from != to)
        castFormat(module, from, to);
    module.walk([&](func::FuncOp function) {
      function.walk(
          [&](onnx::DequantizeLinearOp op) { castDequantised(op, to); });
      updateSignature(function);
    });
    removeIdleCasts(module, stated);
  }

private:
  /// Matmuls of dequantised tensors also compute in the model's format: the
  /// format of the scales does not request another one.
  static void castDequantised(Operation *dequantise, FloatType to) {
    if (onnx::isScaleOfBlocks(dequantise->getResult(0)))
      return;
    auto castResult = [&](Operation *op) {
      auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
      if (type && isComputedWith(type.getElementType()))
        op->getResult(0).setType(type.clone(to));
    };
    castResult(dequantise);
    for (Operation *user : dequantise->getResult(0).getUsers()) {
      // Weights are often transposed in between.
      if (onnx::movesElements(user)) {
        castResult(user);
        for (Operation *product : user->getUsers())
          if (isProduct(product))
            castResult(product);
      } else if (isProduct(user)) {
        castResult(user);
      }
    }
  }

  static bool isProduct(Operation *op) {
    return isa<onnx::MatMulOp, onnx::GemmOp, onnx::ConvOp>(op);
  }

  void castFormat(ModuleOp module, Type from, FloatType to) {
    castAll(module, from, to);
    module.walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        adaptConversion(op);
    });
  }

  void castAll(ModuleOp module, Type from, Type to) {
    module.walk([&](func::FuncOp function) {
      function.walk([&](Operation *op) {
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (BlockArgument argument : block.getArguments())
              argument.setType(castType(argument.getType(), from, to));
        if (auto constant = dyn_cast<arith::ConstantOp>(op))
          constant.setValueAttr(cast<TypedAttr>(
              castConstant(constant.getValue(), from, cast<FloatType>(to))));
        for (Value result : op->getResults())
          result.setType(castType(result.getType(), from, to));
        // TOSA: all formats except fp16 accumulate in fp32.
        if (auto sum = op->getAttrOfType<TypeAttr>("acc_type");
            sum && sum.getValue() == from)
          op->setAttr("acc_type",
                      TypeAttr::get(Float32Type::get(&getContext())));
      });
      // A declaration has no arguments that define the types.
      auto castEach = [&](TypeRange types) {
        return llvm::map_to_vector(
            types, [&](Type type) { return castType(type, from, to); });
      };
      FunctionType type = function.getFunctionType();
      function.setFunctionType(FunctionType::get(&getContext(),
                                                 castEach(type.getInputs()),
                                                 castEach(type.getResults())));
    });
  }

  /// Replaces a conversion whose types are now equal or in the opposite order.
  void adaptConversion(Operation *op) {
    Value value = op->getOperand(0);
    Type to = op->getResult(0).getType();
    auto widthOf = [](Type type) {
      return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    };
    unsigned before = widthOf(value.getType()), after = widthOf(to);
    if (isa<arith::ExtFOp>(op) ? before < after : before > after)
      return;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (value.getType() != to && before == after) {
      // 16-bit formats are converted through fp32.
      Type wide = castType(to, getElementTypeOrSelf(to), builder.getF32Type());
      value = arith::ExtFOp::create(builder, loc, wide, value);
      before = widthOf(wide);
    }
    if (value.getType() != to)
      value = before < after
                  ? arith::ExtFOp::create(builder, loc, to, value).getOut()
                  : arith::TruncFOp::create(builder, loc, to, value).getOut();
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  /// Casts between equal types launch nothing in a framework, except for those
  /// that gpucost-autocast gives other types.
  void removeIdleCasts(ModuleOp module,
                       const llvm::DenseSet<Operation *> &stated) {
    module.walk([&](Operation *op) {
      if (onnx::isCast(op) && op->getNumOperands() && !stated.contains(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      }
    });
  }

  SettingOptions options{*this, &Scenario::precisionMode, &Scenario::tf32};
};
} // namespace
