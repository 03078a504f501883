//===- OnnxBase.td - Dialect, types and op classes of onnx *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXBASE_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "gpucost/Dialect/GpuCost/IR/GpuCostInterfaces.td"
include "gpucost/Dialect/Onnx/IR/OnnxInterfaces.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::gpucost::onnx";
  let summary = "ONNX operators as far as their cost depends on them";
  let description = [{
    One op per ONNX operator, named after it: `onnx.MatMul`. All ops look alike:
    variadic operands in ONNX order (a missing optional input is `onnx.None`),
    variadic results, and the ONNX attributes under their ONNX names as
    discardable attributes (ints are `i64`, floats `f32`, lists dense arrays).
    An operator without an op of its own is `onnx.Custom`, which keeps `domain`
    and `op_type`. Weights are `onnx.Parameter`: typed, without a value.

    Operators of com.microsoft share the names of this dialect; those that mean
    something else than the standard operator of that name are `onnx.Custom`.

    Before `gpucost-fix-shapes` results have the type `!onnx.unknown`; after it
    they are ranked tensors with static shapes.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    // One per category, each in its own file: generated op code is slow to
    // compile.
    void registerStructureOps();
    void registerMathOps();
    void registerTranscendentalOps();
    void registerActivationOps();
    void registerContractionOps();
    void registerNeuralOps();
    void registerSequenceOps();
    void registerMovementOps();
    void registerReductionOps();
    void registerLogicOps();
    void registerConversionOps();
    void registerContribOps();
    void registerTrainingOps();
    void registerSignalOps();
    void registerImageOps();
    void registerQuantizedOps();
    void registerContribAttentionOps();
    void registerContribMathOps();
    void registerIntegerOps();
    void registerOpaqueOps();
    void registerClassicalOps();
    void registerGradientOps();
    void registerOptimizerOps();
    void registerControlOps();

    /// Op attribute: the names of the ONNX values an op defines, in order.
    static constexpr ::llvm::StringLiteral valueNamesAttrName = "onnx.values";
    /// Function argument attribute: name of the ONNX graph input.
    static constexpr ::llvm::StringLiteral inputNameAttrName = "onnx.name";
    /// Function argument attribute: array of strings, the `dim_param` of each
    /// dimension, "" where the dimension is fixed or unnamed.
    static constexpr ::llvm::StringLiteral dimNamesAttrName = "onnx.dims";
    /// Module attribute: dictionary domain -> opset version.
    static constexpr ::llvm::StringLiteral opsetsAttrName = "onnx.opsets";
    /// Op attribute: types that the file declares for the results; used only
    /// where inference finds none.
    static constexpr ::llvm::StringLiteral declaredTypesAttrName =
        "onnx.declared";
    /// Op attribute: the op depends on parameters and constants alone; it is
    /// weight preprocessing and launches nothing in an iteration.
    static constexpr ::llvm::StringLiteral constantAttrName = "onnx.constant";
  }];
}

class Onnx_Type<string name, string typeMnemonic> : TypeDef<Onnx_Dialect, name> {
  let mnemonic = typeMnemonic;
}
def Onnx_UnknownType : Onnx_Type<"Unknown", "unknown"> {
  let summary = "a value whose type has not been inferred yet";
}
def Onnx_NoneType : Onnx_Type<"None", "none"> {
  let summary = "a missing optional input or output";
}
def Onnx_StringType : Onnx_Type<"String", "string"> {
  let summary = "element type of string tensors";
}
class Onnx_ContainerType<string name, string typeMnemonic>
    : Onnx_Type<name, typeMnemonic> {
  let parameters = (ins OptionalParameter<"::mlir::Type">:$elementType);
  let assemblyFormat = "(`<` $elementType^ `>`)?";
}
def Onnx_SequenceType : Onnx_ContainerType<"Sequence", "sequence"> {
  let summary = "a list of values; what their types have in common, if known";
}
def Onnx_OptionalType : Onnx_ContainerType<"Optional", "optional"> {
  let summary = "a value that may be missing, and its type, if known";
}

