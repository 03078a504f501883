//===- TripCounts.cpp - Trip counts stated by the user --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TripCounts.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using namespace mlir;

StringRef gpucost::getNodeName(Operation *op) {
  StringRef name;
  op->getLoc()->walk([&](Location loc) {
    auto named = dyn_cast<NameLoc>(loc);
    if (!named)
      return WalkResult::advance();
    name = named.getName();
    return WalkResult::interrupt();
  });
  return name;
}

TripCounts::TripCounts(const NamedValues &stated) {
  for (const auto &[name, count] : stated)
    entries[name].count = count;
}

std::optional<int64_t> TripCounts::find(Operation *loop) {
  SmallVector<StringRef> names = {getNodeName(loop)};
  auto addValueNames = [&](Operation *op) {
    if (auto values =
            op->getAttrOfType<ArrayAttr>(onnx::OnnxDialect::valueNamesAttrName))
      for (auto name : values.getAsRange<StringAttr>())
        names.push_back(name.getValue());
  };
  addValueNames(loop);
  if (loop->getNumOperands()) {
    Value count = loop->getOperand(0);
    if (Operation *def = count.getDefiningOp()) {
      if (def->getNumResults() == 1)
        addValueNames(def);
    } else if (auto name = dyn_cast<NameLoc>(count.getLoc())) {
      names.push_back(name.getName());
    }
  }
  loops.push_back(names.front().str());
  for (StringRef name : names)
    if (auto it = entries.find(name.str());
        !name.empty() && it != entries.end()) {
      it->second.used = true;
      return it->second.count;
    }
  return std::nullopt;
}

std::optional<int64_t> TripCounts::findNamed(StringRef name) {
  loops.push_back(name.str());
  auto it = entries.find(name.str());
  if (it == entries.end())
    return findForAll();
  it->second.used = true;
  return it->second.count;
}

std::optional<int64_t> TripCounts::findForAll() {
  auto it = entries.find("*");
  if (it == entries.end())
    return std::nullopt;
  return it->second.count;
}

llvm::Error TripCounts::checkAllUsed() const {
  for (const auto &[name, entry] : entries)
    if (!entry.used && name != "*")
      return llvm::createStringError(
          "no loop is called '" + Twine(name) + "'" +
          (loops.empty()
               ? std::string("; the model has no loops")
               : "; there are '" +
                     llvm::join(ArrayRef(loops).take_front(8), "', '") + "'"));
  return llvm::Error::success();
}
