//===- OnnxBase.td - Classes of op definitions of onnx -----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXBASE_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXBASE_TD

/// Definition of an op, the only source for the C++ code and the page of
/// operators. utils/onnx_ops.py generates the class of the op and its row of
/// the table (OnnxDialect.h) from it; all ops have the same form.
///
/// `shape` is the cost rule, `instr` the instruction class of memory-bound
/// kernels, `flops`/`special` the fp32 FLOPs and special-function results per
/// output element (per input element of reductions and rows).
///
/// Counting convention: an add, multiply, compare or select is 1 FLOP, a fused
/// multiply-add 2; a result of the special-function unit (ex2, lg2, rcp, rsqrt,
/// sqrt, sin, cos) is counted separately and is not a FLOP. Each op uses the
/// textbook formula; the instructions that a library actually issues are data
/// of the instruction class.
class Onnx_Op<string name, string costShape, string workFn> {
  /// Name of the op without `onnx.`; the name of its class is the name of the
  /// definition without `Onnx_`.
  string opName = name;
  string shape = costShape;
  string instr = "None";
  int flops = 0;
  int special = 0;
  /// Names of the operands in ONNX order, for `getX()` of the class: required
  /// ones, then optional ones ("Bias?"), then "..." for any number more. A node
  /// of a file with fewer or more operands is diagnosed as malformed. Operands
  /// that only some opsets have, or that passes omit, are optional.
  list<string> operands = ["X", "..."];
  /// Its attributes: "axis: int = -1", "perm: ints", "to: int !". Each has a
  /// name; its kinds (int, float, string, tensor, graph, sparse, type, their
  /// plurals, or flag), separated by '|'; a default; '!' if it is required; the
  /// opsets that have it ("@1-12", "@13-"). An attribute that changed has one
  /// entry for each form, the newest last. "*" at the end of an entry: the
  /// attribute changes the work, but no rule counts it, which reports note.
  /// "+": an extension, which the standard lacks. "..." at the end allows any
  /// others.
  list<string> attributes = [];
  /// Maximum number of results, -1 for any number.
  int maxResults = 1;
  /// Control-flow bodies are regions of the op.
  bit hasBodies = 0;
  /// `gpucost-raise-ops` replaces it with ops that have cost rules.
  bit isExpanded = 0;
  /// The op is created by passes and is never in a file.
  bit isInternal = 0;
  /// Domain versions that defined or changed a standard operator (from the
  /// operator schemas in ONNX 1.23); empty for other operators.
  list<int> opsets = [];
  string domain = "ai.onnx";
  /// C++ function `LogicalResult infer(InferenceContext &)` of lib/Compiler/Dialect/Onnx/
  /// IR/Infer*.cpp that gives the result types.
  string infer = "inferSameAsFirst";
  /// C++ function `void fold(InferenceContext &)` of lib/Compiler/Dialect/Onnx/IR/
  /// Fold*.cpp that gives the values of small results; runs after `infer`.
  string fold = "nullptr";
  /// C++ function `LogicalResult grad(Operation *, GradientContext &)` of
  /// lib/Compiler/Dialect/Onnx/Gradients/Grad*.cpp that emits the backward ops.
  string grad = "gradUnknown";
  /// The op of the single kernel that `gradFromInput` and `gradFromOutput`
  /// emit.
  string gradientOp = "ActivationGrad";
  /// C++ function `FailureOr<WorkAttr> work(Operation *, CostClass,
  /// ElementCost)` of lib/Compiler/Dialect/Onnx/Work/*Work.cpp; the cost class
  /// defines the default.
  string work = workFn;
  /// Formula of `work` for the table of operators; empty for the formula of the
  /// cost class.
  string formula = "";
  /// The fields from here to `weights` state shapes and work in expressions of
  /// sizes, for ops whose work is a sum of products of them: with `infer` =
  /// "inferFromRule", and Onnx_CountedOp. An expression has integers, + - * /
  /// (rounded down), parentheses, min(a, b), max(a, b), ceil(a, b),
  /// visible(queries, keys, group), and names: sizes of `shapes`, `names`,
  /// integer attributes, `rows` (the product of the sizes of "..."), and
  ///   has.Bias, size.Bias, rank.Bias, last.Bias  whether the operand is given,
  ///       its elements, its rank, its last size
  ///   size.in, size.out, used.1  elements of all operands, of result 0, whether
  ///       result 1 is used
  ///   activation.silu  whether a string attribute has this value
  /// "if a: b else c" is b if the expression a is not 0.
  ///
  /// Sizes of operands: "X: [..., D]"; "?" is any, "X!" must be given although
  /// an optional operand precedes it. A name without a value gets the size, one
  /// with a value must equal it.
  list<string> shapes = [];
  /// Types of results: "[..., D]" with the elements of operand 0, "f32 [D]",
  /// "Scale [D]" with those of an operand, "@dtype [D]" with the ONNX type in an
  /// attribute, "= State" for the type of an operand.
  list<string> results = [];
  /// More names: "H = D/num_branches".
  list<string> names = [];
  /// What contradicts the operator: "expression: text", if the expression is
  /// not 0.
  list<string> contradictions = [];
  /// The kernel: "elements: n" (result elements), "strided: n", "gather: n",
  /// "rows: rows | columns", or "matmul: m | n | k | bits of a weight, 0 for
  /// those of operand 0 [| batch]".
  string problem = "";
  /// Matrix FLOPs, if more than the product; fp32 FLOPs without the
  /// multiply-add per dequantised weight; special-function results.
  string tensorCount = "";
  string fp32Count = "";
  string specialCount = "";
  /// Elements that are read and written, where not all: "Table: n", "1: n".
  list<string> reads = [];
  list<string> writes = [];
  /// Weights in the bytes of an operand: "B: N*K"; with `packed` =
  /// "packedByRule".
  list<string> weights = [];
  /// Operand that contains the second matrix or the filter: quantised ops have
  /// a scale and a zero point in between.
  int weight = 1;
  /// Operands that contain scales and zero points, which are not model weights.
  list<int> scales = [];
  /// C++ function `std::optional<int64_t> elements(Operation *, unsigned
  /// operand)` of lib/Compiler/Dialect/Onnx/Work/PackedElements.cpp: the number
  /// of weights packed into the bytes of an operand, nullopt for an operand
  /// without packed weights.
  string packed = "nullptr";
  /// Operand whose memory the first result is written to, -1 for none.
  int inPlaceOperand = -1;
  /// Operand with the past keys of a KV cache, -1 for none; the next operand
  /// contains the past values, and results 1 and 2 are the present keys and
  /// values.
  int cacheOperand = -1;
  /// Case of OpStage: the part of a training graph that the op belongs to.
  string stage = "Forward";
  /// Case of AutocastPolicy.
  string autocast = "Follow";
}

