//===- OnnxControlOps.td - Control flow, sequences ---------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTROLOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTROLOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

/// An op whose subgraphs are regions, in the order of the operator's attributes;
/// each ends with `onnx.Yield`. `gpucost-fix-shapes` inlines the bodies; the
/// cost of a remaining op is unknown.
class Onnx_ControlOp<string name, string inferFn = "inferNothing">
    : Onnx_OpaqueOp<name, inferFn> {
  let hasBodies = 1;
  let maxResults = -1;
}

def Onnx_IfOp : Onnx_ControlOp<"If"> {
  let operands = ["Condition"];
  let attributes = ["else_branch: graph !", "then_branch: graph !"];
  let opsets = [1, 11, 13, 16, 19, 21, 23, 24, 25];
}
def Onnx_LoopOp : Onnx_ControlOp<"Loop"> {
  let operands = ["TripCount?", "Condition?", "..."];
  let attributes = ["body: graph !"];
  let opsets = [1, 11, 13, 16, 19, 21, 23, 24, 25];
}
// Up to opset 8 the first operand contains the lengths and may be absent.
def Onnx_ScanOp : Onnx_ControlOp<"Scan"> {
  let operands = ["..."];
  let attributes = [
    "body: graph !", "directions: ints @1-8", "num_scan_inputs: int !",
    "scan_input_axes: ints @9-", "scan_input_directions: ints @9-", "scan_output_axes: ints @9-",
    "scan_output_directions: ints @9-"];
  let opsets = [8, 9, 11, 16, 19, 21, 23, 24, 25];
}
def Onnx_SequenceMapOp : Onnx_ControlOp<"SequenceMap", "inferSequenceMap"> {
  let attributes = ["body: graph !"];
  let opsets = [17];
}

// A value that crosses the boundary of a loop with an inlined body: a
// loop-carried value, one slice of a scanned tensor, or the last value. It is
// never a constant, and prevents patterns from matching across the boundary.
def Onnx_LoopValueOp : Onnx_ViewOp<"LoopValue", "inferNothing"> {
  let isInternal = 1;
}
// The iteration number.
def Onnx_LoopIndexOp : Onnx_MetadataOp<"LoopIndex", "inferNothing"> {
  let grad = "gradNothing";
  let operands = [];
  let isInternal = 1;
}
// Concatenates the slices of all iterations in one tensor: reads and writes all
// of them.
def Onnx_LoopStackOp : Onnx_MovementOp<"LoopStack", "inferNothing"> {
  let work = "loopStackWork";
  let operands = ["..."];
  let isInternal = 1;
}

// Lists refer to existing tensors: frameworks copy nothing.
def Onnx_SequenceConstructOp : Onnx_MetadataOp<"SequenceConstruct", "inferSequenceConstruct"> {
  let operands = ["..."];
  let opsets = [11];
}
def Onnx_SequenceEmptyOp : Onnx_MetadataOp<"SequenceEmpty", "inferSequenceEmpty"> {
  let operands = [];
  let attributes = ["dtype: int"];
  let opsets = [11];
}
def Onnx_SequenceInsertOp : Onnx_MetadataOp<"SequenceInsert", "inferSequenceInsert"> {
  let operands = ["Sequence", "Value", "Position?"];
  let opsets = [11];
}
def Onnx_SequenceEraseOp : Onnx_MetadataOp<"SequenceErase", "inferSameSequence"> {
  let operands = ["Sequence", "Position?"];
  let opsets = [11];
}
def Onnx_SequenceAtOp : Onnx_ViewOp<"SequenceAt", "inferSequenceAt"> {
  let operands = ["Sequence", "Position"];
  let opsets = [11];
}
def Onnx_SequenceLengthOp : Onnx_MetadataOp<"SequenceLength", "inferSize"> {
  let grad = "gradNothing";
  let operands = ["Sequence"];
  let opsets = [11];
}
def Onnx_SplitToSequenceOp : Onnx_ViewOp<"SplitToSequence", "inferSplitToSequence"> {
  let operands = ["X", "Split?"];
  let attributes = ["axis: int = 0", "keepdims: int = 1"];
  let opsets = [11, 24];
}
def Onnx_ConcatFromSequenceOp
    : Onnx_MovementOp<"ConcatFromSequence", "inferConcatFromSequence"> {
  let operands = ["Sequence"];
  let attributes = ["axis: int !", "new_axis: int = 0"];
  let opsets = [11];
}
def Onnx_OptionalOp : Onnx_MetadataOp<"Optional", "inferOptional"> {
  let operands = ["Value?"];
  let attributes = ["type: type"];
  let opsets = [15, 28];
}
def Onnx_OptionalGetElementOp : Onnx_ViewOp<"OptionalGetElement", "inferSequenceAt"> {
  let operands = ["Optional"];
  let opsets = [15, 18, 28];
}
def Onnx_OptionalHasElementOp
    : Onnx_MetadataOp<"OptionalHasElement", "inferOptionalHasElement"> {
  let grad = "gradNothing";
  let operands = ["Optional?"];
  let opsets = [15, 18, 28];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTROLOPS_TD
