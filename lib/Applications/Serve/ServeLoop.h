//===- ServeLoop.h - A closed loop of users of a service --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SERVE_SERVELOOP_H
#define GPUCOST_LIB_APPLICATIONS_SERVE_SERVELOOP_H

#include "ServeSteps.h"

namespace gpucost::serve {

/// The batch of `scenario` and the prompts of `question` as in steps of its
/// loop, if it has one.
void restateLoop(Scenario &scenario, ServeQuestion &question);

/// (V12) The loop of the question; `report` has all phases.
mlir::FailureOr<ServeLoop> playLoop(ServeSteps &steps,
                                    const ServeReport &report);

/// What the prediction of a loop assumes about `software`.
std::string describeLoop(const Coefficients &coefficients,
                         const ServeReport &report);

} // namespace gpucost::serve

#endif // GPUCOST_LIB_APPLICATIONS_SERVE_SERVELOOP_H
