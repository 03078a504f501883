//===- OnnxControlOps.td - Control flow, sequences, optionals *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTROLOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTROLOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

/// An op whose subgraphs are regions, in the order of the operator's attributes;
/// each ends with `onnx.Yield`. `gpucost-fix-shapes` puts the bodies in place;
/// one that is left has no known cost.
class Onnx_ControlOp<string name, string inferFn = "inferNothing">
    : Onnx_OpaqueOp<name, inferFn> {
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results) $bodies
  }];
}

def Onnx_IfOp : Onnx_ControlOp<"If">;
def Onnx_LoopOp : Onnx_ControlOp<"Loop">;
def Onnx_ScanOp : Onnx_ControlOp<"Scan">;
def Onnx_SequenceMapOp : Onnx_ControlOp<"SequenceMap", "inferSequenceMap">;

def Onnx_YieldOp : Op<Onnx_Dialect, "Yield", [Pure, Terminator]> {
  let summary = "results of a subgraph";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

// A value that crosses the border of a loop whose body was put in place: what is
// carried, one slice of what is scanned, or the last value. It is never a
// constant, and keeps patterns from matching across the border.
def Onnx_LoopValueOp : Onnx_ViewOp<"LoopValue", "inferNothing">;
// The number of the iteration.
def Onnx_LoopIndexOp : Onnx_MetadataOp<"LoopIndex", "inferNothing"> {
  let grad = "gradNothing";
}
// The slices of all iterations in one tensor: all are read, all are written.
def Onnx_LoopStackOp : Onnx_MovementOp<"LoopStack", "inferNothing">;

// Lists hold tensors that are there already: frameworks copy nothing.
def Onnx_SequenceConstructOp : Onnx_MetadataOp<"SequenceConstruct", "inferSequenceConstruct">;
def Onnx_SequenceEmptyOp : Onnx_MetadataOp<"SequenceEmpty", "inferSequenceEmpty">;
def Onnx_SequenceInsertOp : Onnx_MetadataOp<"SequenceInsert", "inferSequenceInsert">;
def Onnx_SequenceEraseOp : Onnx_MetadataOp<"SequenceErase", "inferSameSequence">;
def Onnx_SequenceAtOp : Onnx_ViewOp<"SequenceAt", "inferSequenceAt">;
def Onnx_SequenceLengthOp : Onnx_MetadataOp<"SequenceLength", "inferSize"> {
  let grad = "gradNothing";
}
def Onnx_SplitToSequenceOp : Onnx_ViewOp<"SplitToSequence", "inferSplitToSequence">;
def Onnx_ConcatFromSequenceOp
    : Onnx_MovementOp<"ConcatFromSequence", "inferConcatFromSequence">;
def Onnx_OptionalOp : Onnx_MetadataOp<"Optional", "inferOptional">;
def Onnx_OptionalGetElementOp : Onnx_ViewOp<"OptionalGetElement", "inferSequenceAt">;
def Onnx_OptionalHasElementOp
    : Onnx_MetadataOp<"OptionalHasElement", "inferOptionalHasElement"> {
  let grad = "gradNothing";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTROLOPS_TD
