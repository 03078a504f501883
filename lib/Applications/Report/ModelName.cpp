//===- ModelName.cpp - Short names of models ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/ModelName.h"
#include "llvm/Support/Path.h"

using namespace llvm::sys;

llvm::StringRef gpucost::modelName(llvm::StringRef path) {
  llvm::StringRef file = path::filename(path);
  // "Llama/" is a folder, too; its last part is ".".
  if (file != "config.json" && file != ".")
    return file;
  llvm::StringRef folder = path::filename(path::parent_path(path));
  return folder.empty() || folder == "." || folder == ".." ? file : folder;
}
