//===- GpuCostCostAttr.td - What an op costs ---------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `gpucost-annotate` writes on ops of any dialect.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD

include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostBase.td"

def CostAttr : GpuCost_Attr<"Cost", "cost"> {
  let summary = "what the launches of an op cost on a GPU";
  let description = [{
    The discardable attribute `gpucost.cost`, which `gpucost-annotate` writes on
    ops as they stand and `gpucost-strip` removes. `coverage` says how much is
    known: `modelled`; `fallback`, a lower bound; `unmodelled`, no numbers.
    `reason` says why it is not `modelled`. `low` and `high` are the ends of the
    80 % interval; 0 s where it is not known. On a function the costs of its
    ops together, without the time that the host needs.
  }];
  let parameters = (ins "::gpucost::Coverage":$coverage,
      QuantityParameter<"Seconds", "all launches">:$time,
      QuantityParameter<"Seconds", "low end of the interval">:$low,
      QuantityParameter<"Seconds", "high end of the interval">:$high,
      QuantityParameter<"Joules", "board energy">:$energy,
      QuantityParameter<"Watts", "average board power">:$power,
      "::gpucost::Bound":$bound, "int64_t":$launches,
      OptionalParameter<"::mlir::StringAttr", "why it is not modelled">:$reason);
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD
