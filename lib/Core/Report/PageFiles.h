//===- PageFiles.h - Embedded files of pages --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_REPORT_PAGEFILES_H
#define GPUCOST_LIB_CORE_REPORT_PAGEFILES_H

#include "gpucost/Core/Support/Span.h"

namespace gpucost {

struct PageFile {
  const char *name;    ///< file name without folder
  const char *content; ///< without the licence line
};

/// The files in lib/Core/Report/Page in the order of CMakeLists.txt, then
/// "d3.js" and "d3.license" if the build found them. (EmbedPage.cmake)
Span<PageFile> pageFiles();

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_REPORT_PAGEFILES_H
