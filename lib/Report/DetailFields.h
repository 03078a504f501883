//===- DetailFields.h - The details of a report in JSON ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_REPORT_DETAILFIELDS_H
#define GPUCOST_LIB_REPORT_DETAILFIELDS_H

#include "gpucost/Report/IterationDetails.h"
#include "gpucost/Support/JsonStream.h"

namespace gpucost {

/// The members of the object `details` of a report.
void writeDetails(JsonStream &json, const IterationDetails &details);

} // namespace gpucost

#endif // GPUCOST_LIB_REPORT_DETAILFIELDS_H
