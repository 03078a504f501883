//===- SettingsPage.h - The settings as a document --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_SETTINGSPAGE_H
#define GPUCOST_APPLICATIONS_REPORT_SETTINGSPAGE_H

#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// docs/Settings.md: one table per group, in Markdown.
void printSettingsPage(llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_SETTINGSPAGE_H
