//===- EqualRequests.h - Users with requests of equal length --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DEPLOY_EQUALREQUESTS_H
#define GPUCOST_LIB_APPLICATIONS_DEPLOY_EQUALREQUESTS_H

#include "gpucost/Applications/Deploy/Queue.h"

namespace gpucost::deploy {

/// (V7) `users` with requests of one length, of which a replica runs `running`
/// at a time: they keep their order, and everything repeats in a round.
SteadyState withEqualRequests(const StepCosts &costs,
                              const QueueTraffic &traffic, double users,
                              double running);

} // namespace gpucost::deploy

#endif // GPUCOST_LIB_APPLICATIONS_DEPLOY_EQUALREQUESTS_H
