//===- PackDocuments.cpp - Attention of packed documents ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackDocuments.h"
#include "ModuleNotes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/PackedLengths.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;

/// Tokens of the sequences that attention inside of them reads: queries and
/// keys [batch, heads, tokens, size], [batch, tokens, heads x size], or [batch,
/// tokens, heads, size] with the layout BSHD; 0: another op, or queries that
/// follow a cache.
static int64_t packedTokens(Operation *op) {
  if (!isa<onnx::AttentionOp, onnx::FusedAttentionOp,
           onnx::FusedAttentionGradOp>(op) ||
      op->getNumOperands() < 3 ||
      onnx::hasOperand(op, 4) != isa<onnx::FusedAttentionGradOp>(op))
    return 0;
  bool tokensFirst = onnx::getString(op, "layout") == "BSHD";
  auto lengthOf = [&](unsigned i) -> int64_t {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    if (!type || !type.hasStaticShape() || type.getRank() < 3)
      return 0;
    return type.getDimSize(
        type.getRank() == 4 && tokensFirst ? 1 : type.getRank() - 2);
  };
  return lengthOf(0) == lengthOf(1) ? lengthOf(0) : 0;
}

LogicalResult raising::packDocuments(ModuleOp module, StringRef text) {
  std::optional<PackedLengths> lengths = parsePackedLengths(text.str());
  if (!lengths)
    return module.emitError("--packed-lengths expects ")
           << packedLengthsExpected << ", but got '" << text << "'";
  SmallVector<Operation *> all, causal;
  module.walk([&](Operation *op) {
    if (packedTokens(op) == 0)
      return;
    all.push_back(op);
    if (onnx::getInt(op, "is_causal") != 0)
      causal.push_back(op);
  });
  if (all.empty())
    return module.emitError(
        "--packed-lengths needs attention inside of sequences as one kernel; "
        "--attention=flash fuses its matmuls and softmax");
  // An image encoder of a language model has no documents.
  ArrayRef<Operation *> packed = causal.empty() ? all : causal;
  SmallVector<int64_t> stated;
  for (const DocumentLength &each : *lengths)
    stated.append({each.tokens, each.count});
  auto attribute = DenseI64ArrayAttr::get(module.getContext(), stated);
  int64_t longest = 0;
  for (Operation *op : packed) {
    op->setAttr(documentsAttrName, attribute);
    longest = std::max(longest, packedTokens(op));
  }
  addNote(module,
          llvm::formatv("packed documents: the document of a token has {0:f0} "
                        "of the {1} tokens of its sequence on average, and "
                        "attention reads no others",
                        lengthAtToken(cutDocuments(*lengths, longest)), longest)
              .str());
  return success();
}
