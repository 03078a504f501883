//===- DeviceSpecModels.h - GPUs as DLTI devices ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_DEVICESPECMODELS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_DEVICESPECMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gpucost {

/// Makes `#gpucost.gpu` a device of `#dlti.target_system_spec` as soon as a
/// context has both dialects: its fields, under their names in the assembly
/// format, are entries that `dlti.query` finds ("power_limit"). Fields of an SM
/// or a CTA also have neutral names: "compute_units", "compute_unit.registers",
/// "compute_unit.workgroups"; the names "sms", "sm.registers" and "sm.ctas" are
/// deprecated. Numbers are in SI units (B, B/s, Hz, W), i64 if they are
/// integers, else f64; text fields are strings.
void registerDeviceSpecModels(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_DEVICESPECMODELS_H