/// Reductions before the axes became an operand.
defvar Onnx_ReductionAttributes =
    ["axes: ints @1-17", "keepdims: int = 1", "noop_with_empty_axes: int = 0 @18-"];
/// Broadcasting before opset 7: `axis` aligns the second operand.
defvar Onnx_LegacyBroadcast = ["axis: int @1-6", "broadcast: int = 0 @1-6"];

/// Launches nothing and moves no data (constants, shapes).
class Onnx_MetadataOp<string name, string inferFn, string foldFn = "nullptr">
    : Onnx_Op<name, "Metadata", "noKernelWork"> {
  let infer = inferFn;
  let fold = foldFn;
}
/// A new view of the same bytes.
class Onnx_ViewOp<string name, string inferFn, string foldFn = "nullptr">
    : Onnx_Op<name, "View", "noKernelWork"> {
  let infer = inferFn;
  let fold = foldFn;
}
/// One result per element, with broadcast operands.
class Onnx_ElementwiseOp<string name, string instrClass, int fp32 = 1, int sfu = 0,
                         string foldFn = "nullptr",
                         string inferFn = "inferBroadcast">
    : Onnx_Op<name, "Elementwise", "elementwiseWork"> {
  let instr = instrClass;
  let flops = fp32;
  let special = sfu;
  let infer = inferFn;
  let fold = foldFn;
}
/// Combines elements along axes; FLOPs and special results per input element.
class Onnx_ReductionOp<string name, int fp32 = 1, int sfu = 0,
                       string foldFn = "nullptr", string inferFn = "inferReduce">
    : Onnx_Op<name, "Reduction", "reductionWork"> {
  let instr = "Reduce";
  let flops = fp32;
  let special = sfu;
  let infer = inferFn;
  let fold = foldFn;
}
/// Reads a row twice, writes it once (softmax, norms).
class Onnx_RowOp<string name, string instrClass, int fp32, int sfu,
                 string inferFn = "inferSameAsFirst">
    : Onnx_Op<name, "RowNormalization", "rowNormalizationWork"> {
  let instr = instrClass;
  let flops = fp32;
  let special = sfu;
  let infer = inferFn;
}
/// Moves bytes without arithmetic.
class Onnx_MovementOp<string name, string inferFn, string foldFn = "nullptr",
                      string instrClass = "Copy">
    : Onnx_Op<name, "DataMovement", "movementWork"> {
  let instr = instrClass;
  let infer = inferFn;
  let fold = foldFn;
}
/// Reads (or writes) at positions given by an operand.
class Onnx_GatherOp<string name, string inferFn, string foldFn = "nullptr",
                    string instrClass = "Gather">
    : Onnx_Op<name, "Gather", "gatherWork"> {
  let instr = instrClass;
  let infer = inferFn;
  let fold = foldFn;
}
/// Matrix product: one summed dimension, FLOPs from the shapes.
class Onnx_ContractionOp<string name, string inferFn>
    : Onnx_Op<name, "Contraction", "matmulWork"> {
  let autocast = "Lower";
  let infer = inferFn;
  let operands = ["A", "B", "..."];
}
/// Operands X, W[, B] in ONNX order, FLOPs from the shapes.
class Onnx_ConvolutionOp<string name, string inferFn>
    : Onnx_Op<name, "Convolution", "convolutionWork"> {
  let autocast = "Lower";
  let infer = inferFn;
}
/// Window reductions; FLOPs per element of the window.
class Onnx_PoolingOp<string name, string inferFn = "inferPool">
    : Onnx_Op<name, "Pooling", "poolingWork"> {
  let instr = "Pool";
  let flops = 1;
  let infer = inferFn;
  let maxResults = 2;
}
/// softmax(Q K^T) V as one op; operands Q, K, V first.
class Onnx_AttentionLikeOp<string name, string inferFn>
    : Onnx_Op<name, "Attention", "attentionWork"> {
  let instr = "Softmax";
  let flops = 5;
  let special = 1;
  let infer = inferFn;
  let autocast = "Lower";
}
/// A kernel with a dedicated formula: `what` describes what `workFn` counts.
class Onnx_LibraryOp<string name, string inferFn, string workFn, string what,
                     string instrClass = "Copy", int fp32 = 0, int sfu = 0,
                     string foldFn = "nullptr"> : Onnx_Op<name, "Library", workFn> {
  let infer = inferFn;
  let fold = foldFn;
  let formula = what;
  let instr = instrClass;
  let flops = fp32;
  let special = sfu;
}
/// A kernel whose shapes and counts are stated as expressions.
class Onnx_CountedOp<string name, string instrClass = "Copy">
    : Onnx_Op<name, "Library", "countedWork"> {
  let infer = "inferFromRule";
  let instr = instrClass;
}
/// No cost rule: its bytes are a lower bound, which the coverage report lists.
class Onnx_OpaqueOp<string name, string inferFn>
    : Onnx_Op<name, "Opaque", "unknownWork"> {
  let infer = inferFn;
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXBASE_TD