/// Operators with these inferences have up to `count` results, -1 for any number.
class Onnx_MaxResults<int n, list<string> inferNames> {
  int count = n;
  list<string> names = inferNames;
}
/// Those that may have more than one.
defvar maxResultsOfInference = [
  Onnx_MaxResults<2, ["inferAccumulator", "inferBinaryGrad", "inferCausalConv",
    "inferClassifier", "inferContribAttention", "inferDenseLoss", "inferDropout",
    "inferFlattenAndUnpad", "inferGemmaRotaryEmbedding", "inferGreedySearch",
    "inferLinearAttention", "inferLoss", "inferPool", "inferQAttention",
    "inferSharedInput", "inferSkipGroupNorm", "inferStringSplit", "inferTopK"]>,
  Onnx_MaxResults<3, ["inferConvGrad", "inferConvTransposeGrad",
    "inferDynamicQuantizeLinear", "inferEmbedLayerNorm", "inferLayerNorm",
    "inferNormGrad", "inferPagedAttention", "inferRecurrent"]>,
  Onnx_MaxResults<4, ["inferAttention", "inferGroupQueryAttention",
    "inferMultiHeadAttention", "inferRemovePadding",
    "inferSkipLayerNorm", "inferUnique"]>,
  Onnx_MaxResults<5, ["inferBatchNorm", "inferBatchNormInternal", "inferBeamSearch",
    "inferRecurrentTraining"]>,
  Onnx_MaxResults<-1, ["inferAdamOptimizer", "inferGradient", "inferLambOptimizer",
    "inferMixedPrecisionScale", "inferNothing", "inferParameterUpdate",
    "inferPassThrough", "inferRecurrentGrad", "inferSGDOptimizer", "inferSequenceMap",
    "inferSplit"]>];

/// Base of every op. `shape` is the cost rule, `instr` the instruction class of
/// memory-bound kernels, `flops`/`special` the fp32 FLOPs and special-function
/// results per output element (per input element of reductions and rows).
///
/// Counting convention: an add, multiply, compare or select is 1 FLOP, a fused
/// multiply-add 2; a result of the special-function unit (ex2, lg2, rcp, rsqrt,
/// sqrt, sin, cos) is counted apart and is no FLOP. Each op states the textbook
/// formula; the instructions that a library really issues are data of the
/// instruction class.
class Onnx_Op<string opName, string costShape, list<Trait> traits = []>
    : Op<Onnx_Dialect, opName, !listconcat([Pure,
        DeclareOpInterfaceMethods<OnnxOpInterface>,
        DeclareOpInterfaceMethods<BackwardOpInterface>,
        DeclareOpInterfaceMethods<WorkOpInterface>], traits)> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types,
      "::mlir::ValueRange":$operands,
      CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes), [{
    $_state.addTypes(types);
    $_state.addOperands(operands);
    $_state.addAttributes(attributes);
  }]>];

  string shape = costShape;
  string instr = "None";
  int flops = 0;
  int special = 0;
  /// C++ function `LogicalResult infer(InferenceContext &)` of lib/Dialect/Onnx/
  /// IR/Infer*.cpp that gives the result types.
  string infer = "inferSameAsFirst";
  /// C++ function `void fold(InferenceContext &)` of lib/Dialect/Onnx/IR/
  /// Fold*.cpp that gives the values of small results; runs after `infer`.
  string fold = "nullptr";
  /// C++ function `LogicalResult grad(Operation *, GradientContext &)` of
  /// lib/Dialect/Onnx/IR/Grad*.cpp that emits the backward ops.
  string grad = "gradUnknown";
  /// C++ function `FailureOr<WorkAttr> work(Operation *, CostClass, ElementCost)`
  /// of lib/Dialect/Onnx/IR/*Work.cpp; that of the cost class unless stated.
  string work = "computeWork";
  /// What `work` counts, for the table of operators; empty for the formula of the
  /// cost class.
  string formula = "";
  /// Results that the operator may have, -1 for any number.
  int maxResults = !foldl(1, maxResultsOfInference, limit, entry,
      !if(!empty(!filter(name, entry.names, !eq(name, infer))), limit, entry.count));
  /// Case of AutocastPolicy.
  string autocast = "Follow";

  let extraClassDeclaration = "";
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferTypes(
        ::gpucost::onnx::InferenceContext &context) {
      return ::gpucost::onnx::inferAndFold(context, ::gpucost::onnx::}]
        # infer # [{, }] # fold # [{);
    }
    ::llvm::LogicalResult $cppClass::emitGradient(
        ::gpucost::GradientContext &context) {
      return ::gpucost::onnx::}] # grad # [{(getOperation(), context);
    }
    int64_t $cppClass::getMaxResults() {
      return }] # maxResults # [{;
    }
    ::gpucost::AutocastPolicy $cppClass::getAutocastPolicy() {
      return ::gpucost::AutocastPolicy::}] # autocast # [{;
    }
    ::gpucost::CostClass $cppClass::getCostClass() {
      return ::gpucost::CostClass::}] # shape # [{;
    }
    ::mlir::FailureOr<::gpucost::WorkAttr> $cppClass::getWork() {
      return ::gpucost::onnx::}] # work # [{(getOperation(), getCostClass(),
          {::gpucost::InstructionClass::}] # instr # [{, }] # flops # [{, }]
          # special # [{});
    }
  }];
}

