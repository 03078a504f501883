//===- OnnxSelectionOps.td - Selection, compaction, sorting -*- tablegen -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpucost-expand-selection replaces these operators with the kernels that
// PyTorch and CUB launch for them; before that, each op has the work of its
// last kernel.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSELECTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSELECTIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// `selects_keys`, an extension: an indexer chooses keys, whose order does not matter.
def Onnx_TopKOp : Onnx_LibraryOp<"TopK", "inferTopK", "passWork",
    "radix selection: one pass per 8 bits of an element, then a gather (T2); all elements: a sort (T1)",
    "Compare", 1> {
  let grad = "gradTopK";
  let maxResults = 2;
  let operands = ["X", "K?"];
  let attributes = [
    "axis: int = -1", "k: int ! @1-9", "largest: int = 1 @11-", "selects_keys: int = 0 +",
    "sorted: int = 1 @11-"];
  let opsets = [1, 10, 11, 24];
}
def Onnx_NonZeroOp : Onnx_LibraryOp<"NonZero", "inferNonZero", "passWork",
    "a count, a selection with a scan, the positions; the host waits for the count (T3)",
    "Compare", 2, 0, "foldNonZero"> {
  let operands = ["X"];
  let opsets = [9, 13];
}
def Onnx_CompressOp : Onnx_LibraryOp<"Compress", "inferCompress", "selectedWork",
    "as NonZero of the condition, then a gather (T3)", "Gather", 2> {
  let grad = "gradSlice";
  let operands = ["X", "Condition"];
  let attributes = ["axis: int"];
  let opsets = [9, 11, 28];
}
def Onnx_UniqueOp : Onnx_LibraryOp<"Unique", "inferUnique", "passWork",
    "a sort, then a selection of the first element of each value; the host waits for their number (T4)",
    "Compare", 1> {
  let attributes = ["axis: int", "sorted: int = 1"];
  let maxResults = 4;
  let opsets = [11, 28];
}
def Onnx_NonMaxSuppressionOp : Onnx_LibraryOp<"NonMaxSuppression", "inferNonMaxSuppression",
    "suppressionWork",
    "a sort of the scores, then 16 per pair of a box and a kept box of each class, at most boxes x max_output; the host waits for the number (T5)",
    "Compare", 16> {
  let attributes = ["center_point_box: int = 0"];
  let opsets = [10, 11];
}

// Kernels of the above.
// Elements in order of size or in the file's order, with their positions.
def Onnx_RadixPassOp : Onnx_LibraryOp<"RadixPass", "inferNothing", "passWork",
    "reads and writes each key and its position", "Scatter", 1> {
  let maxResults = 2;
  let operands = ["Keys", "Positions?", "Counts?"];
  let isInternal = 1;
}
// Histogram of digits.
def Onnx_RadixCountOp : Onnx_LibraryOp<"RadixCount", "inferNothing", "passWork",
    "reads each key", "Compare", 1> {
  let operands = ["Keys", "..."];
  let isInternal = 1;
}
// The best keys of each row, in one kernel of a serving stack.
def Onnx_ChooseKeysOp : Onnx_LibraryOp<"ChooseKeys", "inferNothing", "keyChoiceWork",
    "one kernel that reads each row (K13)", "Compare", 1> {
  let maxResults = 2;
  let operands = ["Scores", "K?"];
  let isInternal = 1;
}
// The elements that a condition or a threshold selects.
def Onnx_RadixSelectOp : Onnx_LibraryOp<"RadixSelect", "inferNothing", "passWork",
    "reads each element, writes the selected ones", "Compare", 2> {
  let maxResults = 2;
  let operands = ["X", "..."];
  let isInternal = 1;
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSELECTIONOPS_TD
