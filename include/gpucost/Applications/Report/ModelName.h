//===- ModelName.h - Short names of models ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_MODELNAME_H
#define GPUCOST_APPLICATIONS_REPORT_MODELNAME_H

#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// The name of the model at `path` in headings: the file name, or for a
/// config.json, which most repositories have, the name of its folder.
llvm::StringRef modelName(llvm::StringRef path);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_MODELNAME_H