/// Launches nothing and moves nothing (constants, shapes).
class Onnx_MetadataOp<string name, string inferFn, string foldFn = "nullptr">
    : Onnx_Op<name, "Metadata"> {
  let infer = inferFn;
  let fold = foldFn;
}
/// A new view of the same bytes.
class Onnx_ViewOp<string name, string inferFn, string foldFn = "nullptr">
    : Onnx_Op<name, "View"> {
  let infer = inferFn;
  let fold = foldFn;
}
/// One result per element, operands broadcast.
class Onnx_ElementwiseOp<string name, string instrClass, int fp32 = 1, int sfu = 0,
                         string foldFn = "nullptr",
                         string inferFn = "inferBroadcast">
    : Onnx_Op<name, "Elementwise"> {
  let instr = instrClass;
  let flops = fp32;
  let special = sfu;
  let infer = inferFn;
  let fold = foldFn;
}
/// Combines elements along axes; FLOPs and special results per input element.
class Onnx_ReductionOp<string name, int fp32 = 1, int sfu = 0,
                       string foldFn = "nullptr", string inferFn = "inferReduce">
    : Onnx_Op<name, "Reduction"> {
  let instr = "Reduce";
  let flops = fp32;
  let special = sfu;
  let infer = inferFn;
  let fold = foldFn;
}
/// Reads a row twice, writes it once (softmax, norms).
class Onnx_RowOp<string name, string instrClass, int fp32, int sfu,
                 string inferFn = "inferSameAsFirst">
    : Onnx_Op<name, "RowNormalization"> {
  let instr = instrClass;
  let flops = fp32;
  let special = sfu;
  let infer = inferFn;
}
/// Moves bytes without arithmetic.
class Onnx_MovementOp<string name, string inferFn, string foldFn = "nullptr",
                      string instrClass = "Copy">
    : Onnx_Op<name, "DataMovement"> {
  let instr = instrClass;
  let infer = inferFn;
  let fold = foldFn;
}
/// Reads (or writes) at positions that an operand holds.
class Onnx_GatherOp<string name, string inferFn, string foldFn = "nullptr",
                    string instrClass = "Gather">
    : Onnx_Op<name, "Gather"> {
  let instr = instrClass;
  let infer = inferFn;
  let fold = foldFn;
}
/// Matrix product: one summed dimension, FLOPs from the shapes.
class Onnx_ContractionOp<string name, string inferFn> : Onnx_Op<name, "Contraction"> {
  let autocast = "Lower";
  let infer = inferFn;
}
/// Operands X, W[, B] in ONNX order, FLOPs from the shapes.
class Onnx_ConvolutionOp<string name, string inferFn> : Onnx_Op<name, "Convolution"> {
  let autocast = "Lower";
  let infer = inferFn;
}
/// Window reductions; FLOPs per element of the window.
class Onnx_PoolingOp<string name, string inferFn = "inferPool"> : Onnx_Op<name, "Pooling"> {
  let instr = "Pool";
  let flops = 1;
  let infer = inferFn;
}
/// softmax(Q K^T) V as one op; operands Q, K, V first.
class Onnx_AttentionLikeOp<string name, string inferFn> : Onnx_Op<name, "Attention"> {
  let instr = "Softmax";
  let flops = 5;
  let special = 1;
  let infer = inferFn;
  let autocast = "Lower";
}
/// A kernel of its own kind: `workFn` counts what `what` says.
class Onnx_LibraryOp<string name, string inferFn, string workFn, string what,
                     string instrClass = "Copy", int fp32 = 0, int sfu = 0,
                     string foldFn = "nullptr"> : Onnx_Op<name, "Library"> {
  let infer = inferFn;
  let fold = foldFn;
  let work = workFn;
  let formula = what;
  let instr = instrClass;
  let flops = fp32;
  let special = sfu;
}
/// No cost rule: its bytes are a lower bound, and the coverage report says so.
class Onnx_OpaqueOp<string name, string inferFn> : Onnx_Op<name, "Opaque"> {
  let infer = inferFn;
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXBASE_TD
