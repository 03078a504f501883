//===- ModuleNotes.h - Notes of passes for the report -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_MODULENOTES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_MODULENOTES_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Adds a note for the report to the list `attribute`, without duplicates.
inline void addNote(mlir::ModuleOp module, llvm::StringRef note,
                    llvm::StringRef attribute = notesAttrName) {
  llvm::SmallVector<mlir::Attribute> notes;
  if (auto known = module->getAttrOfType<mlir::ArrayAttr>(attribute))
    notes.append(known.begin(), known.end());
  auto added = mlir::StringAttr::get(module.getContext(), note);
  if (llvm::is_contained(notes, added))
    return;
  notes.push_back(added);
  module->setAttr(attribute, mlir::ArrayAttr::get(module.getContext(), notes));
}

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_MODULENOTES_H
