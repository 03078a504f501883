//===- ReportSchemas.h - Schemas of the reports -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_REPORTSCHEMAS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_REPORTSCHEMAS_H

#include "gpucost/Core/Report/RecordShape.h"
#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// The reports that have a schema.
const std::vector<ReportKind> &reportKinds();

/// The kind of this name; null for none.
const ReportKind *findReportKind(llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_REPORTSCHEMAS_H
