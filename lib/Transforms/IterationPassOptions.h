//===- IterationPassOptions.h - Options of several passes -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `runtime` and `host-launch-us` of the passes that compose an iteration.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_ITERATIONPASSOPTIONS_H
#define GPUCOST_LIB_TRANSFORMS_ITERATIONPASSOPTIONS_H

#include "gpucost/Analysis/IterationAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Options as the analysis wants them; diagnoses an unknown runtime at
/// `module`.
inline mlir::FailureOr<IterationOptions>
parseIterationOptions(mlir::ModuleOp module, llvm::StringRef runtime,
                      double hostLaunchUs) {
  IterationOptions options;
  std::optional<Runtime> mode = symbolizeRuntime(runtime);
  if (!mode)
    return module.emitError() << "unknown runtime '" << runtime
                              << "', expected eager, cudagraph or compiled";
  options.runtime = *mode;
  if (hostLaunchUs >= 0)
    options.hostLaunch = Seconds(hostLaunchUs * 1e-6);
  // A limit that 'gpucost-predict-power' solved for stays in force.
  if (auto limit =
          module->getAttrOfType<mlir::FloatAttr>("gpucost.power_limit"))
    options.powerLimit = Watts(limit.getValueAsDouble());
  return options;
}

} // namespace gpucost

#endif // GPUCOST_LIB_TRANSFORMS_ITERATIONPASSOPTIONS_H
